import Foundation
import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct JSONParserTests {
  @Test(
    "What is not JSON is refused, with the byte and the reason",
    arguments: [
      ("", 0, .empty), (" \n", 2, .empty), ("[1", 2, .unexpectedEnd), ("{\"a\"", 4, .unexpectedEnd),
      ("\"abc", 4, .unexpectedEnd), ("[1,]", 3, .unexpectedByte(UInt8(ascii: "]"))),
      ("{\"a\":1,}", 7, .unexpectedByte(UInt8(ascii: "}"))), ("1 2", 2, .trailingBytes),
      ("01", 0, .invalidNumber), ("[-]", 1, .invalidNumber), ("[1.]", 1, .invalidNumber),
      ("[1e+]", 1, .invalidNumber), (".5", 0, .unexpectedByte(UInt8(ascii: "."))),
      ("\"\\x\"", 1, .invalidEscape), ("\"\\u12g4\"", 1, .invalidEscape),
      ("\"a\u{1}\"", 2, .controlCharacter(1)), ("tru", 3, .unexpectedEnd),
      ("trux", 3, .unexpectedByte(UInt8(ascii: "x"))), ("{1:2}", 1, .unexpectedByte(0x31)),
      ("{\"a\" 1}", 5, .unexpectedByte(0x31)), ("[1}", 2, .unexpectedByte(UInt8(ascii: "}"))),
      ("{\"a\":1]", 6, .unexpectedByte(UInt8(ascii: "]"))),
      ("\u{FEFF}1", 0, .unexpectedByte(0xEF)),
    ] as [(String, Int, JSONError.Reason)])
  func refused(text: String, byte: Int, reason: JSONError.Reason) {
    #expect(throws: JSONError(byte: byte, reason: reason)) { try JSON.parse(text) }
  }

  @Test(
    "Bytes that are not UTF-8 are refused",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
      [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func notUTF8(sequence: [UInt8]) {
    #expect(throws: JSONError(byte: 1, reason: .invalidUTF8)) {
      try JSON.parse([0x22] + sequence + Array("\"        ".utf8))
    }
  }

  @Test(
    "The first and last characters of each length are accepted",
    arguments: [
      "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
    ]
  )
  func sequences(character: String) throws {
    #expect(
      try JSON.parse("\"ab\(character)cdefghijk\(character)\"").string
        == "ab\(character)cdefghijk\(character)")
  }

  @Test("Nesting is accepted to a depth of 512 and refused beyond")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSON.parse(nested(512)) == JSON.parse(" " + nested(512)))
    #expect(throws: JSONError(byte: 512, reason: .tooDeep)) { try JSON.parse(nested(513)) }
    #expect(throws: JSONError(byte: 512, reason: .tooDeep)) {
      try JSON.parse(String(repeating: "[", count: 1_000_000))
    }
  }

  static let suite = Corpora.folder.appending(path: "json-parsing/nst/test_parsing")

  @Test(
    "JSONTestSuite: y_ parses, n_ is refused, i_ is one or the other",
    .enabled(if: Corpora.isPresent))
  func testSuite() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.suite.path()).sorted()
    #expect(files.count > 300)
    for file in files where file.hasSuffix(".json") {
      let bytes = [UInt8](try Data(contentsOf: Self.suite.appending(path: file)))
      let error: JSONError? = {
        do throws(JSONError) {
          _ = try JSON.parse(bytes)
          return nil
        } catch { return error }
      }()
      if file.hasPrefix("y_") { #expect(error == nil, "\(file)") }
      if file.hasPrefix("n_") { #expect(error != nil, "\(file)") }
    }
  }
}
