import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct ForkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Steps 1 to 9.
  private func sample() throws -> Timeline {
    let log = try record(to: folder.url("fork.jsonl")) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))  // 1
      dispatcher.dispatch(TallyAction.chain(2))  // 2, and 3, 4
      dispatcher.dispatch(Lamp.Action.turnOn)  // 5
      dispatcher.dispatch(TallyAction.refuse)  // 6
      dispatcher.dispatch(TallyAction.stamp)  // 7
      dispatcher.dispatch(TallyAction.note("a"), to: "tally")  // 8
      dispatcher.dispatch(Lamp.Action.brighten)  // 9
    }
    try log.waitForIndex()
    return Timeline(log)
  }

  private func lines(_ steps: [ForkStep], of fork: Fork) -> [String] {
    steps.map { step in
      let states = fork.history.states(afterSteps: Int(step.number - fork.steps[0].number) + 1)
      let changed = step.changed.map { "\($0)=\(states[$0]?.text ?? "gone")" }
      let end = step.rejection.map { ["rejected: \($0.message)"] } ?? changed
      return (["\(step.number)", step.type, "after \(step.cause ?? 0)"] + end)
        .joined(separator: " ")
    }
  }

  @Test("a fork knows the effects of its steps, and a saved one records them")
  func effects() throws {
    let fork = try Fork(at: 0, of: sample(), in: tally())
    let steps = try fork.dispatch(["type": "tally/fetch"])
    #expect(steps.map(\.effects) == [["fetch"]])
    #expect(steps.map(\.storeEffects) == [[StoreEffects(store: "tally", names: ["fetch"])]])
    let path = folder.path("saved.jsonl")
    try fork.save(to: path, log: "saved")
    let lines = try linesWithoutSums(URL(filePath: path))
    #expect(lines[0].contains(#""first":2,"effects":true,"platform""#))
    #expect(
      lines[1]
        == #"{"n":2,"t":0.100000,"action":{"type":"tally/fetch"},"effects":{"tally":["fetch"]}}"#)
  }

  @Test("an action on a fork runs with its follow-ups, from the states of the position")
  func dispatch() throws {
    let timeline = try sample()
    let fork = try Fork(at: 0, of: timeline, in: tally())
    #expect(
      fork.model.text
        == #"{"tally":{"dice":0,"notes":[],"share":0.6666666666666666,"total":2}}"#)
    let steps = try fork.dispatch(["type": "tally/chain", "payload": ["_0": 2]])
    #expect(
      lines(steps, of: fork) == [
        "2 tally/chain after 0",
        #"3 tally/add after 2 tally={"dice":0,"notes":[],"share":1,"total":3}"#,
        #"4 tally/add after 2 tally={"dice":0,"notes":[],"share":1.6666666666666667,"total":5}"#,
      ])
    #expect(
      lines(try fork.dispatch(["type": "lamp/turnOff"]), of: fork) == [
        "5 lamp/turnOff after 0 rejected: lamp/turnOff is impossible in absent"
      ])
    #expect(
      lines(try fork.dispatch(["type": "lamp/turnOn"], to: "lamp"), of: fork) == [
        #"6 lamp/turnOn after 0 lamp={"on":{"brightness":1}}"#
      ])
    #expect(fork.steps.last?.target == "lamp")
    #expect(
      fork.model.text == #"{"lamp":{"on":{"brightness":1}},"#
        + #""tally":{"dice":0,"notes":[],"share":1.6666666666666667,"total":5}}"#)
    #expect(Fork.model(of: fork.history.states(afterSteps: 0)) != fork.model)
    #expect(fork.history.states(afterSteps: 3)["lamp"] == nil)
    #expect(try timeline.state(of: "lamp", at: 0) == nil)
  }

  @Test("an action that the app cannot read leaves the fork as it was")
  func unreadable() throws {
    let fork = try Fork(at: 3, of: sample(), in: tally())
    try fork.dispatch(["type": "tally/add", "payload": ["_0": 1]])
    let before = fork.model
    let failure = #expect(throws: ReplayFailure.self) {
      try fork.dispatch(["type": "tally/addd"])
    }
    #expect(failure?.action == "tally/addd")
    #expect(
      failure?.description.hasPrefix(
        #"at tally/addd: the app cannot decode the action: the app's actions have no case "tally/addd". "#
      )
        == true)
    #expect(fork.steps.count == 1)
    #expect(fork.model == before)
    #expect(try fork.dispatch(["type": "tally/note", "payload": ["_0": "x"]]).first?.number == 6)
  }

  @Test("recorded steps that are dispatched again lead to the recorded states, each of them")
  func identical() throws {
    let timeline = try sample()
    for start in 0..<9 {
      let fork = try Fork.redispatching(start..<9, of: timeline, in: tally())
      #expect(fork.steps.map(\.number) == Array(UInt64(start + 1)...9), "from \(start)")
      #expect(fork.steps.compactMap(\.repeats) == fork.steps.map(\.number), "from \(start)")
      let comparison = try fork.compare()
      #expect(comparison.isSame, "from \(start): \(comparison)")
      #expect(comparison.lastRecordedStep == 9)
    }
  }

  @Test(
    "what is dispatched again with skips and replacements equals a fresh run of the same actions")
  func freshRun() throws {
    let timeline = try sample()
    let fork = try Fork.redispatching(
      0..<9, of: timeline, in: tally(), skipping: [1, 6],
      replacing: [5: try ActionCoder().encode(TallyAction.chain(3))])
    let fresh = try record(to: folder.url("fresh.jsonl")) { dispatcher in
      dispatcher.dispatch(TallyAction.chain(2))  // 1, and 2, 3
      dispatcher.dispatch(TallyAction.chain(3))  // 4, and 5, 6, 7
      dispatcher.dispatch(TallyAction.stamp)  // 8
      dispatcher.dispatch(TallyAction.note("a"), to: "tally")
      dispatcher.dispatch(Lamp.Action.brighten)  // 10: impossible
    }
    try fresh.waitForIndex()
    #expect(fork.steps.count == fresh.count)
    let other = Timeline(fresh)
    for (place, step) in fork.steps.enumerated() {
      let recorded = try fresh.step(at: place)
      #expect(step.number == recorded.number)
      #expect(step.action == recorded.action)
      #expect(step.cause == recorded.cause)
      #expect(step.rejection == recorded.rejection)
      // The clocks of the two runs differ, and so do their stamps. The fork draws the random numbers of the recording.
      let states = [
        Fork.model(of: fork.history.states(afterSteps: place + 1)), try other.model(at: place).json,
      ].map {
        $0.text.replacing(/"stamp":"[^"]*"/, with: #""stamp":"?""#)
          .replacing(/"id":"[^"]*"/, with: #""id":"?""#).replacing(/"dice":\d+/, with: #""dice":0"#)
      }
      #expect(states[0] == states[1])
    }
  }

  @Test("a comparison tells the first step that differs, and what remains at the end")
  func compare() throws {
    let fork = try Fork.redispatching(1..<9, of: sample(), in: tally(), skipping: [2])
    let comparison = try fork.compare()
    #expect(comparison.first?.step == 2)
    #expect(comparison.first?.recordedStep == 5)
    #expect(comparison.first?.changes.map(\.path.description) == ["/tally/share", "/tally/total"])
    #expect(comparison.lastRecordedStep == 9)
    let last = comparison.final.map { "\($0.path) \($0.old?.text ?? "") \($0.new?.text ?? "")" }
    #expect(last.contains("/tally/total 5 2"))
  }

  @Test("a fork of its own actions is compared with the steps that they stand in the place of")
  func compareByNumber() throws {
    let fork = try Fork(at: 0, of: sample(), in: tally())
    try fork.dispatch(["type": "tally/add", "payload": ["_0": 1]])
    let comparison = try fork.compare()
    #expect(comparison.lastRecordedStep == 2)
    #expect(
      comparison.final.map { "\($0.path) \($0.old?.text ?? "") \($0.new?.text ?? "")" } == [
        "/tally/share 0.6666666666666666 1", "/tally/total 2 3",
      ])
  }

  @Test(
    "what cannot be skipped or replaced is refused with the reason",
    arguments: [
      (
        UInt64(3),
        "step 3 is a follow-up of step 2, which dispatches it again; skip or replace that step"
      ),
      (9, "step 9 is not in the range to redispatch"),
      (1, "step 1 is not in the range to redispatch"),
    ])
  func refused(_ step: UInt64, _ message: String) throws {
    let timeline = try sample()
    let skip = #expect(throws: RedispatchError.self) {
      try Fork.redispatching(1..<8, of: timeline, in: tally(), skipping: [step])
    }
    #expect(skip?.description == message)
    let replace = #expect(throws: RedispatchError.self) {
      try Fork.redispatching(
        1..<8, of: timeline, in: tally(),
        replacing: [step: try ActionCoder().encode(TallyAction.reset)])
    }
    #expect(replace == skip)
  }

  @Test("a saved fork is a sound log that verifies, and leaves the recording as it is")
  func save() async throws {
    let timeline = try sample()
    let recording = try Data(contentsOf: folder.url("fork.jsonl"))
    let fork = try Fork.redispatching(
      1..<9, of: timeline, in: tally(), skipping: [6],
      replacing: [8: try ActionCoder().encode(TallyAction.chain(2))])
    try fork.dispatch(["type": "lamp/turnOff"], at: LogTime(microseconds: 9_000_000))
    let path = folder.url("saved.jsonl").path
    try fork.save(to: path, log: "saved")
    #expect(throws: LogError.self) { try fork.save(to: path, log: "saved") }
    let saved = try LogFile.open(path)
    try saved.waitForIndex()
    #expect(saved.findings == [])
    #expect(saved.header.first == 2)
    #expect(saved.count == fork.steps.count)
    let report = try await tally().verify(saved)
    #expect(report.text == "passed: \(path): 10 steps compared\n")
    #expect(try Timeline(saved).model(at: saved.count - 1).json == fork.model)
    #expect(try Data(contentsOf: folder.url("fork.jsonl")) == recording)
  }

  @Test("the states of a position are there as the stores have them")
  func states() throws {
    let timeline = try sample()
    let model = try tally().states(at: 4, of: timeline)
    #expect(model[TallyStore.self].total == 5)
    #expect(model[Lamp.self] == .on(brightness: 1))
    #expect(try tally().states(at: Timeline.start, of: timeline)[Lamp.self] == nil)
  }
}
