import FluxCore
import FluxHost
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct CrashRepairTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func crashed(
    afterLines count: Int, stores: [any Store] = [TallyStore(), Lamp()],
    options change: (inout Recorder.Options) -> Void = { _ in }, _ use: (Dispatcher) -> Void
  ) throws -> (whole: Timeline, crashed: Timeline) {
    try recordCrash(in: folder, afterLines: count, stores: stores, options: change, use)
  }

  private static func use(_ dispatcher: Dispatcher) {
    dispatcher.dispatch(TallyAction.add(2))  // 1
    dispatcher.dispatch(TallyAction.chain(2))  // 2, and 3, 4
    dispatcher.dispatch(Lamp.Action.turnOn)  // 5
    dispatcher.dispatch(TallyAction.refuse)  // 6
    dispatcher.dispatch(TallyAction.stamp)  // 7
    dispatcher.dispatch(Lamp.Action.turnOff)  // 8
  }

  @Test(
    "steps without lines are rebuilt as they were, wherever the lines end", arguments: 0...8)
  func rebuilt(_ lines: Int) async throws {
    let (whole, crashed) = try crashed(afterLines: lines, Self.use)
    let copy = folder.url("copy.jsonl")
    let report = try CrashRepair(of: crashed, in: tally()).write(to: copy.path)
    #expect(report.steps == lines)
    #expect(report.rebuiltSteps == 8 - lines)
    #expect(report.notes == [])
    let repaired = Timeline(try LogFile.open(copy.path))
    #expect(try repaired.check() == [Finding(problem: .recordingFailed, line: 10)])
    #expect(repaired.log.count == 8)
    for position in 0..<8 {
      let (old, new) = (try whole.step(at: position), try repaired.step(at: position))
      #expect(new.number == old.number)
      #expect(new.time == old.time)
      #expect(new.action == old.action)
      #expect(new.cause == old.cause)
      #expect(new.target == old.target)
      #expect(new.rejection == old.rejection)
      #expect(try repaired.model(at: position) == whole.model(at: position))
    }
    #expect(try await tally().verify(repaired.log).verdict == .passed)
  }

  @Test("steps that are rebuilt by an app that tells no effects, as of protocol 1.0, are noted")
  func untoldEffects() throws {
    struct QuietApp: ReplayApp {
      let base: AppDefinition<Never, Never>
      func describe() throws(ReplayFailure) -> AppDescription {
        var description = try base.describe()
        description.tells = []
        return description
      }
      func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
        try base.start(start)
      }
    }
    for (lines, note) in [
      (6, "2 steps rebuilt without effects"), (7, "1 step rebuilt without effects"), (8, nil),
    ] {
      let (_, crashed) = try crashed(afterLines: lines, Self.use)
      let copy = folder.url("copy-\(lines).jsonl")
      let report = try CrashRepair(of: crashed, in: QuietApp(base: tally()))
        .write(to: copy.path)
      let rest =
        ": the app does not report them (a host of protocol 1.0 reports none), so the log shows none for steps that "
        + "may have had some"
      #expect(report.notes == note.map { ["\($0)\(rest)"] } ?? [])
      for name in ["whole.jsonl", "crashed.jsonl", ".crashed.jsonl.inflight"] {
        try FileManager.default.removeItem(at: folder.url(name))
      }
    }
  }

  @Test("an action is rebuilt in the store that it was addressed to, with what had led to it")
  func origins() async throws {
    enum CountAction: Action { case add, addLater, added }
    struct Counter: Store {
      let id: StoreID
      let initialState = 0
      func reduce(_ count: inout Int, _ action: CountAction, _ step: inout Step) {
        switch action {
        case .add: count += 1
        case .addLater: step.effect("later") { send in _ = send(CountAction.added) }
        case .added: count += 10
        }
      }
    }
    let url = folder.url("whole.jsonl")
    let stores: @Sendable () -> [any Store] = { [Counter(id: "left"), Counter(id: "right")] }
    let dispatcher = Dispatcher(stores(), seed: 7)
    var options = Recorder.Options()
    // Actions in flight have no source lines.
    options.recordsSource = false
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(CountAction.add)
    dispatcher.dispatch(CountAction.add, to: "right")
    await dispatcher.run(CountAction.addLater, to: "left")
    try recorder.flush()
    let crashed = folder.url("crashed.jsonl")
    try FileManager.default.copyItem(
      atPath: url.inFlight.path, toPath: crashed.inFlight.path)
    try recorder.close()
    let header = try String(contentsOf: url, encoding: .utf8).prefix { $0 != "\n" } + "\n"
    try header.write(to: crashed, atomically: true, encoding: .utf8)
    let copy = folder.url("copy.jsonl")
    let replayer = AppDefinition(stores: stores)
    let report = try CrashRepair(of: Timeline(LogFile.open(crashed.path)), in: replayer)
      .write(to: copy.path)
    #expect(report.rebuiltSteps == 4)
    let (whole, repaired) = (
      Timeline(try LogFile.open(url.path)), Timeline(try LogFile.open(copy.path))
    )
    for position in 0..<4 {
      #expect(try repaired.step(at: position) == whole.step(at: position))
      #expect(try repaired.model(at: position) == whole.model(at: position))
    }
    #expect(try whole.step(at: 3).effect == "later")
    #expect(try await replayer.verify(repaired.log).verdict == .passed)
  }

  @Test("a secret that the app makes itself is a token in a rebuilt step")
  func redacted() throws {
    struct Vault: Store {
      let id: StoreID = "hotel"
      let initialState = HotelStore.State()
      func reduce(
        _ hotel: inout HotelStore.State, _ action: HotelAction, _ step: inout Step
      ) throws {
        if case .admit = action { throw Rejection("no key fits, not even \(hotel.key ?? "none")") }
        hotel.key = "made-\(step.uuid())"
      }
    }
    let (_, crashed) = try crashed(
      afterLines: 0, stores: [Vault()],
      options: { options in
        options.redaction = Redaction(states: ["/hotel/key"], actions: ["hotel/*": ["/key"]])
      }
    ) { dispatcher in
      dispatcher.dispatch(HotelAction.open(key: "one"))
      dispatcher.dispatch(HotelAction.admit(name: "joe", password: ""))
    }
    let copy = folder.url("copy.jsonl")
    let report = try CrashRepair(of: crashed, in: AppDefinition { [Vault()] })
      .write(to: copy.path)
    #expect(report.rebuiltSteps == 2)
    let text = try String(contentsOf: copy, encoding: .utf8)
    #expect(text.contains(#""key":"<redacted "#))
    #expect(text.contains(#""message":"no key fits, not even <redacted "#))
    #expect(!text.contains("made-"))
  }

  @Test("behind a gap nothing is rebuilt, and the first action is named")
  func hidden() throws {
    let (_, crashed) = try crashed(afterLines: 2, Self.use)
    let path = crashed.log.path
    var text = try String(contentsOfFile: path, encoding: .utf8)
    text += #"{"gap":{"from":3,"to":3,"why":"paused"}}"# + "\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let report = try CrashRepair(of: Timeline(LogFile.open(path)), in: tally())
      .write(to: folder.url("copy.jsonl").path)
    #expect(report.rebuiltSteps == 0)
    #expect(
      report.notes == [
        "step 4 and those after it are not rebuilt: the states before them are not known"
      ])
  }

  @Test("behind a step that was left out nothing is rebuilt, and what is missing is told")
  func leftOut() throws {
    let (_, crashed) = try crashed(
      afterLines: 1, options: { $0.shouldSkip = { $0 as? TallyAction == .reset } }
    ) {
      dispatcher in
      dispatcher.dispatch(TallyAction.add(2))  // 1
      dispatcher.dispatch(TallyAction.add(3))  // 2
      dispatcher.dispatch(TallyAction.reset)  // 3, left out
      dispatcher.dispatch(TallyAction.add(4))  // 4
    }
    let copy = folder.url("copy.jsonl")
    let report = try CrashRepair(of: crashed, in: tally()).write(to: copy.path)
    #expect(report.rebuiltSteps == 1)
    #expect(
      report.notes == [
        "step 3 is neither in the log nor among the actions in flight: step 4 and those after it are not "
          + "rebuilt, and the log ends with step 2"
      ])
    let repaired = Timeline(try LogFile.open(copy.path))
    #expect(try repaired.check() == [Finding(problem: .recordingFailed, line: 4)])
    #expect(
      try (0..<repaired.log.count).map { try repaired.state(of: "tally", at: $0)?["total"] } == [
        2, 5,
      ])
  }

  @Test("an action that the app cannot read ends it, and is named")
  func unreadable() throws {
    let (_, crashed) = try crashed(afterLines: 3, Self.use)
    let report = try CrashRepair(of: crashed, in: AppDefinition { [TallyStore()] })
      .write(to: folder.url("copy.jsonl").path)
    #expect(report.rebuiltSteps == 1)
    #expect(
      report.notes == [
        "step 5, lamp/turnOn, is not rebuilt: no action is called \"lamp/turnOn\"; the app's actions are batch, tally. "
          + "If it was renamed, add an alias to the app's Evolution"
      ])
  }

  @Test("the log of an app that crashed has all steps but the one that did it")
  func trap() throws {
    let log = folder.url("trap.jsonl")
    try CrashExample.start("trap", log).waitUntilExit()
    let copy = folder.url("copy.jsonl")
    let report = try CrashRepair(
      of: Timeline(LogFile.open(log.path)),
      in: HostApp(executable: CrashExample.program.path)
    ).write(to: copy.path)
    #expect(report.steps + report.rebuiltSteps == 3)
    #expect(
      report.notes == [
        "step 4, basket/split, is not rebuilt: it was running when the app ended"
      ])
    let repaired = Timeline(try LogFile.open(copy.path))
    #expect(
      try (0..<repaired.log.count).map { try repaired.state(of: "basket", at: $0)?.text } == [
        #"{"items":["tea"],"total":300}"#, #"{"items":["tea","cup"],"total":1000}"#,
        #"{"items":["tea","cup"],"share":500,"total":1000}"#,
      ])
  }

  @Test("steps after a return to a model of the log are rebuilt from it", arguments: 3...6)
  func restored(_ lines: Int) async throws {
    let (whole, crashed) = try crashed(afterLines: lines) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))  // 1
      let model = dispatcher.model
      dispatcher.dispatch(Lamp.Action.turnOn)  // 2
      do {
        try dispatcher.restore(model)  // the third line
      } catch {
        Issue.record(error)
      }
      dispatcher.dispatch(TallyAction.refuse)  // 3
      dispatcher.dispatch(TallyAction.add(3))  // 4
      dispatcher.dispatch(Lamp.Action.turnOn)  // 5
    }
    #expect(whole.log.gaps.map(\.gap.model) == [.step(1)])
    let copy = folder.url("copy.jsonl")
    let report = try CrashRepair(of: crashed, in: tally()).write(to: copy.path)
    #expect(report.notes == [])
    #expect(report.rebuiltSteps == 6 - lines)
    let repaired = Timeline(try LogFile.open(copy.path))
    #expect(try repaired.check() == [Finding(problem: .recordingFailed, line: 8)])
    #expect(repaired.log.count == 5)
    for position in 0..<5 {
      #expect(try repaired.step(at: position).changed == whole.step(at: position).changed)
      #expect(try repaired.model(at: position) == whole.model(at: position))
    }
    #expect(try await tally().verify(repaired.log).verdict == .passed)
  }
}
