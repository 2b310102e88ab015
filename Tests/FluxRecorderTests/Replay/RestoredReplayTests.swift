import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Forks, searches and updates of a recording whose app went back to an earlier model before step 3.
@Suite struct RestoredReplayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var url: URL { folder.url("restored.jsonl") }

  /// The totals after the steps are 1, 3, 5 and 9.
  private func sample() throws -> LogFile {
    let log = try record(to: url) { dispatcher in
      dispatcher.dispatch(TallyAction.add(1))  // 1
      let model = dispatcher.model
      dispatcher.dispatch(TallyAction.add(2))  // 2
      try dispatcher.restore(model)
      dispatcher.dispatch(TallyAction.add(4))  // 3
      dispatcher.dispatch(TallyAction.chain(1))  // 4, and 5
    }
    try log.waitForIndex()
    return log
  }

  /// The same with a gap that lists the states, of a total of 10, so that the next total is 14.
  private func listed() throws -> LogFile {
    _ = try sample()
    let log = try edit(url, line: 4) {
      $0.replacing(
        #","step":1}}"#,
        with: #"},"states":{"tally":{"total":10,"notes":[],"dice":0,"share":0}}}"#)
    }
    let lines = try linesWithoutSums(URL(filePath: log.path)).map { line in
      line.replacing(#""total":5"#, with: #""total":14"#)
        .replacing(#""share":1.6666666666666667"#, with: #""share":4.666666666666667"#)
    }
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: log.path, atomically: true, encoding: .utf8)
    return try LogFile.open(log.path)
  }

  private func totals(_ log: LogFile) throws -> [Int64?] {
    try log.waitForIndex()
    let timeline = Timeline(log)
    return try (0..<log.count).map {
      try timeline.state(of: "tally", at: $0)?["total"]?.number?.int64
    }
  }

  private func total(_ fork: Fork) -> JSON? { fork.model["tally"]?["total"] }

  @Test("a fork before the step begins in the model that the app went back to")
  func fork() throws {
    let timeline = Timeline(try sample())
    let before = try Fork(before: 2, of: timeline, in: tally())
    #expect(total(before) == 1)
    #expect(before.history.position == 1)
    let comparison = try before.compare()
    #expect(comparison.isSame)
    #expect(comparison.lastRecordedStep == 1)
    #expect(try before.dispatch(["type": "tally/stamp"]).map(\.number) == [3])
    #expect(total(try Fork(leaving: before, afterSteps: 0)) == 1)
    // Elsewhere it is a fork after the step before; after that step, the app had its own states still.
    #expect(total(try Fork(before: 1, of: timeline, in: tally())) == 1)
    #expect(total(try Fork(at: 1, of: timeline, in: tally())) == 3)
    for position in [Int.min, -1, timeline.log.count + 1, .max] {
      #expect(throws: LogError.self) { try Fork(before: position, of: timeline, in: tally()) }
    }
  }

  @Test("steps that are dispatched again begin in that model, and lead to the recorded states")
  func redispatch() throws {
    let timeline = Timeline(try sample())
    for range in [0..<2, 2..<3, 2..<5, 3..<5] {
      let fork = try Fork.redispatching(range, of: timeline, in: tally())
      #expect(try fork.compare().isSame, "\(range)")
    }
    var rules = TallyRules()
    rules.factor = 2
    let changed = try Fork.redispatching(2..<3, of: timeline, in: tally(rules)).compare()
    #expect(changed.first?.step == 3)
    #expect(changed.first?.changes.map(\.path.description) == ["/tally/share", "/tally/total"])
  }

  @Test("a range that goes on past that place is refused, and what to do is said")
  func refused() throws {
    let timeline = Timeline(try sample())
    let sentence =
      "before step 3 the app went back to another model, which a fork cannot do; redispatch the steps from 3 on, or "
      + "those before it"
    for range in [0..<5, 1..<3] {
      #expect {
        try Fork.redispatching(range, of: timeline, in: tally())
      } throws: {
        "\($0)" == sentence
      }
    }
    let refusal = #expect(throws: RedispatchError.self) {
      try Shrinker(0..<5, of: timeline, in: tally()).run { _ in true }
    }
    #expect(refusal?.reason == .wentBack)
  }

  @Test("a search begins in that model")
  func shrink() throws {
    let timeline = Timeline(try sample())
    let result = try #require(
      try Shrinker(2..<5, of: timeline, in: tally()).run { total($0) == 6 })
    #expect(result.kept == [3, 4])
    #expect(try Shrinker(2..<5, of: timeline, in: tally()).run { total($0) == 7 } == nil)
  }

  private func update(_ log: LogFile, _ rules: TallyRules = TallyRules()) async throws -> Int {
    let result = try RecordingUpdate(
      of: Timeline(log), in: tally(rules), options: .init(environment: [:])
    ).write(to: log.path)
    let written = try LogFile.open(log.path)
    #expect(try Timeline(written).check() == [])
    #expect(try await tally(rules).verify(written).verdict == .passed)
    return result.changedSteps
  }

  @Test("an update goes back to the new states after the step that the gap names")
  func update() async throws {
    let log = try sample()
    let before = try linesWithoutSums(url)
    #expect(try await update(log) == 0)
    #expect(try linesWithoutSums(url) == before)
    var rules = TallyRules()
    rules.factor = 2
    #expect(try await update(LogFile.open(url.path), rules) == 4)
    #expect(try totals(LogFile.open(url.path)) == [2, 6, 10, 10, 12])
    #expect(try linesWithoutSums(url)[3] == before[3])
  }

  @Test("an update goes back to the states that the gap lists, which stay")
  func updateOfListedStates() async throws {
    let log = try listed()
    #expect(try totals(log).prefix(3) == [1, 3, 14])
    let before = try linesWithoutSums(URL(filePath: log.path))
    // The listed total leads to another one after the follow-up.
    #expect(try await update(log) == 1)
    #expect(try totals(LogFile.open(log.path)) == [1, 3, 14, 14, 15])
    #expect(try await update(LogFile.open(log.path)) == 0)
    #expect(try linesWithoutSums(URL(filePath: log.path))[3] == before[3])
    var rules = TallyRules()
    rules.factor = 3
    #expect(try await update(LogFile.open(log.path), rules) == 4)
    #expect(try totals(LogFile.open(log.path)) == [3, 9, 22, 22, 25])
    #expect(try linesWithoutSums(URL(filePath: log.path))[3] == before[3])
  }

  @Test("only the first step after the place has other states, and an update mends that")
  func firstStep() async throws {
    _ = try sample()
    let log = try edit(url, line: 5) { $0.replacing(#""total":5"#, with: #""total":7"#) }
    #expect(try await tally().verify(log).divergences.map(\.step) == [3])
    #expect(try await update(log) > 0)
    #expect(try totals(LogFile.open(log.path)) == [1, 3, 5, 5, 6])
  }

  @Test("such a recording is not recorded again from its actions alone")
  func rerecord() throws {
    var rules = TallyRules()
    rules.followUps = .none
    let update = RecordingUpdate(
      of: Timeline(try sample()), in: tally(rules), options: .init(environment: [:]))
    let before = try linesWithoutSums(url)
    let error = #expect(throws: UpdateError.self) { try update.rerecord(to: url.path) }
    #expect(
      error?.summary
        == "the app went back to another model before step 3, which its actions alone do not repeat; record it again"
    )
    #expect(try linesWithoutSums(url) == before)
  }

  @Test("an update writes the states that an imported file did not have")
  func imported() async throws {
    let log = try record(to: url) { dispatcher in
      for amount in 1...4 { dispatcher.dispatch(TallyAction.add(amount)) }
    }
    var lines = try linesWithoutSums(URL(filePath: log.path))
    for line in 2...3 { lines[line] = lines[line].replacing(#/,"(states|patches)":.*/#, with: "}") }
    lines.insert(#"{"gap":{"from":2,"to":1,"why":"imported"}}"#, at: 2)
    try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
    var rules = TallyRules()
    rules.factor = 2
    let imported = try LogFile.open(url.path)
    #expect(try await tally(rules).verify(imported).verdict == .diverged)
    #expect(try await update(imported, rules) == 4)
    #expect(try totals(LogFile.open(url.path)) == [2, 6, 12, 20])
    #expect(try linesWithoutSums(url)[2] == lines[2])
  }
}
