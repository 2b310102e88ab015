import FluxCore
import FluxLog
import Foundation
import Synchronization
import TestFixtures
import Testing

@testable import FluxRecorder

/// The output of `po recorder.where`.
@Suite struct RecentStepsTests {
  /// The text that lldb's `po` shows of a value.
  private static func po(_ value: Any) -> String {
    _DebuggerSupport.stringForPrintObject(value)
  }

  private static func options() -> Recorder.Options {
    var options = Recorder.Options()
    options.recordsSource = false
    return options
  }

  /// The lines of a text without the times of steps, which the clock decides.
  private static func lines(_ text: String, in folder: TemporaryFolder) -> [String] {
    text.replacing(folder.url("").path, with: "").replacing(#/\+[0-9.]+s/#, with: "+TIMEs")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("the last ten steps and how each came about, without quotes and members")
  func steps() throws {
    let folder = try TemporaryFolder()
    let recorder = Recorder(to: folder.url("log.jsonl"), options: Self.options())
    let dispatcher = Dispatcher([TallyStore()])
    dispatcher.use(recorder)
    for _ in 1...9 { dispatcher.dispatch(TallyAction.add(1)) }
    dispatcher.dispatch(TallyAction.relay(1))
    dispatcher.dispatch(TallyAction.refuse)
    try recorder.flush()
    let lines = Self.lines(Self.po(recorder.where), in: folder)
    #expect(lines.first?.hasSuffix("log.jsonl: 13 steps") == true)
    #expect(
      lines.dropFirst() == [
        "  4 +TIMEs tally/add", "  5 +TIMEs tally/add", "  6 +TIMEs tally/add",
        "  7 +TIMEs tally/add", "  8 +TIMEs tally/add", "  9 +TIMEs tally/add",
        "  10 +TIMEs tally/relay", "  11 +TIMEs tally/chain, after step 10",
        "  12 +TIMEs tally/add, after step 11",
        "  13 +TIMEs tally/refuse, rejected: nothing to refuse", "",
      ])
  }

  private enum PeekAction: Action { case look }

  /// A store whose reducer asks where the app is, as a person does at a breakpoint there.
  private struct PeekStore: Store {
    let recorder: Recorder
    let seen: Seen
    var initialState: Int { 0 }

    func reduce(_ state: inout Int, _ action: PeekAction, _ step: inout Step) {
      seen.texts.withLock { $0.append("\(recorder.where)") }
      state += 1
    }
  }

  private final class Seen: Sendable {
    let texts = Mutex<[String]>([])
  }

  @Test("in a reducer, its action is in flight")
  func inReducer() throws {
    let folder = try TemporaryFolder()
    let recorder = Recorder(to: folder.url("log.jsonl"), options: Self.options())
    let seen = Seen()
    let dispatcher = Dispatcher([PeekStore(recorder: recorder, seen: seen)])
    dispatcher.use(recorder)
    dispatcher.dispatch(PeekAction.look)
    try recorder.flush()
    dispatcher.dispatch(PeekAction.look)
    let texts = seen.texts.withLock { $0 }
    #expect(
      texts.map { Self.lines($0, in: folder).dropFirst() } == [
        ["  1 +TIMEs peek/look, in flight"],
        ["  1 +TIMEs peek/look", "  2 +TIMEs peek/look, in flight"],
      ])
  }

  @Test("a recorder in memory shows its steps, and one that is not in use says so")
  func otherRecorders() throws {
    let memory = Recorder(inMemory: 1 << 20, options: Self.options())
    memory.start(states: ["n": 0])
    memory.record(NamedAction("add"), states: ["n": 1])
    #expect("\(memory.where)".contains("1 step\n  1 +"))
    let unused = Recorder(to: URL(filePath: "/nowhere/log.jsonl"))
    #expect("\(unused.where)".contains("the recorder is not in use"))
  }
}
