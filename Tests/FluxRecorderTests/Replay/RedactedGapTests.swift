import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Recordings with a gap and a redacted place where the app puts something new at every step.
@Suite struct RedactedGapTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Draws a new ticket, and a new number, at every step.
  private struct Raffle: Store {
    struct State: StateValue {
      var ticket: String?
      var number: Int
      var draws = 0
    }

    enum Action: FluxCore.Action { case draw, check(String) }

    let id: StoreID = "raffle"
    let initialState = State(number: 1)
    var increment = 1

    func reduce(_ raffle: inout State, _ action: Action, _ step: inout Step) throws {
      switch action {
      case .draw:
        raffle.ticket = "ticket-\(step.uuid())"
        raffle.number = Int(step.random.next() % 1_000_000) + 10
        raffle.draws += increment
      case .check(let ticket):
        guard ticket == raffle.ticket else { throw Rejection("\(raffle.ticket ?? "") is not it") }
      }
    }
  }

  /// Records draws with a gap of some others in the middle.
  private func recording(redacted places: [String]) throws -> URL {
    let url = folder.url("raffle.jsonl")
    let dispatcher = Dispatcher([Raffle()], seed: 7)
    var options = Recorder.Options()
    options.redaction = Redaction(states: places)
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    for _ in 0..<3 { dispatcher.dispatch(Raffle.Action.draw) }
    dispatcher.dispatch(Raffle.Action.check("mine"))
    recorder.pause()
    for _ in 0..<3 { dispatcher.dispatch(Raffle.Action.draw) }
    recorder.resume()
    dispatcher.dispatch(Raffle.Action.check("mine"))
    for _ in 0..<3 { dispatcher.dispatch(Raffle.Action.draw) }
    dispatcher.dispatch(Raffle.Action.check("mine"))
    try recorder.close()
    return url
  }

  private func update(_ url: URL, _ raffle: Raffle) throws -> RecordingUpdate.Result {
    try RecordingUpdate(
      of: Timeline(LogFile.open(url.path)), in: AppDefinition { [raffle] },
      options: .init(environment: [:])
    ).write(to: url.path)
  }

  @Test("an honest recording is written byte for byte as it was")
  func honest() throws {
    let url = try recording(redacted: ["/raffle/ticket"])
    let before = try String(contentsOf: url, encoding: .utf8)
    #expect(!before.contains("ticket-"))
    #expect(try update(url, Raffle()) == .init(steps: 9, changedSteps: 0))
    #expect(try String(contentsOf: url, encoding: .utf8) == before)
  }

  @Test("a recording that the app has outgrown passes then, and its secrets stay tokens")
  func outgrown() async throws {
    let url = try recording(redacted: ["/raffle/ticket"])
    // Of the step behind the gap nothing is known but what the log says, so it stays.
    #expect(try update(url, Raffle(increment: 2)) == .init(steps: 9, changedSteps: 5))
    let log = try LogFile.open(url.path)
    #expect(try await AppDefinition { [Raffle(increment: 2)] }.verify(log).verdict == .passed)
    #expect(try !String(contentsOf: url, encoding: .utf8).contains("ticket-"))
  }

  @Test("a number that is redacted begins as 0 in a replay, and everything else is compared")
  func number() async throws {
    let url = try recording(redacted: ["/raffle/number"])
    let before = try String(contentsOf: url, encoding: .utf8)
    let report = try await AppDefinition { [Raffle()] }.verify(LogFile.open(url.path))
    #expect(report.verdict == .passed && report.redacted == ["/raffle/number"])
    #expect(try update(url, Raffle()) == .init(steps: 9, changedSteps: 0))
    #expect(try String(contentsOf: url, encoding: .utf8) == before)
  }

  private struct Lamp: Store {
    enum Color: String, Codable { case red, green }
    struct State: StateValue { var lights: [[Color]] = [[.red, .green]] }
    enum Action: FluxCore.Action { case turn }

    let initialState = State()
    func reduce(_ lamp: inout State, _ action: Action, _ step: inout Step) throws {}
  }

  @Test("a redacted value whose type accepts no substitute is refused, with its place")
  func refused() throws {
    let url = folder.url("lamp.jsonl")
    _ = try record([Lamp()], to: url, { $0.redaction = Redaction(states: ["/lamp/lights/0/1"]) }) {
      $0.dispatch(Lamp.Action.turn)
    }
    let error = try #require(throws: UpdateError.self) {
      try RecordingUpdate(
        of: Timeline(LogFile.open(url.path)), in: AppDefinition { [Lamp()] },
        options: .init(environment: [:])
      ).write(to: url.path)
    }
    #expect(
      error.summary.hasSuffix(
        "; the value at /lights/0/1 is redacted, and its type accepts no substitute; add an upcaster "
          + "to the app's Evolution"), "\(error.summary)")
  }

  @Test("what was only said in a gap is kept out of the app's words behind it")
  func words() throws {
    let url = folder.url("words.jsonl")
    let dispatcher = Dispatcher([Raffle()], seed: 7)
    var options = Recorder.Options()
    options.redaction = Redaction(states: ["/raffle/ticket"], actions: ["raffle/check": ["/_0"]])
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    recorder.pause()
    dispatcher.dispatch(Raffle.Action.check("spoken"))
    dispatcher.dispatch(Raffle.Action.draw)
    let ticket = try #require(dispatcher[Raffle.self].ticket)
    dispatcher.dispatch(Raffle.Action.draw)
    recorder.resume()
    recorder.mark("spoken, \(ticket)")
    try recorder.close()
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains("<redacted "))
    #expect(!text.contains("spoken"))
    #expect(!text.contains(ticket))
  }
}
