import TestFixtures
import Testing

@testable import LineEditor

@Suite("History entry")
struct HistoryEntryTests {
  @Test(
    "is one line, whatever it holds, and comes back as it was",
    arguments: [
      ("print x", "print x"), ("a\nb", #"a\nb"#), ("a\r\nb", #"a\r\nb"#), (#"a\nb"#, #"a\\nb"#),
      ("\0", #"\0"#), (#"\"#, #"\\"#), ("日本", "日本"), ("e\u{301}", "e\u{301}"),
    ])
  func escapes(_ entry: String, _ line: String) {
    #expect(HistoryEntry.line(for: entry) == line)
    #expect(HistoryEntry.entry(of: line) == entry)
  }

  @Test(
    "reads what it has not written as it stands", arguments: [(#"\q"#, #"\q"#), (#"a\"#, #"a\"#)])
  func reads(_ line: String, _ entry: String) {
    #expect(HistoryEntry.entry(of: line) == entry)
  }

  @Test("comes back from any text")
  func roundTrips() {
    var random = SeededGenerator()
    for _ in 0..<500 {
      let scalars: [Unicode.Scalar] = ["\\", "n", "r", "0", "\n", "\r", "\0", "a", "é", "\u{301}"]
      var entry = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        entry.append(scalars.randomElement(using: &random) ?? "a")
      }
      let line = HistoryEntry.line(for: String(entry))
      #expect(!line.unicodeScalars.contains { $0 == "\n" || $0 == "\r" || $0 == "\0" })
      #expect(
        Array(HistoryEntry.entry(of: line).unicodeScalars) == Array(entry),
        "FLUX_SEED=\(SeededGenerator.seed)")
    }
  }

  @Test("appears once, where it came last, and only the last ones")
  func takesLast() {
    let bytes = Array("a\nb\na\n\nc\n".utf8)
    #expect(HistoryEntry.last(10, of: bytes) == ["b", "a", "c"])
    #expect(HistoryEntry.last(2, of: bytes) == ["a", "c"])
    #expect(HistoryEntry.last(10, of: [0xFF, 0x0A, 0x62]) == ["\u{FFFD}", "b"])
    #expect(HistoryEntry.last(10, of: []) == [])
  }
}
