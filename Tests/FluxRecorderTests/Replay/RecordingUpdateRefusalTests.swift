import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct RecordingUpdateRefusalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sample() throws -> URL {
    let url = folder.url("sample.jsonl")
    _ = try record(to: url) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))
      dispatcher.dispatch(TallyAction.chain(2))
      dispatcher.dispatch(Lamp.Action.turnOn)
    }
    return url
  }

  /// Tries to update a log that is to stay as it is; returns why that was refused.
  private func refusal(
    _ url: URL, _ app: AppDefinition<Never, Never> = tally(), environment: [String: String] = [:],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> String {
    let before = try Data(contentsOf: url)
    let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
      try RecordingUpdate(
        of: Timeline(LogFile.open(url.path)), in: app, options: .init(environment: environment)
      ).write(to: url.path)
    }
    #expect(try Data(contentsOf: url) == before, sourceLocation: sourceLocation)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: url.deletingLastPathComponent().path)
    #expect(!names.contains { $0.hasSuffix(".unfinished") }, sourceLocation: sourceLocation)
    return "\(error.map { "\($0)" } ?? "nothing")".replacing(
      url.deletingLastPathComponent().path + "/", with: "")
  }

  @Test("nothing is written where CI is set")
  func continuousIntegration() throws {
    #expect(
      try refusal(sample(), environment: ["CI": "true"])
        == "sample.jsonl: not updated: CI is set, so nobody would review the "
        + "changes; update it on your own machine and commit it")
  }

  @Test("a reducer that keeps whole seconds is found, although one second has many replays")
  func clock() throws {
    let url = folder.url("clock.jsonl")
    _ = try record([SecondsStore { 0 }], to: url) { $0.dispatch(SecondsAction.take) }
    let said = try refusal(
      url, AppDefinition { [SecondsStore { Int(Date().timeIntervalSince1970) }] })
    let why = "clock.jsonl: not updated: the app does not reach the states again "
    #expect(said.hasPrefix(why), "\(said)")
  }

  @Test("a log with damage is refused")
  func damage() throws {
    let url = try sample()
    let text = try String(contentsOf: url, encoding: .utf8)
    try text.replacing(#""_0":2"#, with: #""_0":3"#).write(
      to: url, atomically: true, encoding: .utf8)
    let said = try refusal(url)
    #expect(said.hasPrefix("sample.jsonl: not updated: line 2, step 1, byte "))
    #expect(said.hasSuffix("; repair the log, or record it again"))
    try text.dropLast(5).write(to: url, atomically: true, encoding: .utf8)
    #expect(try refusal(url).hasPrefix("sample.jsonl: not updated: line 7, "))
  }

  @Test("a log with steps that a repair has left out is refused")
  func repaired() throws {
    let url = try sample()
    let text = try String(contentsOf: url, encoding: .utf8)
    try text.replacing(#""_0":2"#, with: #""_0":3"#, maxReplacements: 1).write(
      to: url, atomically: true, encoding: .utf8)
    let copy = folder.url("copy.jsonl")
    _ = try Timeline(LogFile.open(url.path)).repair(to: copy.path)
    #expect(
      try refusal(copy)
        == "copy.jsonl:2: not updated: step 1 is damaged, so the states after it are unknown; "
        + "record it again")
  }

  @Test("an app without one of the actions is refused, and one that cannot read an action")
  func actions() throws {
    let url = try sample()
    #expect(
      try refusal(url, AppDefinition { [TallyStore()] })
        == "sample.jsonl: not updated: no store handles \"lamp/turnOn\", the action of step 5; if it was "
        + "renamed, add an alias to the app's Evolution; if it was removed, drop it there")
    let text = try String(contentsOf: url, encoding: .utf8)
    let lines = text.components(separatedBy: "\n").map { line in
      line.replacing(#"tally/chain","payload":{"_0":2}"#, with: #"tally/chain","payload":{}"#)
        .replacing(/,"sum":"[0-9a-f]{8}"}$/, with: "}")
    }
    try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
    let said = try refusal(url)
    #expect(
      said.hasPrefix(
        "sample.jsonl: step 2: not updated: the app cannot decode tally/chain: the payload of"))
    #expect(
      said.hasSuffix("; add an alias or an upcaster to the app's Evolution, or record it again"))
  }

  @Test("an app that follows up otherwise is refused: other states do not make that pass")
  func followUps() throws {
    var rules = TallyRules()
    rules.followUps = .one
    #expect(
      try refusal(sample(), tally(rules)).hasPrefix(
        """
        sample.jsonl: not updated: the app dispatches follow-ups that differ from the recorded ones, and an update \
        rewrites only states; record it again
        diverged: sample.jsonl: 1 divergence, 4 steps compared
        """))
  }

  @Test("an app that no longer starts an effect which dispatched a recorded step is refused")
  func effects() async throws {
    let url = folder.url("sample.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()], seed: 7)
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    await dispatcher.run(TallyAction.fetch)
    try recorder.close()
    var rules = TallyRules()
    rules.fetches = "load"
    #expect(
      try refusal(url, tally(rules)) == """
        sample.jsonl: step 1: not updated: tally/fetch no longer starts the effect fetch, which dispatched a \
        recorded step; record it again
        """)
  }

  @Test("an app that takes something from elsewhere at each run is refused")
  func hiddenInput() throws {
    var rules = TallyRules()
    rules.makesIdentifiers = true
    let url = folder.url("stamp.jsonl")
    _ = try record(to: url) { $0.dispatch(TallyAction.stamp) }
    #expect(try refusal(url, tally(rules)).contains("at /tally/id"))
  }

  @Test("a log that is being recorded is refused")
  func recording() throws {
    let url = folder.url("live.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    dispatcher.dispatch(TallyAction.add(1))
    try recorder.flush()
    #expect(
      try refusal(url)
        == "live.jsonl: another recorder or update is writing this log; let it end first, or write to another file"
    )
    try recorder.close()
  }

  @Test("a file that has taken the place of the log since it was opened is not written over")
  func replaced() throws {
    let url = try sample()
    let timeline = Timeline(try LogFile.open(url.path))
    try Data("another".utf8).write(to: url, options: .atomic)
    #expect(throws: LogError(path: url.path, reason: .changed)) {
      try RecordingUpdate(of: timeline, in: tally(), options: .init(environment: [:])).write(
        to: url.path)
    }
    #expect(try Data(contentsOf: url) == Data("another".utf8))
  }

  private func leftovers(beside url: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(url.lastPathComponent + ".") }
  }

  @Test("killed on the way, it leaves the log as it was, and another update is not in its way")
  func killed() async throws {
    let url = try sample()
    let before = try Data(contentsOf: url)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = url.path as String] in
      var rules = TallyRules()
      rules.factor = 2
      try RecordingUpdate(
        of: Timeline(LogFile.open(path)), in: tally(rules), options: .init(environment: [:])
      ).write(to: path) { done, total in
        // All is written beside the log, and being verified.
        if done > total / 2 { kill(getpid(), SIGKILL) }
      }
    }
    #expect(try Data(contentsOf: url) == before)
    #expect(try leftovers(beside: url).count == 1)
    var rules = TallyRules()
    rules.factor = 2
    let result = try RecordingUpdate(
      of: Timeline(LogFile.open(url.path)), in: tally(rules), options: .init(environment: [:])
    ).write(to: url.path)
    #expect(result == .init(steps: 5, changedSteps: 3))
    #expect(try leftovers(beside: url) == [])
  }

  @Test(
    "a log is not recorded again if its actions alone do not lead to its states",
    arguments: [
      (
        true,
        "paused.jsonl: step 3: not updated: steps before step 3 are not in the log, so its actions alone do not "
          + "lead to its states; record it again"
      ),
      (
        false,
        "paused.jsonl: not updated: the log is a segment, and a new recording of it would not belong to the next "
          + "one; record them again"
      ),
    ])
  func recordedAgain(pauses: Bool, expected: String) throws {
    let url = folder.url("paused.jsonl")
    let recorder = Recorder(to: url)
    var state = Tally()
    recorder.start(states: ["tally": state])
    func note(_ text: String) {
      state.notes.append(text)
      recorder.record(TallyAction.note(text), states: ["tally": state])
    }
    note("a")
    if pauses { recorder.pause() }
    note("b")
    if pauses { recorder.resume() }
    note("c")
    try recorder.close()
    if !pauses {
      let lines = try linesWithoutSums(url).map {
        $0.replacing(#""ok":true"#, with: #""ok":true,"continued":true"#)
      }
      try Data(lines.joined(separator: "\n").utf8 + [0x0A]).write(to: url)
    }
    let before = try Data(contentsOf: url)
    let update = RecordingUpdate(
      of: Timeline(try LogFile.open(url.path)), in: AppDefinition { [TallyStore()] },
      options: .init(environment: [:]))
    let error = #expect(throws: UpdateError.self) { try update.rerecord(to: url.path) }
    let folder = url.deletingLastPathComponent().path + "/"
    #expect(error?.description.replacing(folder, with: "") == expected)
    #expect(try Data(contentsOf: url) == before)
  }
}

private enum SecondsAction: Action { case take }

/// Keeps seconds from outside.
private struct SecondsStore: Store {
  struct State: StateValue { var seconds = 0 }

  let id: StoreID = "seconds"
  let initialState = State()
  let read: @Sendable () -> Int

  func reduce(_ state: inout State, _ action: SecondsAction, _ step: inout Step) {
    state.seconds = read()
  }
}
