import FluxInspector
import FluxLog
import TestFixtures
import Testing

@Suite struct MarkTests {
  @Test("The session lists the marks page by page")
  func pages() throws {
    let marks = try Inspection(CauseLog.withMarks).session.marks()
    let (first, end) = try marks.collect(Work(limit: 1))
    #expect(first.map(\.text) == ["begun"])
    #expect(first.map(\.after.description) == ["0"])
    #expect(first.map(\.type) == [nil])
    #expect(end.next != nil)
    let (rest, last) = try marks.collect(from: end.next)
    #expect(rest.map(\.text) == ["done"])
    #expect(rest.map(\.t.description) == ["1.5"])
    #expect(rest.map(\.after.description) == ["1"])
    #expect(rest.map(\.type) == ["a"])
    #expect(last.next == nil)
  }

  @Test("Each mark is listed with the last step before it")
  func lists() throws {
    var inspection = try Inspection(CauseLog.withMarks)
    #expect(
      try inspection.text("marks") == """
        0 start: begun +0s
        1 a: done +1.5s

        """)
    #expect(
      try inspection.json("marks") == """
        {"command":"marks","ok":true,"position":0,"result":{"marks":[{"mark":"begun","t":0,"after":0},{"mark":"done","t":1.5,"after":1}]}}

        """)
  }

  @Test("A log without marks says so")
  func none() throws {
    var inspection = try Inspection()
    #expect(try inspection.text("marks") == "no marks\n")
    #expect(try inspection.json("marks").contains(#""result":{"marks":[]}"#))
  }
}
