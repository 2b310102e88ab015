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
}
