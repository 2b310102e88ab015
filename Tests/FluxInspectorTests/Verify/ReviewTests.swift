import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import Testing

@testable import FluxCorpus

@Suite("Reviews of logs that diverged")
struct ReviewTests {
  /// A divergence of a log at a path, a step and an action.
  private static func divergence(_ path: String, step: UInt64, _ type: String) throws -> Divergence
  {
    var divergence = Divergence(
      .different, step: step, action: ["type": JSON(stringLiteral: type)], recorded: " a",
      replayed: "a")
    divergence.store = "todos"
    divergence.path = try Pointer(path)
    return divergence
  }

  private static func log(_ name: String, _ divergences: [Divergence]) -> VerifiedLog {
    var report = ReplayReport(log: name)
    report.steps = 9
    report.divergences = divergences
    return VerifiedLog(log: name, outcome: .report(report))
  }

  private static func suite() throws -> VerifiedSuite {
    VerifiedSuite(
      began: LogInstant(microseconds: 0), seconds: 1,
      logs: [
        log("a", [try divergence("/todos/next", step: 1, "todo/add")]),
        log("b", []),
        log(
          "c",
          [
            try divergence("/todos/items/0/title", step: 2, "todo/add"),
            try divergence("/todos/items/11/title", step: 7, "todo/add"),
            try divergence("/todos/next", step: 3, "todo/add"),
          ]),
        log("d", [try divergence("/todos/items/5/title", step: 4, "todo/add")]),
        log("e", [try divergence("/todos/items/5/title", step: 4, "todo/rename")]),
      ])
  }

  @Test("groups divergences by place, with * for indexes, and by action")
  func groups() throws {
    let groups = try Self.suite().divergenceGroups
    #expect(
      groups.map { "\($0.number) \($0.sentence): \($0.logs.joined(separator: " "))" } == [
        "1 /todos/next differs after todo/add: a c",
        "2 /todos/items/*/title differs after todo/add: c d",
        "3 /todos/items/*/title differs after todo/rename: e",
      ])
    #expect(groups[1].members[0].divergences.map(\.step) == [2, 7])
  }

  @Test("places and actions whose names only look the same are in groups of their own")
  func lookAlikeGroups() throws {
    let found = try [("\u{E9}", "a"), ("e\u{301}", "a"), ("x", "\u{E9}"), ("x", "e\u{301}")].map {
      Self.log("\($0) \($1)", [try Self.divergence("/todos/\($0)", step: 1, $1)])
    }
    let suite = VerifiedSuite(began: LogInstant(microseconds: 0), seconds: 1, logs: found)
    #expect(suite.divergenceGroups.map(\.logs.count) == [1, 1, 1, 1])
  }

  @Test("logs whose names only look the same are decided about one by one")
  func accents() throws {
    let names = ["\u{E9}", "e\u{301}"]
    let suite = VerifiedSuite(
      began: LogInstant(microseconds: 0), seconds: 1,
      logs: try names.map {
        Self.log($0, [try Self.divergence("/todos/next", step: 1, "todo/add")])
      })
    var review = Review(suite.divergenceGroups)
    review.decide(.accepted)
    #expect(review.logs.count == 2)
    #expect(names.map { review.decision(about: $0) } == [.accepted, nil])
    #expect(names.map { review.groupsHolding($0) } == [[], [1]])
  }

  @Test("a divergence that follows from an earlier one is in the group of that one")
  func consequences() throws {
    var follows = try Self.divergence("/todos/undo/0", step: 3, "todo/undo")
    follows.follows = 2
    var report = ReplayReport(log: "a")
    report.divergences = [
      try Self.divergence("/todos/items/0/title", step: 2, "todo/add"), follows,
      try Self.divergence("/todos/items/0/done", step: 4, "todo/toggle"),
    ]
    let suite = VerifiedSuite(
      began: LogInstant(microseconds: 0), seconds: 1,
      logs: [VerifiedLog(log: "a", outcome: .report(report))])
    #expect(
      suite.divergenceGroups.map(\.sentence) == [
        "/todos/items/*/title differs after todo/add",
        "/todos/items/*/done differs after todo/toggle",
      ])
    #expect(suite.divergenceGroups[0].members[0].divergences.map(\.step) == [2, 3])
  }

  private func accepted(in review: Review) -> [String] {
    review.logs.filter { review.decision(about: $0) == .accepted }
  }

  @Test("a log is accepted if it is accepted in all its groups, and rejected if it is so in one")
  func decisions() throws {
    var review = Review(try Self.suite().divergenceGroups)
    review.decide(.accepted, group: 1)
    #expect(accepted(in: review) == ["a"])
    #expect(review.groupsHolding("c") == [2])
    #expect(review.summary == "4 logs: 1 accepted, 3 undecided")
    review.decide(.accepted, group: 2)
    #expect(accepted(in: review) == ["a", "c", "d"])
    review.decide(.rejected, group: 1)
    #expect(
      review.logs.map { review.decision(about: $0) } == [.rejected, .rejected, .accepted, nil])
    #expect(review.summary == "4 logs: 1 accepted, 2 rejected, 1 undecided")
  }

  @Test("a decision goes to the next item without one, and walking stops at the ends")
  func walking() throws {
    var review = Review(try Self.suite().divergenceGroups)
    let movesBack = review.move(.previous)
    #expect(!movesBack)
    review.decide(.accepted)
    #expect((review.position, review.member.log) == (1, "c"))
    let movesOn = review.moveGroup(.next)
    #expect(movesOn)
    #expect((review.position, review.group.number) == (2, 2))
    review.decideGroup(.skipped)
    #expect((review.position, review.member.log) == (4, "e"))
    let movesOver = review.moveGroup(.next)
    #expect(!movesOver)
    review.decide(.rejected)
    #expect((review.position, review.isComplete) == (1, false))
    review.decide(.rejected)
    #expect((review.position, review.isComplete) == (1, true))
    let movesHome = review.move(.previous)
    #expect(movesHome)
    #expect(review.decisions == [.accepted, .rejected, .skipped, .skipped, .rejected])
  }
}
