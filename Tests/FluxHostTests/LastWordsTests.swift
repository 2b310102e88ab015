import Testing

@testable import FluxHost

@Suite struct LastWordsTests {
  @Test("the last lines and the incomplete one are kept, without blank ones")
  func lines() {
    var words = LastWords()
    words.append(Array("one\n\n  \ntw".utf8))
    #expect(words.lines == ["one", "tw"])
    words.append(Array("o\nthree".utf8))
    #expect(words.lines == ["one", "two", "three"])
  }

  @Test("the last twelve lines are kept, and the beginning of a long line")
  func bounds() {
    var words = LastWords()
    for number in 1...100 { words.append(Array("line \(number)\n".utf8)) }
    #expect(words.lines == (89...100).map { "line \($0)" })
    words.append(Array(repeating: UInt8(ascii: "x"), count: 1_000_000))
    #expect(words.lines.last == String(repeating: "x", count: 500))
    #expect(words.lines.count == 12)
  }

  @Test("addresses without symbols are left out")
  func trace() {
    var words = LastWords()
    words.append(
      Array(
        """
        Shop/Cart.swift:7: Fatal error: no item
        Current stack trace:
        0    libswiftCore.so                    0x00007f2982b5c3c0 _swift_stdlib_reportFatalError + 170
        1    shop                               0x000055ef3382c5e1 <unavailable> + 3007969

        """.utf8))
    #expect(words.lines == ["Shop/Cart.swift:7: Fatal error: no item"])
  }
}
