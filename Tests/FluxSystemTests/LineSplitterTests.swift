import FluxSystem
import Testing

@Suite struct LineSplitterTests {
  /// Returns the lines of the pieces, and the rest.
  private static func lines(_ pieces: [String]) -> (lines: [String], rest: String) {
    var splitter = LineSplitter()
    var lines: [String] = []
    for piece in pieces {
      splitter.append(Array(piece.utf8))
      while let line = splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return (lines, String(decoding: splitter.remainder(), as: UTF8.self))
  }

  @Test("the lines do not depend on the pieces of the stream")
  func pieces() {
    let text = "one\n\ntwo and\n\nthree\nrest"
    for cut in 0...text.utf8.count {
      for second in cut...text.utf8.count {
        let bytes = Array(text.utf8)
        let pieces = [bytes[..<cut], bytes[cut..<second], bytes[second...]]
          .map { String(decoding: $0, as: UTF8.self) }
        let (lines, rest) = Self.lines(pieces)
        #expect(lines == ["one", "", "two and", "", "three"])
        #expect(rest == "rest")
      }
    }
  }

  @Test("bytes that are no lines follow lines in any pieces")
  func bodies() {
    let stream = Array("head\na\nb\nnext\n".utf8)
    for cut in 0...stream.count {
      var splitter = LineSplitter()
      var found: [String] = []
      for piece in [stream[..<cut], stream[cut...]] {
        splitter.append(Array(piece))
        while let bytes = found.count == 1 ? splitter.next(4) : splitter.next() {
          found.append(String(decoding: bytes, as: UTF8.self))
        }
      }
      #expect(found == ["head", "a\nb\n", "next"], "cut at \(cut)")
    }
  }

  @Test("only bytes that were not returned count as pending")
  func pending() {
    var splitter = LineSplitter()
    splitter.append(Array("ab\ncd".utf8))
    #expect(splitter.pendingCount == 5)
    #expect(splitter.next() == Array("ab".utf8))
    #expect(splitter.next() == nil)
    #expect(splitter.pendingCount == 2)
    splitter.append(Array("e\n".utf8))
    #expect(splitter.next() == Array("cde".utf8))
    #expect(splitter.pendingCount == 0)
  }
}
