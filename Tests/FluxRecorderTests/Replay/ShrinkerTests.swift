import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct ShrinkerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A thousand actions, of which some bring the notes about.
  private func sample(notes: [Int], of count: Int = 1000) throws -> Timeline {
    let log = try record(to: folder.url("long.jsonl")) { dispatcher in
      for number in 1...count {
        if notes.contains(number) {
          dispatcher.dispatch(TallyAction.note("n\(number)"))
        } else {
          dispatcher.dispatch(TallyAction.add(number))
        }
      }
    }
    try log.waitForIndex()
    return Timeline(log)
  }

  @Test("the three of a thousand actions that matter are found in less than three hundred runs")
  func three() throws {
    let timeline = try sample(notes: [41, 400, 987])
    let expression = try QueryExpression("length(tally.notes) >= 3")
    let result = try #require(
      try Shrinker(0..<1000, of: timeline, in: tally())
        .run { fork in try expression.holds(for: fork.document) })
    #expect(result.kept == [41, 400, 987])
    #expect(result.isMinimal)
    #expect(result.runs <= 300)
    #expect(result.actions == 1000)
    #expect(result.fork.steps.map(\.number) == [1, 2, 3])
    #expect(result.fork.model["tally"]?["notes"] == ["n41", "n400", "n987"])
  }

  @Test("a follow-up goes with the step that asks for it, and cannot be kept alone")
  func followUps() throws {
    let log = try record(to: folder.url("follow.jsonl")) { dispatcher in
      dispatcher.dispatch(TallyAction.add(5))  // 1
      dispatcher.dispatch(TallyAction.chain(3))  // 2, and 3 to 5
      dispatcher.dispatch(TallyAction.refuse)  // 6
      dispatcher.dispatch(TallyAction.note("x"))  // 7
    }
    try log.waitForIndex()
    let result = try #require(
      try Shrinker(0..<7, of: Timeline(log), in: tally())
        .run { fork in (fork.model["tally"]?["total"]?.number?.int64 ?? 0) >= 6 })
    #expect(result.kept == [2])
    #expect(result.actions == 4)
    #expect(result.fork.steps.count == 4)
  }

  @Test("what does not hold after all actions is not searched for")
  func never() throws {
    let timeline = try sample(notes: [], of: 5)
    #expect(
      try Shrinker(0..<5, of: timeline, in: tally())
        .run { fork in fork.model["tally"]?["total"] == 1 } == nil)
  }

  @Test("a search that is ended gives the best so far, and says that it may not be the shortest")
  func ended() throws {
    let timeline = try sample(notes: [7, 40], of: 60)
    let result = try #require(
      try Shrinker(0..<60, of: timeline, in: tally())
        .run(goesOn: { runs, _ in runs < 6 }) { fork in
          fork.model["tally"]?["notes"]?.count == 2
        })
    #expect(result.runs == 6)
    #expect(!result.isMinimal)
    #expect(result.kept.contains(7) && result.kept.contains(40) && result.kept.count < 60)
  }

  @Test("an expression sees the last step of the fork, its action and the states before it")
  func document() throws {
    let timeline = try sample(notes: [7, 9], of: 9)
    let fork = try Fork(at: 5, of: timeline, in: tally())
    let atStart = try fork.document.json()
    #expect(atStart["n"] == 6)
    #expect(atStart["action"] == nil)
    #expect(atStart["state"]?["tally"]?["total"] == 21)
    try fork.dispatch(["type": "tally/note", "payload": ["_0": "x"]])
    for text in [
      "$.n == 7", "$.action.type == 'tally/note'", "changed(tally.notes)",
      "length(was(tally.notes)) == 0", "length(tally.notes) == 1", "$.changed[0] == 'tally'",
    ] {
      #expect(try QueryExpression(text).holds(for: fork.document), "\(text)")
    }
    try fork.dispatch(["type": "tally/refuse"])
    #expect(try QueryExpression("$.rejected.reason == 'refused'").holds(for: fork.document))
  }
}

extension Fork {
  /// The last step as a document for queries.
  fileprivate var document: QueryDocument { history.document(afterSteps: steps.count) }
}
