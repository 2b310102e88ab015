import FluxJSON
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite("Changes within texts")
struct TextEditTests {
  private static let pieces = [
    "a", "b", " ", "é", "e\u{301}", "日", "本", "👨‍👩‍👧", "👨‍👩‍👦", "🇩🇪", "🇩🇰", "\r\n", "\n", "\u{301}",
    "\u{200D}",
  ]

  @Test("The parts make up both texts, and cut no character")
  func parts() throws {
    var generator = SeededGenerator(seed: SeededGenerator.seed)
    var count = 0
    for _ in 0..<2_000 {
      var old = (0..<60).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
      let first = old.joined()
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<60, using: &generator)
        old[place] = Self.pieces.randomElement(using: &generator) ?? ""
      }
      let second = old.joined()
      guard !first.utf8.elementsEqual(second.utf8), let edit = TextEdit(from: first, to: second)
      else { continue }
      count += 1
      let kept = edit.parts.filter { if case .added = $0 { false } else { true } }.map(\.text)
      let new = edit.parts.filter { if case .removed = $0 { false } else { true } }.map(\.text)
      #expect(kept.joined().utf8.elementsEqual(first.utf8), "\(edit.parts)")
      #expect(new.joined().utf8.elementsEqual(second.utf8), "\(edit.parts)")
      #expect(kept.map(\.count).reduce(0, +) == first.count)
      #expect(new.map(\.count).reduce(0, +) == second.count)
      #expect(edit.parts.contains { if case .same = $0 { false } else { true } })
    }
    #expect(count > 500)
  }

  @Test(
    "Words are compared, and long words by their characters",
    arguments: [
      (
        "the quick brown fox jumps over the lazy dog", "the quick brown fox leaps over the old dog",
        "the quick brown fox [-jumps-]{+leaps+} over the [-lazy-]{+old+} dog"
      ),
      (
        "the quick brown fox jumps over the lazy dog",
        "the quick brown cat leaps over the lazy dog",
        "the quick brown [-fox jumps-]{+cat leaps+} over the lazy dog"
      ),
      (
        "one two three four five six seven eight nine", "one two three four five six seven nine",
        "one two three four five six seven [-eight -]nine"
      ),
      (
        String(repeating: "a", count: 50) + "b", String(repeating: "a", count: 50) + "c",
        String(repeating: "a", count: 50) + "[-b-]{+c+}"
      ),
    ])
  func words(_ old: String, _ new: String, _ expected: String) throws {
    let edit = try #require(TextEdit(from: old, to: new))
    #expect(
      edit.parts.map { part in
        switch part {
        case .same(let text): text
        case .removed(let text): "[-\(text)-]"
        case .added(let text): "{+\(text)+}"
        }
      }.joined() == expected)
  }

  @Test("Short texts and texts with little in common are shown whole")
  func whole() {
    #expect(TextEdit(from: "milk", to: "silk") == nil)
    #expect(
      TextEdit(
        from: "the quick brown fox jumps over the lazy dog",
        to: "Lorem ipsum dolor sit amet consectetur adipiscing") == nil)
    #expect(LineEdit(from: "a\nb", to: "c\nd") == nil && LineEdit(from: "a", to: "a\nb") == nil)
  }

  @Test("A text of several lines is compared by lines")
  func lines() throws {
    let edit = try #require(LineEdit(from: "a\nb\nc\nd\n", to: "a\nB\nc\nd\ne\n"))
    #expect(
      edit.lines == [
        .same(1), .removed("b"), .added("B"), .same(2), .added("e"), .same(1),
      ])
  }

  @Test(
    "Short texts are compared where a line has no room for both, and show less around a change where needed",
    arguments: [
      (
        "call the bank about the loan", "call the bank about the card", 79,
        #"~ /todos/title: "… the bank about the [-loan-]{+card+}""#
      ),
      (
        "call the bank about the loan", "call the bank about the card", 80,
        #"~ /todos/title: "call the bank about the loan" -> "call the bank about the card""#
      ),
      (
        "call the bank about the loan", "call the bank about the card", 40,
        #"~ /todos/title: "…the [-loan-]{+card+}""#
      ),
      (
        "買い物リストを書く東京大阪京都", "買い物リストを書く東京神戸京都", 60,
        #"~ /todos/title: "…い物リストを書く東京[-大阪-]{+神戸+}京都""#
      ),
      (
        "the quick brown fox jumps over the lazy dog and \(String(repeating: "x ", count: 60))end of it",
        "the quick brown cat jumps over the lazy dog and \(String(repeating: "x ", count: 60))end of this",
        80, #"~ /todos/title: "…k brown [-fox-]{+cat+} jumps o… end of [-it-]{+this+}""#
      ),
    ])
  func narrow(_ old: String, _ new: String, _ columns: Int, _ expected: String) throws {
    var inspection = try Inspection([
      #"{"flux":"1.0","first":1,"stores":{"todos":{"initial":{"title":"\#(old)"}}}}"#,
      #"{"n":1,"t":1,"action":{"type":"rename"},"states":{"todos":{"title":"\#(new)"}}}"#,
    ])
    _ = inspection.console.run("step")
    let ran = inspection.console.run("diff")
    let output = try #require(ran)
    let screen = TextScreen(columns: columns, rows: 24) { $0.isASCII || $0 == "…" ? 1 : 2 }
    var bytes: [UInt8] = []
    try inspection.console.settings.format.format(screen: screen).write(
      output, to: ByteSink { bytes += $0 }, diagnostics: ByteSink { _ in })
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines == ["from step 0 to step 1", expected])
    #expect(lines.allSatisfy { screen.width(of: $0) <= columns })
  }
}
