import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem
import TestFixtures
import Testing

/// The typed API, as another module sees it.
@Suite struct SessionTests {
  private let folder: TemporaryFolder
  private let log: LogFile

  init() throws {
    folder = try TemporaryFolder()
    let path = try folder.write(TodoLog.lines.map { $0 + "\n" }.joined().utf8, to: "log.jsonl")
    log = try LogFile.open(path)
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try LogEncoder(order: .declaration).bytes(of: value), as: UTF8.self)
  }

  @Test("Moves return where they ended, and can be undone")
  func moves() throws {
    var session = Session(log)
    let move = try session.move(to: .step(5))
    #expect(move.step == StepNumber(5) && move.stopped == .goto)
    #expect(try session.step(99).notes == ["stopped at the end, after 3 of 99 steps"])
    #expect(try session.undo().step == StepNumber(5))
    #expect(try session.moveToStart().stopped == .start)
    #expect(throws: CommandError.self) { try session.move(to: .step(99)) }
    #expect(session.position == Timeline.start)
    #expect(
      try text(session.step())
        == #"{"step":1,"t":0.5,"action":{"type":"todo/add","payload":{"title":"milk"}},"changed":["todos"],"stopped":"step"}"#
    )
  }

  @Test("Numbers and positions at the ends of their types are as good as any")
  func extremes() throws {
    var session = Session(log)
    _ = try session.move(to: .step(2))
    #expect(try session.moveToCause(0).step == StepNumber(2))
    #expect(try session.moveToCause(.max).step == StepNumber(1))
    #expect(try session.moveToCaused(0).step == StepNumber(1))
    #expect(try session.resolve(.clock(LogTime(microseconds: .max))).position == log.count - 1)
    let adds = StopPoint.Kind.breakpoint(Glob("todo/add"))
    let all = try session.positions(of: adds)
    #expect(try session.positions(of: adds, beyond: .min) == all && !all.isEmpty)
    #expect(try session.positions(of: adds, beyond: .max) == [])
    for limit in [Int.min, 0] {
      let found = try session.steps(matching: .glob(Glob("todo/add"))).collect(Work(limit: limit))
      #expect(found.rows.isEmpty && found.end.next != nil)
    }
  }

  @Test("A pace that is no pace does not wait", arguments: [Double.nan, -1, -.infinity, .infinity])
  func paces(speed: Double) throws {
    var session = Session(log)
    let waits = Monitor<[Double]>([])
    session.services.pause = { wait in waits.withLock { $0.append(wait) } }
    #expect(try session.play(speed: speed).stopped == .end)
    #expect(waits.withLock { $0.allSatisfy { $0 == 0 } })
  }

  @Test("What to do next is a value in remarks and errors, and no command")
  func nextSteps() throws {
    var session = Session(log)
    #expect(
      try session.addStopPoint(.breakpoint(Glob("5"))).notes
        == [Note("no action of the log matches 5", next: .goToStep(5))])
    #expect(
      try session.addStopPoint(.breakpoint(Glob("todos"))).notes
        == [Note("no action of the log matches todos", next: .watch("todos"))])
    let error = #expect(throws: CommandError.self) { try session.dropFork(1) }
    #expect(error?.note == Note("", next: .fork))
    #expect(error?.description == error?.message)
  }

  @Test("Differences, writes and causes are values")
  func questions() throws {
    var session = Session(log)
    let difference = try session.difference(from: .start, to: .step(1))
    #expect(difference.changes.map(\.path) == ["/todos/items/0"])
    #expect(
      try text(difference)
        == #"{"from":0,"to":1,"changes":[{"path":"/todos/items/0","op":"add","new":{"done":false,"id":1,"title":"milk"}}]}"#
    )
    #expect(difference.counts.map(\.added) == [1])
    _ = try session.moveToEnd()
    let path = try Path("todos.items", dialect: .inspector)
    let writes = try session.blame(path, all: true)
    let (rows, end) = try writes.collect(Work(limit: 1))
    #expect(rows.count == 1 && end.next != nil)
    let rest = try writes.collect(from: end.next).rows
    let all = try writes.collect().rows
    #expect((rows + rest).map(\.number) == all.map(\.number) && all.count > 2)
    let oldest = try session.history(of: .path(path))
    #expect(try oldest.collect().rows.map(\.number) == all.map(\.number).reversed())
    let page = try oldest.collect(Work(limit: 2))
    #expect(
      try page.rows.map(\.number) + oldest.collect(from: page.end.next).rows.map(\.number)
        == all.map(\.number).reversed())
    let chain = try session.chain()
    #expect(try text(chain) == #"{"chain":[{"n":8,"type":"todo/clear"}]}"#)
  }

  @Test("Rows stop at a limit and a deadline, go on from there, and can be cancelled")
  func rows() throws {
    let session = Session(log)
    let steps = try session.steps()
    var numbers: [UInt64] = []
    var next: Cursor?
    repeat {
      next = try steps.run(Work(limit: 3), from: next) { numbers.append($0.step.number) }.next
    } while next != nil
    #expect(numbers == Array(1...8))
    let found = try session.steps(matching: try StepFilter("todo/add"))
    #expect(try found.collect().end.exitCode == 0)
    #expect(try session.steps(matching: try StepFilter("nothing")).collect().end.exitCode == 1)
    #expect(try steps.collect(Work(deadline: .now)).rows.map(\.step.number) == [1])
    #expect(throws: CommandError.self) { try steps.collect(Work(isCancelled: { true })) }
    #expect(
      try text(session.count(matching: try StepFilter("todo/*"))) == #"{"count":6}"#)
  }

  @Test("Stop points, bookmarks and displays belong to the session")
  func stops() throws {
    var session = Session(log)
    #expect(
      try text(session.addStopPoint(.breakpoint(Glob("todo/toggle"))))
        == #"{"number":1,"kind":"breakpoint"}"#)
    let move = try session.run()
    #expect(move.stopped == .breakpoint && move.number == 1)
    #expect(session.stopPoints.breakpoints.map(\.hits) == [1])
    _ = try session.addBookmark("toggled")
    #expect(
      try session.addDisplay(try ValueQuery("todos.items[0].done")).number == 1)
    #expect(try session.moveToEnd().displays?.count == 1)
    #expect(try session.move(to: .bookmark("toggled")).step == move.step)
    #expect(try session.statistics().steps == 8)
    #expect(try session.information().isClosed == true)
    #expect(throws: CommandError.self) { try session.fork() }
  }
}
