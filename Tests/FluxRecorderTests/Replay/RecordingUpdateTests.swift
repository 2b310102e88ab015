import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct RecordingUpdateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A log with something of everything, gaps and marks among it.
  private func sample(_ states: LogWriter.Options.States = .adaptive) throws -> URL {
    let url = folder.url("sample.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()], seed: 7)
    var options = Recorder.Options()
    options.log.states = states
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(TallyAction.add(2))  // 1
    recorder.mark("begun")
    dispatcher.dispatch(TallyAction.chain(2))  // 2, and 3, 4
    dispatcher.dispatch(TallyAction.stamp)  // 5
    dispatcher.dispatch(TallyAction.refuse)  // 6
    recorder.pause()
    dispatcher.dispatch(TallyAction.add(10))
    recorder.resume()
    dispatcher.dispatch(Lamp.Action.turnOff)  // 8: impossible, and the model is hidden still
    dispatcher.dispatch(Lamp.Action.turnOn)  // 9: has the whole model
    dispatcher.dispatch(TallyAction.note("a"), to: "tally")
    dispatcher.dispatch(Batch("both", [TallyAction.add(1), Lamp.Action.brighten]))
    dispatcher.dispatch(Lamp.Action.turnOff)  // 12
    recorder.pause()
    dispatcher.dispatch(TallyAction.add(10))
    recorder.resume()
    dispatcher.dispatch(TallyAction.add(5))  // 14: a stretch without another step
    recorder.pause()
    dispatcher.dispatch(TallyAction.add(10))
    recorder.resume()
    dispatcher.dispatch(TallyAction.add(6))  // 16
    dispatcher.dispatch(TallyAction.add(7), to: "nobody")  // 17
    recorder.mark("done")
    try recorder.close()
    return url
  }

  private func lines(_ url: URL) throws -> [String] {
    try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
  }

  private func update(
    _ url: URL, _ rules: TallyRules = TallyRules(), batchSize: Int = 512,
    environment: [String: String] = [:]
  ) throws -> RecordingUpdate.Result {
    var options = Verification.Options(environment: environment)
    options.batchSize = batchSize
    return try RecordingUpdate(
      of: Timeline(LogFile.open(url.path)), in: tally(rules), options: options
    ).write(to: url.path)
  }

  /// A line without what a replay may change.
  private func withoutOutcome(_ line: String) throws -> [String] {
    guard !line.isEmpty else { return [] }
    return try JSON.parse(Array(line.utf8)).members
      .filter { !["states", "patches", "removed", "rejected", "sum"].contains($0.name) }
      .map { "\($0.name): \($0.value.text)" }
  }

  @Test(
    "an honest recording is written byte for byte as it was",
    arguments: [LogWriter.Options.States.adaptive, .full], [1, 3, 512])
  func honest(_ states: LogWriter.Options.States, _ batchSize: Int) throws {
    let url = try sample(states)
    let before = try lines(url)
    #expect(try update(url, batchSize: batchSize).changedSteps == 0)
    #expect(try lines(url) == before)
  }

  /// Records an effect, and the action that came of it.
  private func fetched() async throws -> URL {
    let url = folder.url("fetched.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    await dispatcher.run(TallyAction.fetch)  // 1, and 2
    try recorder.close()
    return url
  }

  @Test("an update writes the effects of today, and none if the log does not record them")
  func effects() async throws {
    let url = try await fetched()
    let before = try lines(url)
    for (old, new) in [
      (#""effects":{"tally":["fetch"]}"#, #""effects":{"tally":["fetch","-load"],"lamp":["x"]}"#),
      (#","effects":{"tally":["fetch"]}"#, ""),
    ] {
      let edited = try edit(url, line: 2) { $0.replacing(old, with: new) }
      #expect(try update(URL(filePath: edited.path)).changedSteps == 1)
      #expect(try lines(URL(filePath: edited.path)) == before)
    }
    let silent = try edit(url, line: 1) { $0.replacing(#""effects":true,"#, with: "") }
    let unknown = try edit(URL(filePath: silent.path), line: 2) {
      $0.replacing(#","effects":{"tally":["fetch"]}"#, with: "")
    }
    let kept = try linesWithoutSums(URL(filePath: unknown.path))
    #expect(try update(URL(filePath: unknown.path)).changedSteps == 0)
    #expect(try linesWithoutSums(URL(filePath: unknown.path)) == kept)
  }

  @Test("a log without sums gets none, neither in its header nor in the steps that change")
  func sums() throws {
    let url = try sample(.adaptive)
    func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }
    let plain = try text().replacing(/,"sum":"[0-9a-f]{8}"/, with: "")
    try Data(plain.utf8).write(to: url)
    #expect(try update(url).changedSteps == 0)
    #expect(try text() == plain)
    var rules = TallyRules()
    rules.begin = { Tally(total: 5, notes: ["begun"]) }
    #expect(try update(url, rules).changedSteps > 0)
    #expect(try lines(url)[0].contains("begun"))
    #expect(try !text().contains("\"sum\""))
    #expect(try Timeline(LogFile.open(url.path)).check() == [])
  }

  @Test(
    "a recording that the app has outgrown passes then, and only outcomes are other ones",
    arguments: [LogWriter.Options.States.adaptive, .full])
  func outgrown(_ states: LogWriter.Options.States) async throws {
    let url = try sample(states)
    let before = try lines(url)
    var rules = TallyRules()
    rules.divisor = 4
    rules.refuses = false
    #expect(try await tally(rules).verify(LogFile.open(url.path)).verdict == .diverged)
    // Of the steps after a gap nothing is known but what the log says, so they stay.
    #expect(try update(url, rules) == .init(steps: 14, changedSteps: 6))
    let log = try LogFile.open(url.path)
    #expect(try await tally(rules).verify(log).verdict == .passed)
    #expect(try Timeline(log).check() == [])
    let after = try lines(url)
    #expect(after.count == before.count)
    for (old, new) in zip(before, after) {
      #expect(try withoutOutcome(new) == withoutOutcome(old))
      if JSON.kindOfLine(old) != "n" { #expect(new == old) }
    }
    #expect(before.contains { $0.contains(#""mark":"begun""#) })
    #expect(log.gaps.count == 3)
    #expect(try log.step(number: 6).rejection == nil)
    let isPatched = after.contains { $0.contains(#""patches""#) }
    #expect(isPatched == (states == .adaptive))
  }

  @Test("a step that the app refuses now is written as rejected, without states")
  func refused() async throws {
    let url = try sample()
    var rules = TallyRules()
    rules.refusesAdding = true
    _ = try update(url, rules)
    let log = try LogFile.open(url.path)
    let step = try log.step(number: 1)
    #expect(
      step.rejection
        == LogRejection(reason: "refused", message: "the tally is closed", store: "tally"))
    #expect(step.changed == [])
    #expect(try await tally(rules).verify(log).verdict == .passed)
  }

  @Test("stores that the app calls otherwise, has anew and has no more are as the app has them")
  func stores() async throws {
    struct Extra: Store {
      let id: StoreID = "extra"
      let initialState = 0
      func reduce(_ count: inout Int, _ action: TallyAction, _ step: inout Step) { count += 1 }
    }
    let url = folder.url("stores.jsonl")
    _ = try record([TallyStore(), Lamp(), Extra()], to: url) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))
      dispatcher.dispatch(Lamp.Action.turnOn)
    }
    _ = try update(url)
    #expect(try LogFile.open(url.path).storeNames == ["lamp", "tally"])
    let app = AppDefinition { [TallyStore(), Lamp(), Extra()] }
    try RecordingUpdate(
      of: Timeline(LogFile.open(url.path)), in: app, options: .init(environment: [:])
    )
    .write(to: url.path)
    let log = try LogFile.open(url.path)
    #expect(log.storeNames == ["extra", "lamp", "tally"])
    #expect(try Timeline(log).state(of: "extra", at: 0) == 1)
    #expect(try await app.verify(log).verdict == .passed)
  }

  @Test("secrets stay tokens, and a secret that the app makes itself becomes one")
  func redacted() async throws {
    /// Makes its own key out of the one that it is given.
    struct Vault: Store {
      struct State: StateValue { var key: String?; var visits = 0 }
      let id: StoreID = "hotel"
      let initialState = State()
      var visit = 1
      func reduce(_ hotel: inout State, _ action: HotelAction, _ step: inout Step) throws {
        if case .admit(let name, _) = action, visit > 1 {
          throw Rejection("\(name) has no key \(hotel.key ?? "")")
        }
        hotel.key = "made-\(step.uuid())"
        hotel.visits += visit
      }
    }
    let url = folder.url("hotel.jsonl")
    let dispatcher = Dispatcher([Vault()], seed: 7)
    var options = Recorder.Options()
    options.redaction = Redaction(
      states: ["/hotel/key"], actions: ["hotel/*": ["/key", "/password"]])
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    for key in ["one", "two"] { dispatcher.dispatch(HotelAction.open(key: key)) }
    dispatcher.dispatch(HotelAction.admit(name: "ann", password: "secret"))
    try recorder.close()
    let before = Timeline(try LogFile.open(url.path))
    let tokens = try (0..<2).map { try before.state(of: "hotel", at: $0)?["key"] }
    let app = AppDefinition { [Vault(visit: 2)] }
    let result = try RecordingUpdate(of: before, in: app, options: .init(environment: [:]))
      .write(to: url.path)
    #expect(result == .init(steps: 3, changedSteps: 3))
    let after = Timeline(try LogFile.open(url.path))
    #expect(try (0..<2).map { try after.state(of: "hotel", at: $0)?["key"] } == tokens)
    #expect(try after.state(of: "hotel", at: 1)?["visits"] == 4)
    let token = try #require(tokens[1]?.string)
    #expect(try after.step(at: 2).rejection?.message == "ann has no key \(token)")
    #expect(try !String(contentsOf: url, encoding: .utf8).contains("made-"))
    #expect(try await app.verify(after.log).verdict == .passed)
  }

  @Test("an initial state that has changed is in the header afterwards, and replay begins in it")
  func initial() async throws {
    let url = folder.url("initial.jsonl")
    _ = try record(to: url) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))
      dispatcher.dispatch(Lamp.Action.turnOn)
      dispatcher.dispatch(TallyAction.note("a"))
    }
    var rules = TallyRules()
    rules.begin = { Tally(total: 5, notes: ["begun"]) }
    #expect(try await tally(rules).verify(LogFile.open(url.path)).verdict == .diverged)
    #expect(try update(url, rules) == .init(steps: 3, changedSteps: 2))
    let timeline = Timeline(try LogFile.open(url.path))
    #expect(try timeline.state(of: "tally", at: Timeline.start)?["total"] == 5)
    #expect(try timeline.state(of: "tally", at: 2)?["total"] == 7)
    #expect(try timeline.state(of: "tally", at: 2)?["notes"] == ["begun", "a"])
    #expect(try timeline.check() == [])
    #expect(try await tally(rules).verify(timeline.log).verdict == .passed)
  }

  @Test("recorded initial states stay if they are to be ignored")
  func ignoredInitial() throws {
    let url = folder.url("initial.jsonl")
    _ = try record(to: url) { $0.dispatch(TallyAction.add(2)) }
    var rules = TallyRules()
    rules.begin = { Tally(total: 5) }
    var options = Verification.Options(environment: [:])
    options.initial = .ignore
    let result = try RecordingUpdate(
      of: Timeline(LogFile.open(url.path)), in: tally(rules), options: options
    ).write(to: url.path)
    #expect(result == .init(steps: 1, changedSteps: 0))
    let timeline = Timeline(try LogFile.open(url.path))
    #expect(try timeline.state(of: "tally", at: Timeline.start)?["total"] == 0)
  }

  @Test("the permissions of the file stay, and a link to it stays a link")
  func permissions() throws {
    let url = try sample()
    let link = folder.url("link.jsonl")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
    var rules = TallyRules()
    rules.factor = 2
    #expect(try update(link, rules).changedSteps > 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: url.deletingLastPathComponent().path)
    #expect(files.sorted() == ["link.jsonl", "sample.jsonl"])
  }
}

extension JSON {
  /// The name of the first member of a line.
  fileprivate static func kindOfLine(_ line: String) -> Substring? {
    line.split(separator: "\"").dropFirst().first
  }
}
