import FluxCore
import Synchronization
import Testing

@testable import FluxRecorder

/// The intervals that a profiler gets of steps and effects; on Linux there is none, so a list stands for it.
@Suite struct StepIntervalsTests {
  private final class IntervalList: Sendable {
    private let list = Mutex<[String]>([])

    var lines: [String] { list.withLock { $0 } }

    func begin(_ interval: AppInterval) -> @Sendable (String) -> Void {
      let name =
        switch interval {
        case .step(let number, let type): "step \(number) \(type)"
        case .effect(let name, let cause): "effect \(name) of step \(cause)"
        }
      add("begin \(name)")
      return { [self] result in add("end \(name): \(result)") }
    }

    private func add(_ line: String) { list.withLock { $0.append(line) } }
  }

  private enum JobAction: Action { case start, finish, fail }

  private struct Jobs: Store {
    var initialState: Int { 0 }

    func reduce(_ state: inout Int, _ action: JobAction, _ step: inout Step) throws {
      switch action {
      case .start: step.effect("work") { send in _ = send(JobAction.finish) }
      case .finish: state += 1
      case .fail: throw Rejection("no")
      }
    }
  }

  private static func recorder(_ list: IntervalList) -> Recorder {
    var options = Recorder.Options()
    options.intervalSink = { list.begin($0) }
    return Recorder(inMemory: 1 << 20, options: options)
  }

  @Test("steps and effects are intervals, and a rejected step says so")
  func dispatcher() async {
    let list = IntervalList()
    let dispatcher = Dispatcher([Jobs()])
    dispatcher.use(Self.recorder(list))
    await dispatcher.run(JobAction.start)
    dispatcher.dispatch(JobAction.fail)
    #expect(
      list.lines == [
        "begin step 1 job/start",
        "end step 1 job/start: unchanged",
        "begin effect work of step 1",
        "begin step 2 job/finish",
        "end step 2 job/finish: changed",
        "end effect work of step 1: ended",
        "begin step 3 job/fail",
        "end step 3 job/fail: rejected",
      ])
  }

  @Test("the steps of an app without a dispatcher are intervals from begin to their end")
  func openSteps() {
    let list = IntervalList()
    let recorder = Self.recorder(list)
    recorder.start(states: ["n": 0])
    recorder.begin(NamedAction("add")).commit(states: ["n": 1])
    recorder.begin(NamedAction("take")).reject("no")
    recorder.record(NamedAction("told"), states: ["n": 2])
    #expect(
      list.lines == [
        "begin step 1 add", "end step 1 add: changed",
        "begin step 2 take", "end step 2 take: rejected",
      ])
  }

  @Test("without the option there are no intervals, and on Linux none with it")
  func none() {
    #expect(Recorder(inMemory: 1 << 20).intervals == nil)
    #if canImport(Glibc)
      var options = Recorder.Options()
      options.emitsSignposts = true
      #expect(Recorder(inMemory: 1 << 20, options: options).intervals == nil)
    #endif
  }
}
