import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct SearchMoveTests {
  @Test("Until goes to the nearest step where an expression holds, in both directions")
  func until() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.json("until length(todos.items) > 1") == #"""
        {"command":"until length(todos.items) > 1","ok":true,"position":3,"result":{"step":3,"t":1.25,"action":{"type":"todo/add","payload":{"title":"eggs"}},"changed":["todos"],"stopped":"until"}}

        """#)
    #expect(
      inspection.stops([
        "u changed(search)", "u changed(search)", "until -r $.rejected", "until $.cause == 6 -r",
      ]) == [6, 7, 4, 4])
    #expect(
      try inspection.text("until $.n > 99") == """
        nothing found; still at
        4 todo/add {"title":""} +2s
          rejected by todos: invalid: a title is needed

        """)
    #expect(
      try inspection.json("until $.n > 99") == #"""
        {"command":"until $.n > 99","ok":true,"position":4,"result":{"step":4,"t":2,"action":{"type":"todo/add","payload":{"title":""}},"changed":[],"stopped":"none","rejected":{"reason":"invalid","message":"a title is needed","store":"todos"}}}

        """#)
    #expect(try inspection.exitCode("until $.n > 99") == 1)
    #expect(try inspection.exitCode("until $.n >") == 2)
    #expect(try inspection.exitCode("until") == 2)
  }

  @Test("Last goes to the newest change before here and first to the oldest; the start is none")
  func writes() throws {
    var inspection = try Inspection()
    #expect(
      inspection.stops([
        "end", "last todos.items", "last todos.items", "last todos.items", "last todos.items",
        "first search", "first todos.items[1].done", "last /todos/items/1/done",
      ]) == [8, 5, 3, 1, 1, 6, 3, 3])
    #expect(try inspection.exitCode("last /todos/items/1/done") == 1)
    #expect(
      try inspection.json("first todos.items") == #"""
        {"command":"first todos.items","ok":true,"position":1,"result":{"step":1,"t":0.5,"action":{"type":"todo/add","payload":{"title":"milk"}},"changed":["todos"],"stopped":"goto"}}

        """#)
    #expect(
      try inspection.text("last todos.itmes") == """
        nothing found; still at
        1 todo/add {"title":"milk"} +0.5s
          changed: todos
        note: no path todos.itmes at step 1; did you mean todos.items?

        """)
  }

  @Test("Bisect goes to the step where an expression turned true, and says when it did more often")
  func bisect() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.json("bisect $.n >= 5") == #"""
        {"command":"bisect $.n >= 5","ok":true,"position":5,"result":{"step":5,"monotone":true}}

        """#)
    #expect(
      try inspection.text("bisect $.n >= 1") == """
        1 todo/add {"title":"milk"} +0.5s
          changed: todos

        """)
    #expect(
      try inspection.json("bisect $.n < 5") == #"""
        {"command":"bisect $.n < 5","ok":true,"position":1,"result":{"step":null,"monotone":false}}

        """#)
    #expect(
      try inspection.text("bisect $.n < 5") == """
        the expression is false at the end of the log
        it is true at the start: bisect finds where it becomes true, not false

        """)
    #expect(try inspection.exitCode("bisect $.n < 5") == 1)
    #expect(
      try inspection.json("bisect length(todos.items) == 0") == #"""
        {"command":"bisect length(todos.items) == 0","ok":true,"position":0,"result":{"step":0,"monotone":true}}

        """#)
  }

  @Test("Bisect agrees with a look at every step where the expression turns true once")
  func bisectByHand() throws {
    var random = SeededGenerator()
    for _ in 0..<20 {
      let lines = RandomLog.lines(&random, steps: 60)
      var inspection = try Inspection(lines)
      let turn = UInt64.random(in: 0...61, using: &random)
      let expected = (try stepNumbers(of: inspection)).first { $0 >= turn }
      let code = try inspection.exitCode("bisect $.n >= \(turn)")
      #expect(code == (expected == nil ? 1 : 0), "seed \(SeededGenerator.seed)")
      #expect(inspection.session.stepNumber == expected ?? 0, "seed \(SeededGenerator.seed)")
    }
  }

  @Test("Last and first agree with a comparison of every two neighbours")
  func writesByHand() throws {
    var random = SeededGenerator()
    let path = try Path("b.items[0].n", dialect: .inspector)
    for _ in 0..<20 {
      let lines = RandomLog.lines(&random, steps: 40)
      var inspection = try Inspection(lines)
      let timeline = inspection.session.timeline
      var changes: [UInt64] = []
      var known: [JSON]? = []
      for position in timeline.positions {
        guard let nodes = try? path.nodes(in: timeline.document(at: position)) else { continue }
        let values = nodes.map(\.value)
        if position >= 0, values != known {
          changes.append(try #require(timeline.number(at: position)))
        }
        known = values
      }
      #expect(inspection.stops(["first b.items[0].n"]).first == changes.first ?? 0)
      let end = inspection.stops(["end"]).first
      var found: [UInt64?] = []
      while try inspection.exitCode("last b.items[0].n") == 0 {
        found.append(inspection.session.stepNumber)
      }
      #expect(
        found == changes.filter { $0 != end }.reversed(), "seed \(SeededGenerator.seed)")
    }
  }

  @Test("Play waits as long as the app did, and stops at the end, a stop point or an interruption")
  func play() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    #expect(
      try inspection.text("play 2") == """
        the end of the log
        8 todo/clear +10s
          changed: todos, search

        """)
    #expect(world.pauses == [0, 0.25, 0.125, 0.375, 0.5, 0.75, 0.125, 2.625])
    #expect(world.emitted == [1, 2, 3, 4, 5, 6, 7])
    #expect(inspection.stops(["undo", "break search/type", "play", "undo"]) == [0, 0, 7, 0])
    world.interruptAfter(pauses: 3)
    #expect(try inspection.text("play") == "note: interrupted\n")
    #expect(inspection.session.stepNumber == 2)
    for speed in ["0", "-1", "x", "inf", "nan"] {
      #expect(try inspection.exitCode("play \(speed)") == 2)
    }
  }

  @Test("Play waits for decades at most, however slow it is to be")
  func slowestPlay() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    #expect(try inspection.exitCode("play 1e-300") == 0)
    #expect(world.pauses.max() == 1e9)
  }

  @Test("For programs, play writes only where it ended")
  func playForPrograms() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    #expect(
      try inspection.json("play") == #"""
        {"command":"play","ok":true,"position":8,"result":{"step":8,"t":10,"action":{"type":"todo/clear"},"changed":["todos","search"],"stopped":"end"}}

        """#)
    #expect(world.emitted == [])
  }

  @Test("Browsing hands the session over, and ends where the user was")
  func browse() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    inspection.console.settings.color = .never
    #expect(
      try inspection.text("browse") == """
        8 todo/clear +10s
          changed: todos, search

        """)
    #expect(world.browsed?.color == .never)
    #expect(world.emitted == [])
    #expect(inspection.stops(["undo", "undo"]) == [2, 0])
    #expect(
      try inspection.json("browse") == #"""
        {"command":"browse","ok":true,"position":8,"result":{"step":8,"t":10,"action":{"type":"todo/clear"},"changed":["todos","search"],"stopped":"step"}}

        """#)
    var batch = try Inspection()
    #expect(
      try batch.text("browse") == """
        error: browse: this needs a terminal
        hint: use step and back

        """)
  }

  @Test("A filter moves to its nearest match on either side, by type or by expression")
  func nearest() throws {
    var session = try Inspection().session
    func stop(_ text: String, _ direction: SearchDirection = .forwards) throws -> String {
      let move = try session.move(toNearest: StepFilter(text), direction)
      return "\(move.step) \(move.stopped)"
    }
    #expect(try stop("search/*") == "6 until")
    #expect(try stop("search/*") == "7 until")
    #expect(try stop("search/*") == "7 none")
    #expect(try stop("length(todos.items) == 1", .backwards) == "2 until")
    #expect(try stop("todo/add", .backwards) == "1 until")
  }

  @Test(
    "A type with blanks and brackets is found and stopped at as it is, or in quotes",
    arguments: ["[Auth API] Log in", #""[Auth API] Log in""#])
  func typesWithBlanks(type: String) throws {
    var inspection = try Inspection([
      #"{"flux":"1.0","stores":{"auth":{"initial":1}}}"#,
      #"{"n":1,"t":0,"action":{"type":"[Auth API] Log in again"}}"#,
      #"{"n":2,"t":1,"action":{"type":"[Auth API] Log in"}}"#,
      #"{"n":3,"t":2,"action":{"type":"@auth/init"}}"#,
    ])
    #expect(try inspection.text("count \(type)") == "1\n")
    #expect(try inspection.text("find \(type) in 1..3") == "2 [Auth API] Log in +1s\n")
    #expect(inspection.stops(["until \(type)", "until @auth/init", "start"]) == [2, 3, 0])
    #expect(
      try inspection.text("break \(type) if auth == 1")
        == "1 breakpoint [Auth?API]?Log?in if auth == 1\n")
    #expect(inspection.walk("continue") == [2])
    #expect(inspection.session.savedCommands() == ["break [Auth?API]?Log?in if auth == 1"])
    #expect(
      try inspection.text("break [Auth API] Log out").hasPrefix("error: break: an action type"))
    #expect(try inspection.text("find [Auth API] Log out").hasPrefix("error: find: column 1"))
  }

  private func stepNumbers(of inspection: Inspection) throws -> [UInt64] {
    let log = inspection.session.timeline.log
    try log.waitForIndex()
    return (0..<log.count).compactMap { log.number(at: $0) }
  }
}
