import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Replay of steps whose states the recorder left out: compared where known, rebuilt where not.
@Suite struct UnwrittenStateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func use(_ dispatcher: Dispatcher) {
    dispatcher.dispatch(TallyAction.add(2))  // 1
    dispatcher.dispatch(TallyAction.chain(2))  // 2, and 3, 4
    dispatcher.dispatch(Lamp.Action.turnOn)  // 5
    dispatcher.dispatch(TallyAction.refuse)  // 6
    dispatcher.dispatch(Lamp.Action.brighten)  // 7
    dispatcher.dispatch(Lamp.Action.turnOff)  // 8
    dispatcher.dispatch(TallyAction.add(3))  // 9
  }

  /// The recorded models, all of them written.
  private func models() throws -> [RecordedModel] {
    let folder = try TemporaryFolder()
    let (whole, _) = try recordCrash(
      in: folder, afterLines: 0, options: { $0.log.states = .full }, Self.use)
    return try (0..<9).map { try whole.model(at: $0) }
  }

  /// Records a log, and leaves out the states of some steps as a recorder does that is behind.
  private func thinned(_ steps: Set<Int>, lines count: Int = 11) throws -> Timeline {
    let (whole, _) = try recordCrash(
      in: folder, afterLines: 0, options: { $0.log.states = .full }, Self.use)
    var lines = try String(contentsOfFile: whole.log.path, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    for step in steps {
      let line = try JSON.parse(lines[step])
      let states = try #require(line["states"]).members.map(\.name)
      let members = line.members.compactMap { member -> String? in
        switch member.name {
        case "sum": nil
        case "states": #""unwritten":["# + states.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        default: "\"\(member.name)\":\(member.value.text)"
        }
      }
      lines[step] = "{\(members.joined(separator: ","))}"
    }
    let crashed = folder.url("crashed.jsonl")
    try (lines.prefix(count).joined(separator: "\n") + "\n")
      .write(to: crashed, atomically: true, encoding: .utf8)
    return Timeline(try LogFile.open(crashed.path))
  }

  @Test(
    "verify goes on over unwritten states, compares the next written ones, and counts the others")
  func verified() async throws {
    let log = try thinned([1, 3, 5, 7]).log
    #expect(
      try await tally().verify(log).text == """
        passed: \(log.path): 9 steps compared
          note: 4 states not compared: the recorder was behind and did not write them; replay continues from its own state, and compares the next one that is written

        """)
  }

  @Test("a divergence in an unwritten state shows where the store is next written")
  func next() async throws {
    // Steps 1 to 4 change the tally, and only the last one has its state.
    let log = try thinned([1, 3]).log
    var rules = TallyRules()
    rules.divisor = 4
    let report = try await tally(rules).verify(log)
    #expect(report.divergences.map(\.step) == [4])
  }

  @Test("verify of steps that follow an unwritten state begins where all states are known")
  func part() async throws {
    let log = try thinned([3, 5, 7]).log
    for start in 0..<log.count {
      var options = Verification.Options()
      options.range = start..<log.count
      let report = try await tally().verify(log, options: options)
      #expect(report.verdict == .passed, "from \(start)")
      #expect(report.steps == log.count - [0, 1, 2, 2, 4, 4, 4, 4, 8][start], "from \(start)")
    }
  }

  @Test(
    "a store that changes while its state is not written, or changes at no recorded step, differs")
  func unlisted() async throws {
    let url = folder.url("unlisted.jsonl")
    try """
    {"flux":"1.1","seed":"0000000000000007","stores":{"tally":{"initial":{"dice":0,"notes":[],"share":0,"total":0}}}}
    {"n":1,"t":0,"action":{"type":"tally/note","payload":{"_0":"a"}},"unwritten":["tally"]}
    {"n":2,"t":0,"action":{"type":"tally/note","payload":{"_0":"b"}}}

    """.write(to: url, atomically: true, encoding: .utf8)
    let report = try await tally().verify(LogFile.open(url.path))
    #expect(report.divergences.map(\.step) == [2])
    #expect(report.divergences.map(\.path?.description) == ["/tally/notes/1"])
  }

  @Test("a fork begins in states that the steps before it rebuild")
  func fork() throws {
    let expected = try models()[6].json
    let timeline = try thinned([3, 5, 7])
    #expect(try timeline.model(at: 6).unknownStores == ["lamp"])
    let fork = try Fork(at: 6, of: timeline, in: tally())
    #expect(fork.model == expected)
    #expect(try fork.dispatch(["type": "lamp/brighten"]).first?.rejection == nil)
    #expect(fork.model["lamp"] == ["on": ["brightness": 3]])
  }

  @Test("update fills in what was not written")
  func update() throws {
    let models = try models()
    let timeline = try thinned([1, 3, 5, 7])
    let result = try RecordingUpdate(of: timeline, in: tally(), options: .init(environment: [:]))
      .write(to: timeline.log.path)
    #expect(result == RecordingUpdate.Result(steps: 9, changedSteps: 4))
    let updated = Timeline(try LogFile.open(timeline.log.path))
    for position in 0..<9 { #expect(try updated.model(at: position).json == models[position].json) }
  }

  @Test(
    "a crash while states are not written: the steps in flight are rebuilt from the last known ones"
  )
  func crash() async throws {
    let models = try models()
    // The lines end with steps 7, whose states and those of step 5 are not there.
    let crashed = try thinned([5, 7], lines: 8)
    let copy = folder.url("copy.jsonl")
    let report = try CrashRepair(of: crashed, in: tally()).write(to: copy.path)
    #expect(report.rebuiltSteps == 2)
    #expect(
      report.notes == [
        "the state of lamp is not written in the last steps: the steps after step 4 ran again to rebuild it"
      ])
    let repaired = Timeline(try LogFile.open(copy.path))
    #expect(
      try repaired.check().map(\.problem) == [.missingSum(lines: 2), .recordingFailed])
    for position in 7..<9 {
      #expect(try repaired.model(at: position).json == models[position].json)
    }
    #expect(try await tally().verify(repaired.log).verdict == .passed)
  }

  /// Counts the actions of each call.
  private struct CountingApp: ReplayApp {
    let base: AppDefinition<Never, Never>
    let counts: CallCounts

    func describe() throws(ReplayFailure) -> AppDescription { try base.describe() }
    func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
      CountingSession(base: try base.start(start), counts: counts)
    }
  }

  /// The number of actions in each call; one test uses it from one thread.
  private final class CallCounts: @unchecked Sendable {
    var all: [Int] = []
  }

  private final class CountingSession: ReplaySession {
    let base: any ReplaySession
    let counts: CallCounts

    init(base: any ReplaySession, counts: CallCounts) {
      (self.base, self.counts) = (base, counts)
    }

    func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
      counts.all.append(actions.count)
      return try base.dispatch(actions)
    }
    func states() throws(ReplayFailure) -> StoreDictionary<JSON> { try base.states() }
    func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
      try base.upcast(states)
    }
    func end() { base.end() }
  }

  @Test("states that are not written are rebuilt one action at a time, so one answer is in memory")
  func large() throws {
    let url = folder.url("large.jsonl")
    let note = String(repeating: "x", count: 300_000)
    let steps = (1...20).map {
      #"{"n":\#($0),"t":0,"action":{"type":"tally/add","payload":{"_0":1}},"unwritten":["tally"]}"#
    }
    let header =
      #"{"flux":"1.1","seed":"0000000000000007","stores":{"tally":{"initial":{"dice":0,"notes":["\#(note)"],"share":0,"total":0}}}}"#
    try ([header] + steps + [""]).joined(separator: "\n")
      .write(to: url, atomically: true, encoding: .utf8)
    let counts = CallCounts()
    let fork = try Fork(
      at: 19, of: Timeline(try LogFile.open(url.path)),
      in: CountingApp(base: tally(), counts: counts))
    #expect(fork.model["tally"]?["total"] == 20)
    #expect(counts.all == Array(repeating: 1, count: 20))
  }
}
