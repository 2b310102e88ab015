import TestFixtures
import Testing

@testable import FluxJSON

@Suite("DraftText")
struct DraftTextTests {
  @Test("Edits anywhere in a text give what the same edits of an array of scalars give")
  func randomEdits() {
    let alphabets = ["abc", "aé日😀"]
    for (round, alphabet) in alphabets.enumerated() {
      var random = RandomJSON(9_000 + round)
      let letters = Array(alphabet.unicodeScalars)
      var scalars = (0..<3_000).map { _ in letters[random.below(letters.count)] }
      var text = DraftText(bytes(scalars))
      for step in 0..<400 {
        let start = random.below(scalars.count + 1)
        let deleted = random.below(min(40, scalars.count - start) + 1)
        // Now and then more than any gap holds.
        let size = random.chance(20) ? 900 : random.below(6)
        let inserted = (0..<size).map { _ in letters[random.below(letters.count)] }
        let removed = text.splice(at: start, deleted: deleted, inserted: bytes(inserted))
        let note: Comment = "seed \(SeededGenerator.seed), round \(round), step \(step)"
        #expect(removed == bytes(Array(scalars[start..<(start + deleted)])), note)
        scalars.replaceSubrange(start..<(start + deleted), with: inserted)
        #expect(text.count == scalars.count, note)
        #expect(text.text == bytes(scalars), note)
      }
    }
  }

  private func bytes(_ scalars: [Unicode.Scalar]) -> [UInt8] {
    Array(String(String.UnicodeScalarView(scalars)).utf8)
  }

  @Test("The empty text can be edited at its only place")
  func empty() {
    var text = DraftText([])
    #expect(text.splice(at: 0, deleted: 0, inserted: []).isEmpty)
    #expect(text.splice(at: 0, deleted: 0, inserted: Array("ab".utf8)).isEmpty)
    #expect(text.splice(at: 1, deleted: 1, inserted: []) == Array("b".utf8))
    #expect(text.text == Array("a".utf8))
  }
}
