import Testing

@testable import FluxJSON

/// Numbers are read by several ways, each for some lengths and some places in the text; all of them
/// against the grammar as it stands in RFC 8259, section 6.
@Suite struct JSONNumberSyntaxTests {
  // number = [ "-" ] int [ frac ] [ exp ]
  private func isNumber(_ text: String) -> Bool {
    text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
  }

  /// What may stand around a number, from nothing to enough for every word that is read at once.
  private let surroundings = [
    ("", ""), ("[", "]"), ("[", ",0.5]"), ("[", " ]"), ("[", "\n, 17, 18, 19, 20, 21, 22]"),
    ("{\"a\":", "}"), ("{\"a\":", ",\"b\":\"and text behind it\"}"),
  ]

  private func expectSame(_ text: String) {
    let isNumber = isNumber(text)
    for (before, after) in surroundings {
      let isAccepted = (try? JSON.parse(before + text + after)) != nil
      #expect(isAccepted == isNumber, "\(before)\(text)\(after)")
    }
  }

  @Test("All texts of up to five of the characters of numbers")
  func short() {
    var texts = [""]
    for _ in 0..<5 {
      texts = texts.flatMap { text in "01.-+e".map { text + String($0) } }
      texts.forEach(expectSame)
    }
  }

  @Test("Digits with one other character, in every place of every length", arguments: 1...20)
  func long(length: Int) {
    for leading in ["1", "0", "-9", "-0"] {
      let digits = Array((leading + "23456789012345678901").prefix(length))
      expectSame(String(digits))
      for place in digits.indices {
        for other in ".-+eE:x/" {
          var text = digits
          text[place] = other
          // With a colon, quote or letter the text around has other tokens, and is refused as well.
          expectSame(String(text))
        }
      }
    }
  }

  @Test("Two points, and an exponent behind a fraction")
  func several() {
    for text in [
      "1.2.3", "12345678.1.2", "1.23456789.1", "123456789.25e7", "0.125E-3", "00.5", "-00.5",
    ] {
      expectSame(text)
    }
  }
}
