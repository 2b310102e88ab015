import TestFixtures
import Testing

@testable import FluxJSON

/// Texts are searched for tokens 64 bytes at a time, and in pieces of 1,024 bytes: what a text
/// means may not depend on where in them it stands.
@Suite struct JSONTokensTests {
  /// How far a text is moved: over all places in 64 bytes, and over the end of a piece.
  private static let shifts = Array(0...70) + Array(950...1030)

  @Test(
    "A value is read wherever it stands",
    arguments: [
      #""""#, #""plain""#, #""a\"b""#, #""\\""#, #""\\\\\"\\""#, #""café, 日本, 👍""#,
      "\"\u{800}\u{D7FF}\u{10000}\u{10FFFF}\"", #""[{,:}]""#, "true", "false", "null", "0",
      "-0.5e+10",
      "12345678901234567890", "[]", "{}", "[ ]", "[[[]],{}]", #"{"b":1,"a":[true,"x"]}"#,
      "[1,\n\t2\r\n]", #"{"a":{"b":{"c":{"d":[1,2,3,4,5,6,7,8,9]}}}}"#,
    ])
  func moved(value: String) throws {
    let expected = try JSON.parse(value)
    for shift in Self.shifts {
      let blanks = String(repeating: " ", count: shift)
      let letters = String(repeating: "a", count: shift)
      let afterBlanks = try JSON.parse("[" + blanks + value + blanks + "]")
      #expect(afterBlanks.elements.map(\.text) == [value], "after \(shift) blanks")
      #expect(afterBlanks.elements.first == expected, "after \(shift) blanks")
      let afterString = try JSON.parse("[\"" + letters + "\"," + value + "]")
      #expect(
        afterString.elements.map(\.text) == ["\"\(letters)\"", value], "after \(shift) letters")
      #expect(try JSON.parse(blanks + value).text == value, "after \(shift) blanks, alone")
    }
  }

  @Test(
    "A fault is told wherever it stands",
    arguments: [
      ([0x22, 0x80, 0x22], 1, .invalidUTF8), ([0x22, 0xE2, 0x82, 0x22], 1, .invalidUTF8),
      ([0x22, 0xE0, 0x9F, 0xBF, 0x22], 1, .invalidUTF8),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1, .invalidUTF8),
      ([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 1, .invalidUTF8),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1, .invalidUTF8),
      ([0x22, 0xC1, 0xBF, 0x22], 1, .invalidUTF8), ([0x22, 0xF5, 0x22], 1, .invalidUTF8),
      ([0x22, 0x0A, 0x22], 1, .controlCharacter(0x0A)), ([0x31, 0x01], 1, .unexpectedByte(0x01)),
      (Array(#""\x""#.utf8), 1, .invalidEscape), (Array(#""\u12G4""#.utf8), 1, .invalidEscape),
      (Array("1\"a\"".utf8), 1, .unexpectedByte(0x22)),
      (Array(#""a"b"#.utf8), 3, .unexpectedByte(UInt8(ascii: "b"))),
      (Array("truey".utf8), 4, .unexpectedByte(UInt8(ascii: "y"))),
      (Array("_".utf8), 0, .unexpectedByte(UInt8(ascii: "_"))),
      (Array("1_".utf8), 1, .unexpectedByte(UInt8(ascii: "_"))),
      (Array("1\\\"".utf8), 1, .unexpectedByte(UInt8(ascii: "\\"))),
      (Array("01".utf8), 0, .invalidNumber), (Array("{\"a\",1}".utf8), 4, .unexpectedByte(0x2C)),
      (Array("[1 2]".utf8), 3, .unexpectedByte(0x32)),
      (Array("[,]".utf8), 1, .unexpectedByte(0x2C)), (Array("tru".utf8), 3, .unexpectedByte(0x5D)),
    ] as [([UInt8], Int, JSONError.Reason)])
  func faults(value: [UInt8], byte: Int, reason: JSONError.Reason) {
    for shift in Self.shifts {
      let start = Array("[\"".utf8) + Array(repeating: UInt8(ascii: "a"), count: shift)
      let text = start + Array("\",".utf8) + value + Array("]".utf8)
      #expect(throws: JSONError(byte: start.count + 2 + byte, reason: reason), "after \(shift)") {
        try JSON.parse(text)
      }
    }
  }

  @Test(
    "A value that is the whole text is read to its end",
    arguments: ["0", "7", "12345678", "-1", "1.5e3", "true", "null", #""""#, #""\"""#, "[]", "{}"])
  func alone(value: String) throws {
    for blanks in [0, 1, 70, 1_030, 5_000] {
      let after = String(repeating: " ", count: blanks)
      #expect(try JSON.parse(value + after).text == value, "before \(blanks) blanks")
    }
  }

  @Test(
    "Whatever follows the value is a fault",
    arguments: [
      ("1,2", 1, .trailingBytes), ("1,[2]", 1, .trailingBytes), ("[],", 2, .trailingBytes),
      ("[]]", 2, .trailingBytes), ("[1]2", 3, .trailingBytes), ("{}{}", 2, .trailingBytes),
      ("1234567x", 7, .trailingBytes), ("12345678x", 8, .trailingBytes),
      ("123456789x", 9, .trailingBytes), ("1234567890x", 10, .trailingBytes),
      ("truex", 4, .trailingBytes), ("nullnull", 4, .trailingBytes), (#""a"b"#, 3, .trailingBytes),
      ("[[1]", 4, .unexpectedEnd), ("[", 1, .unexpectedEnd), ("{", 1, .unexpectedEnd),
      (#"{"a":"#, 5, .unexpectedEnd), ("\"", 1, .unexpectedEnd), ("[1,", 3, .unexpectedEnd),
      ("1]", 1, .trailingBytes), ("[1]\"", 3, .trailingBytes),
    ] as [(String, Int, JSONError.Reason)])
  func notAlone(text: String, byte: Int, reason: JSONError.Reason) {
    for blanks in [0, 60, 1_020] {
      let before = String(repeating: " ", count: blanks)
      #expect(throws: JSONError(byte: blanks + byte, reason: reason), "after \(blanks) blanks") {
        try JSON.parse(before + text)
      }
    }
  }

  @Test(
    "An object's names are in order or not, and repeated or not, whatever its values hold",
    arguments: [
      (#"{"a":1,"b":2}"#, true, false), (#"{"b":1,"a":2}"#, false, false),
      (#"{"a":1,"a":2}"#, false, true), (#"{"":1,"a":2}"#, true, false),
      (#"{"a":{"z":1,"b":2},"b":2}"#, true, false), (#"{"b":{"a":1,"b":2},"a":2}"#, false, false),
      (#"{"a":[{"z":1}],"a":2}"#, false, true), (#"{"a":{},"b":[],"a":2}"#, false, true),
      (#"{"name of a":1,"name of b":2}"#, true, false),
      (#"{"name of b":1,"name of a":[1,2]}"#, false, false),
      (#"{"name of a":{"x":1},"name of a":2}"#, false, true), (#"{"a":1,"\u0061":2}"#, false, true),
      (#"{"\u0062":{"x":1},"a":2}"#, false, false), (#"{"a":1,"ab":2,"abc":3}"#, true, false),
      (#"{"a!":1,"a":2}"#, false, false), (#"{"é":1,"日":[{}],"👍":3}"#, true, false),
    ])
  func names(object: String, isSorted: Bool, repeatsName: Bool) throws {
    for text in [object, #"{"x":[\#(object)],"y":1}"#] {
      let outer = try JSON.parse(text)
      let value = text == object ? outer : try #require(outer["x"]?[0])
      #expect(value.node.has(JSONNode.sorted) == isSorted)
      #expect(value.hasDuplicateNames == repeatsName)
      #expect(outer.hasDuplicateNames == repeatsName)
    }
  }

  @Test("A text that ends too early is refused, wherever that is")
  func cut() throws {
    let line = #"{"a\n":[1,"é\u00e9",{"b":null}],"c":-1.5e3}"#
    let text = Array(("[" + String(repeating: line + ",", count: 30) + line + "]").utf8)
    #expect(try JSON.parse(text).elements.count == 31)
    for count in 0..<text.count {
      #expect(throws: JSONError.self, "\(count) bytes") { try JSON.parse(Array(text[..<count])) }
    }
  }

  @Test("Whatever is changed in a text, it is refused exactly where it has a fault")
  func changed() throws {
    var random = SeededGenerator()
    let line = #"{"id":12,"text":"a \"b\" é 日","on":true,"of":[{"x":-1.5e+3},null,[]]}"#
    let sound = Array(("[" + String(repeating: line + ", ", count: 20) + line + "]").utf8)
    let likely = Array("{}[],:\"\\ \n\u{1}0eYy_é".utf8) + [0x7F, 0xC0, 0xED, 0xF0, 0xF4, 0xFF]
    for round in 0..<3_000 {
      var text = Array(sound[..<Int.random(in: 1...sound.count, using: &random)])
      if round % 2 == 0 { text = sound }
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        text[place] = likely.randomElement(using: &random) ?? 0
      }
      #expect(
        isAccepted(text) == isSound(text), "seed \(SeededGenerator.seed), round \(round)")
    }
  }

  private func isAccepted(_ text: [UInt8]) -> Bool {
    do {
      _ = try JSON.parse(text)
      return true
    } catch {
      return false
    }
  }

  /// What the way says that looks at one byte after the other.
  private func isSound(_ text: [UInt8]) -> Bool {
    unsafe text.withUnsafeBytes { bytes in
      do {
        try JSONFault.check(unsafe JSONBytes(bytes))
        return true
      } catch {
        return false
      }
    }
  }
}
