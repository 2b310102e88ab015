import Testing

@testable import LineEditor

@Suite("Line splitter")
struct LineSplitterTests {
  private func lines(_ pieces: [[UInt8]]) -> [String] {
    var splitter = LineSplitter()
    var lines: [String] = []
    for piece in pieces {
      splitter.feed(piece)
      while let line = splitter.next() { lines.append(line) }
    }
    if let last = splitter.last() { lines.append(last) }
    #expect(splitter.last() == nil)
    return lines
  }

  @Test(
    "cuts lines whatever ends them",
    arguments: [
      ([], []), (["one\ntwo\n"], ["one", "two"]), (["one\r\ntwo"], ["one", "two"]),
      (["\n\n"], ["", ""]), (["on", "e\nt", "wo"], ["one", "two"]),
      (["one\r", "\ntwo"], ["one", "two"]),
      (["a\0b\n"], ["a\0b"]), (["a\rb\n"], ["a\rb"]), (["é\n"], ["é"]),
    ] as [([String], [String])])
  func cuts(_ pieces: [String], _ expected: [String]) {
    #expect(lines(pieces.map { Array($0.utf8) }) == expected)
    #expect(lines(pieces.joined().utf8.map { [$0] }) == expected)
  }

  @Test("takes bytes that are no UTF-8 for U+FFFD")
  func replaces() {
    #expect(lines([[0x61, 0xFF, 0x0A, 0xC3]]) == ["a\u{FFFD}", "\u{FFFD}"])
  }
}
