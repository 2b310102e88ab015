import TestFixtures
import Testing

@testable import FluxInspector

@Suite("A change within a long text")
struct TextEditTests {
  private static let pieces = [
    "a", "b", " ", "é", "e\u{301}", "日", "本", "👨‍👩‍👧", "👨‍👩‍👦", "🇩🇪", "🇩🇰", "\r\n", "\n", "\u{301}",
    "\u{200D}",
  ]

  @Test("It is a part of both texts, and cuts no character")
  func parts() throws {
    var generator = SeededGenerator(seed: SeededGenerator.seed)
    var count = 0
    for _ in 0..<2_000 {
      var old = (0..<60).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
      let first = old.joined()
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 20..<30, using: &generator)
        old[place] = Self.pieces.randomElement(using: &generator) ?? ""
      }
      let second = old.joined()
      guard !first.utf8.elementsEqual(second.utf8), let edit = TextEdit(from: first, to: second)
      else { continue }
      count += 1
      // By scalars: a mark may stand alone at the beginning of a text.
      let before = String(String.UnicodeScalarView(edit.before.unicodeScalars.drop { $0 == "…" }))
      let after = String(String.UnicodeScalarView(edit.after.unicodeScalars.filter { $0 != "…" }))
      #expect(has(first, before + edit.removed + after), "\(first) \(second)")
      #expect(has(second, before + edit.added + after), "\(first) \(second)")
      // Joined, the parts have the characters of the whole: none was cut in two.
      #expect(
        (before + edit.removed + after).count == before.count + edit.removed.count + after.count)
      #expect(edit.removed != "" || edit.added != "")
    }
    #expect(count > 500)
  }

  /// `true` if a text has a part, character by character and byte by byte.
  private func has(_ text: String, _ part: String) -> Bool {
    let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }
}
