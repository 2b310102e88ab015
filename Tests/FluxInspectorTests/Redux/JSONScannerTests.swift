import FluxJSON
import TestFixtures
import Testing

@testable import FluxExchange
@testable import FluxInspector

@Suite struct JSONScannerTests {
  /// Scans a text that is read a few bytes at a time.
  private func scanner(_ text: String, by count: Int = 3) -> JSONScanner {
    let bytes = Array(text.utf8)
    return JSONScanner(0..<bytes.count, windowSize: count) { offset, wanted in
      Array(bytes[offset..<min(offset + wanted, bytes.count)])
    }
  }

  @Test("The places of members and elements are found across pieces of any size", arguments: 1...20)
  func places(_ count: Int) throws {
    let text = #" {"a\n" : [1, "\\\"]" ,{"b":[]}], "c":-1.5e3 ,"":{ } } "#
    var scanner = scanner(text, by: count)
    var found: [String] = []
    try scanner.forEachMember { scanner, name in
      guard name == "a\n" else {
        found.append("\(name)=\(try scanner.skipValue())")
        return
      }
      try scanner.forEachElement { found.append("\(try $0.skipValue())") }
    }
    try scanner.expectEnd()
    #expect(found == ["11..<12", "14..<21", "23..<31", "c=38..<44", "=49..<52"])
  }

  @Test("A value of a random text is what a parser finds there", arguments: 0..<50)
  func random(_ round: Int) throws {
    var random = RandomJSON(round)
    let elements = (0..<5).map { _ in random.value(depth: 4) }
    let text = "[\(elements.joined(separator: " , "))]"
    var scanner = scanner(text, by: 1 + random.below(9))
    var found: [JSON] = []
    try scanner.forEachElement { scanner in
      // The window is shorter than most values.
      let place = try scanner.skipValue()
      found.append(try JSON.parse(Array(Array(text.utf8)[place])))
    }
    #expect(try found == JSON.parse(text).elements.map { $0 }, "seed \(SeededGenerator.seed)")
  }

  @Test(
    "A text that is cut off, or is no JSON, is an error with its byte",
    arguments: [
      (#"{"a":1"#, 6, JSONError.Reason.unexpectedEnd), (#"{"a" 1}"#, 5, .unexpectedByte(0x31)),
      (#"{a:1}"#, 1, .unexpectedByte(0x61)), (#"{"a":1]"#, 6, .unexpectedByte(0x5D)),
      (#"{"a":,}"#, 5, .unexpectedByte(0x2C)), (#"{"a":"x"#, 7, .unexpectedEnd),
      (#"{"a":[{]"#, 8, .unexpectedEnd),
      ("{}x", 2, .trailingBytes), ("", 0, .unexpectedEnd),
    ])
  func faults(_ text: String, _ byte: Int, _ reason: JSONError.Reason) {
    var scanner = scanner(text, by: 100)
    let error = #expect(throws: JSONError.self) {
      try scanner.forEachMember { scanner, _ in try scanner.skipValue() }
      try scanner.expectEnd()
    }
    #expect(error?.byte == byte)
    #expect(error?.reason == reason)
  }

  @Test(
    "Numbers that a Double does not keep are counted",
    arguments: [
      ("[0.1,1.0,9007199254740992,1e3,-0]", 0),
      ("[9007199254740993,1e400,0.1234567890123456789]", 3),
      (#"{"a":"9007199254740993","b":[123456789012345678]}"#, 1),
    ])
  func lossyNumbers(_ text: String, _ count: Int) throws {
    #expect(try JSON.parse(text).lossyNumberCount == count)
  }
}
