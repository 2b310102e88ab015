import Foundation
import TestFixtures
import Testing

@testable import FluxJSON

/// Texts as they are written, with escapes, compared and counted without being decoded.
@Suite struct StringContentTests {
  /// The written forms of code points; the two surrogates are one if the low one follows the high one.
  private static let forms = [
    "a", "b", "é", "漢", "😀", #"\n"#, #"\\"#, #"\""#, #"\/"#, #"\u0041"#, #"\u00e9"#, #"\ud83d"#,
    #"\ude00"#,
  ]

  /// A random content, and the places between its code points.
  private struct Written {
    var text = ""
    var boundaries = [0]

    init(_ count: Int, _ random: inout SeededGenerator) {
      var previous = ""
      for _ in 0..<count {
        let form = StringContentTests.forms.randomElement(using: &random) ?? "a"
        if previous == #"\ud83d"#, form == #"\ude00"# { boundaries.removeLast() }
        text += form
        boundaries.append(text.utf8.count)
        previous = form
      }
    }

    var bytes: [UInt8] { Array(text.utf8) }
  }

  @Test("Boundaries and counts are those of the decoded text")
  func boundaries() {
    var random = SeededGenerator()
    for run in 0..<400 {
      let written = Written(.random(in: 0...40, using: &random), &random)
      let note: Comment = "seed \(SeededGenerator.seed), run \(run): \(written.text)"
      unsafe written.bytes.withUnsafeBytes { bytes in
        let content = unsafe StringContent(bytes, isEscaped: true)
        let found = (0...bytes.count).filter(content.isBoundary)
        #expect(found == written.boundaries, note)
        let counts = written.boundaries.map(content.pointCount)
        #expect(counts == Array(written.boundaries.indices), note)
      }
    }
  }

  @Test("A patch of a long text with escapes leads to the new text, and has little but the change")
  func patches() throws {
    var random = SeededGenerator()
    for run in 0..<200 {
      let (head, tail) = (Written(60, &random).text, Written(60, &random).text)
      let parts = (0..<2).map { _ in Written(.random(in: 0...6, using: &random), &random).text }
      let note: Comment = "seed \(SeededGenerator.seed), run \(run): \(head) \(parts) \(tail)"
      let old = try JSON.parse("{\"t\":\"\(head)\(parts[0])\(tail)\"}")
      let new = try JSON.parse("{\"t\":\"\(head)\(parts[1])\(tail)\"}")
      let patch = old.patch(to: new)
      #expect(try patch.applied(to: old) == new, note)
      #expect(patch.json().text.utf8.count < 200, note)
    }
  }

  @Test(
    "Texts that are written in different ways are equal, and a cut splits no escape",
    arguments: [
      (#"AAAAAAAAAAAAAAAAAAAA\n"#, #"A\u0041AAAAAAAAAAAAAAAAAA\u000a"#, "[]"),
      (
        #"0123456789\n0123456789\n"#, #"0123456789\n0123456789\t"#,
        #"[{"op":"splice","path":"","at":21,"del":1,"ins":"\t"}]"#
      ),
      (
        #"0123456789\\n0123456789"#, #"0123456789\n0123456789"#,
        #"[{"op":"splice","path":"","at":10,"del":2,"ins":"\n"}]"#
      ),
      (
        #"0123456789😀0123456789 0123456789\n"#, #"0123456789😁0123456789 0123456789\n"#,
        #"[{"op":"splice","path":"","at":10,"del":1,"ins":"😁"}]"#
      ),
      (
        #"0123456789 0123456789\ud83d"#, #"0123456789 0123456789\ud83d\ude00"#,
        #"[{"op":"splice","path":"","at":21,"del":1,"ins":"😀"}]"#
      ),
    ])
  func table(_ old: String, _ new: String, _ expected: String) throws {
    let (old, new) = (try JSON.parse("\"\(old)\""), try JSON.parse("\"\(new)\""))
    // A splice has to be shorter than the text.
    let (oldList, newList) = (JSON(array: old), JSON(array: new))
    let patch = oldList.patch(to: newList)
    #expect(
      patch.json().text == expected.replacingOccurrences(of: #""path":"""#, with: #""path":"/0""#))
    #expect(try patch.applied(to: oldList) == newList)
  }

  @Test("Long texts are encoded as short ones are, whatever has to be escaped")
  func encoded() throws {
    for special in ["\n", "\"", "\\", "\u{1}", "\u{7F}", "é"] {
      for place in 240..<300 {
        let text = String(repeating: "x", count: place) + special + "y" + special + special
        let encoded = String(decoding: try LogEncoder().bytes(of: [text]), as: UTF8.self)
        #expect(encoded == JSON(array: JSON(stringLiteral: text)).text)
      }
    }
  }
}

extension JSON {
  fileprivate init(array element: JSON) {
    self.init { writer in
      writer.beginArray()
      writer.raw(element)
      writer.endArray()
    }
  }
}
