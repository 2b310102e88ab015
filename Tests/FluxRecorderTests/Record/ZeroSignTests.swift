import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// The sign of a zero: a recorder keeps it, and a comparison ignores it.
@Suite struct ZeroSignTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A number that differs from another zero by its sign.
  private struct Slope: StateValue {
    var value = 0.0
    var note = String(repeating: "note ", count: 40)

    static func == (left: Slope, right: Slope) -> Bool {
      left.value.bitPattern == right.value.bitPattern
    }
  }

  private enum SlopeAction: Action, Equatable { case flip, add(Double) }

  private struct SlopeStore: Store {
    var id: StoreID { "slope" }
    let initialState = Slope()
    var flips = true

    func reduce(_ slope: inout Slope, _ action: SlopeAction, _ step: inout Step) {
      switch action {
      case .flip: if flips { slope.value = -slope.value }
      case .add(let amount): slope.value += amount
      }
    }
  }

  private func lines(_ url: URL) throws -> [Substring] {
    try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
  }

  @Test(
    "A dispatcher's state that changed from 0 to -0 is a recorded change",
    arguments: [LogWriter.Options.States.adaptive, .full])
  func dispatcher(_ states: LogWriter.Options.States) async throws {
    let url = folder.url("slope.jsonl")
    var options = Recorder.Options()
    options.log.states = states
    let recorder = Recorder(to: url, options: options)
    let dispatcher = Dispatcher([SlopeStore()])
    dispatcher.use(recorder)
    #expect(dispatcher.dispatch(SlopeAction.flip).result == .changed)
    dispatcher.dispatch(SlopeAction.flip)
    dispatcher.dispatch(SlopeAction.flip)
    dispatcher.dispatch(SlopeAction.add(-0.0))
    try recorder.close()
    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    let timeline = Timeline(log)
    #expect(
      try (0..<log.count).map { try timeline.state(of: "slope", at: $0)?["value"]?.text }
        == ["-0", "0", "-0", "-0"])
    #expect(
      try (0..<log.count).map { try log.step(at: $0).changed } == [
        ["slope"], ["slope"], ["slope"], [],
      ])
    let honest = try await AppDefinition { [SlopeStore()] }.verify(log)
    #expect(honest.verdict == .passed)
    #expect(honest.steps == 4)
    // A new app that leaves the sign alone has equal states.
    let other = try await AppDefinition { [SlopeStore(flips: false)] }.verify(log)
    #expect(other.verdict == .passed)
    #expect(other.steps == 4)
  }

  @Test("A state without a dispatcher that changed from 0 to -0 is a recorded change")
  func started() throws {
    struct Plain: Codable, Sendable {
      var value = 0.0
      var note = String(repeating: "note ", count: 40)
    }
    let url = folder.url("plain.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["plain": Plain()])
    recorder.record(NamedAction("plain/flip"), states: ["plain": Plain(value: -0.0)])
    recorder.record(NamedAction("plain/none"), states: ["plain": Plain(value: -0.0)])
    recorder.record(NamedAction("plain/flip"), states: ["plain": Plain(value: 0)])
    try recorder.close()
    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    #expect(
      try (0..<log.count).map { try log.step(at: $0).patches?["plain"]?.text }
        == [
          #"[{"op":"replace","path":"/value","value":-0}]"#, nil,
          #"[{"op":"replace","path":"/value","value":0}]"#,
        ])
  }

  @Test("A dispatcher whose state is equal keeps it, and its log as well")
  func equal() throws {
    struct Plain: StateValue { var value = 0.0 }
    enum Flip: Action, Equatable { case flip }
    struct PlainStore: Store {
      var id: StoreID { "plain" }
      let initialState = Plain()
      func reduce(_ plain: inout Plain, _ action: Flip, _ step: inout Step) {
        plain.value = -plain.value
      }
    }
    let recorder = Recorder(to: folder.url("equal.jsonl"))
    let dispatcher = Dispatcher([PlainStore()])
    dispatcher.use(recorder)
    #expect(dispatcher.dispatch(Flip.flip).result == .unchanged)
    #expect(dispatcher[PlainStore.self].value.sign == .plus)
    try recorder.close()
  }
}
