import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Follow-ups that the app dispatches now and the recording does not have, wherever a stretch of the log ends.
@Suite struct OwedFollowUpTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func log(_ use: (Dispatcher, Recorder) throws -> Void) throws -> LogFile {
    let url = folder.url("owed.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()], seed: 7)
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    try use(dispatcher, recorder)
    try recorder.close()
    return try LogFile.open(url.path)
  }

  /// Verifies with a stamp that has a follow-up now, and other changes.
  private func verify(
    _ log: LogFile, stopsAtFirst: Bool = true, _ change: (inout TallyRules) -> Void = { _ in }
  ) async throws -> (report: ReplayReport, found: [String]) {
    #expect(try await tally().verify(log).verdict == .passed)
    var rules = TallyRules()
    rules.followsUpStamps = true
    change(&rules)
    var options = Verification.Options()
    options.stopsAtFirst = stopsAtFirst
    let report = try await tally(rules).verify(log, options: options)
    return (report, report.divergences.map { "\($0.kind.rawValue) \($0.step)" })
  }

  @Test("one before a restore is found")
  func restored() async throws {
    let log = try log { dispatcher, _ in
      let model = dispatcher.model
      dispatcher.dispatch(TallyAction.stamp)  // 1
      dispatcher.dispatch(TallyAction.add(1))  // 2
      try dispatcher.restore(model)
      dispatcher.dispatch(TallyAction.add(2))
    }
    #expect(try await verify(log).found == ["extra 1"])
  }

  @Test("one right before a restore or a pause is counted, because the restore may have dropped it")
  func undecided() async throws {
    let restored = try log { dispatcher, _ in
      let model = dispatcher.model
      dispatcher.dispatch(TallyAction.add(1))
      dispatcher.dispatch(TallyAction.stamp)  // 2
      try dispatcher.restore(model)
      dispatcher.dispatch(TallyAction.add(2))
    }
    let note =
      "the follow-ups of 1 step not compared: the log has a gap before them: step 2"
    let report = try await verify(restored).report
    #expect(report.verdict == .passed && report.notes == [note])
    let paused = try log { dispatcher, recorder in
      dispatcher.dispatch(TallyAction.add(1))
      dispatcher.dispatch(TallyAction.stamp)  // 2
      recorder.pause()
      dispatcher.dispatch(TallyAction.add(2))
      recorder.resume()
      dispatcher.dispatch(TallyAction.add(3))
    }
    #expect(try await verify(paused).report.notes.last == note)
  }

  @Test("one before a gap is counted if roots come between steps and their follow-ups elsewhere")
  func mixedChains() async throws {
    let url = folder.url("mixed.jsonl")
    let recorder = Recorder(to: url)
    var state = Tally()
    func record(_ action: TallyAction, cause: UInt64? = nil) {
      recorder.record(action, states: ["tally": state], cause: cause)
    }
    recorder.start(states: ["tally": state])
    record(.chain(1))  // 1: its follow-up is step 4
    state.notes = ["a"]
    record(.note("a"))
    recorder.pause()
    state.notes = ["a", "b"]
    record(.note("b"))
    recorder.resume()
    state.total = 1
    state.share = 1.0 / 3
    record(.add(1), cause: 1)
    try recorder.close()
    let report = try await AppDefinition { [TallyStore()] }.verify(LogFile.open(url.path))
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(
      report.notes.contains(
        "the follow-ups of 1 step not compared: the log has a gap before them: step 1"))
    // The steps that show the order need not be in the range.
    var options = Verification.Options()
    options.range = 0..<2
    let part = try await AppDefinition { [TallyStore()] }.verify(
      LogFile.open(url.path), options: options)
    #expect(part.verdict == .passed, "\(part.text)")
  }

  @Test("those that run after the recorder was closed are not asked for")
  func closed() async throws {
    let url = folder.url("closed.jsonl")
    var rules = TallyRules()
    rules.followsUpStamps = true
    let dispatcher = Dispatcher([TallyStore(rules: rules), Lamp()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    // The follow-up runs after the observers.
    let receipt = dispatcher.store(TallyStore.self).onChange { _ in try? recorder.close() }
    dispatcher.dispatch(TallyAction.stamp)
    receipt.cancel()
    let log = try LogFile.open(url.path)
    #expect(log.count == 1 && log.end?.isCut == true)
    let report = try await tally(rules).verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(report.notes == ["the log ends before the follow-ups of step 1"])
  }

  @Test("one before a step that differs is named, and comes first")
  func earlier() async throws {
    let log = try log { dispatcher, _ in
      dispatcher.dispatch(TallyAction.note("b"))
      dispatcher.dispatch(TallyAction.stamp)  // 2
      dispatcher.dispatch(TallyAction.note("a"))  // 3
      dispatcher.dispatch(TallyAction.add(1))
    }
    #expect(try await verify(log) { $0.sortsNotes = true }.found == ["extra 2", "different 3"])
  }

  @Test("those that the log has after a step that differs are not missing")
  func later() async throws {
    let log = try log { dispatcher, _ in
      dispatcher.dispatch(TallyAction.relay(2))  // 1: 2 asks for 3 and 4
    }
    let found = try await verify(log) { $0.factor = 2 }.found
    #expect(found == ["different 3"])
  }

  @Test("an effect comes after the follow-ups of the step that started it")
  func effect() async throws {
    let url = folder.url("effect.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    dispatcher.dispatch(TallyAction.stamp)  // 1
    await dispatcher.run(TallyAction.fetch)  // 2, and 3
    recorder.pause()
    dispatcher.dispatch(TallyAction.add(1))
    recorder.resume()
    dispatcher.dispatch(TallyAction.add(1))
    try recorder.close()
    let found = try await verify(LogFile.open(url.path), stopsAtFirst: false).found
    #expect(found == ["extra 1"])
  }

  @Test("one before a step that cannot be compared is found")
  func left() async throws {
    let url = folder.url("left.jsonl")
    let log = try record(
      [Stamping()], to: url, { $0.redaction = Redaction(actions: ["stamping/choose": ["/_0"]]) }
    ) {
      $0.dispatch(Stamping.Action.stamp)  // 1
      $0.dispatch(Stamping.Action.stamp)  // 2
      $0.dispatch(Stamping.Action.choose(.rich))
    }
    let paused = try edit(url, line: 4) {
      $0 + "\n" + #"{"gap":{"from":4,"to":4,"why":"paused"}}"#
    }
    for log in [log, paused] {
      #expect(try await AppDefinition { [Stamping()] }.verify(log).verdict == .passed)
      let report = try await AppDefinition { [Stamping(followsUp: true)] }.verify(log)
      #expect(report.divergences.map { "\($0.kind.rawValue) \($0.step)" }.first == "extra 1")
    }
  }

  private struct Stamping: Store {
    enum Mode: String, StateValue { case plain, rich }
    enum Action: FluxCore.Action { case stamp, choose(Mode), nothing }

    let id: StoreID = "stamping"
    let initialState = 0
    var followsUp = false

    func reduce(_ count: inout Int, _ action: Action, _ step: inout Step) {
      guard case .stamp = action else { return }
      count += 1
      if followsUp { step.dispatch(Action.nothing) }
    }
  }
}
