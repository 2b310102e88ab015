import LineEditor
import TestFixtures
import Testing

@Suite("Key decoder")
struct KeyDecoderTests {
  @Test(
    "tells keys apart",
    arguments: [
      ("a", [.character("a")]), ("é日🎉", [.character("é"), .character("日"), .character("🎉")]),
      (
        "\t\r\n\u{7F}\u{8}",
        [Key(.tab), Key(.enter), Key(.enter), Key(.backspace), Key(.backspace)]
      ),
      ("\u{1}\u{1A}\u{0}\u{1F}", [.control("a"), .control("z"), .control(" "), .control("_")]),
      ("\u{1B}[A\u{1B}OA\u{1B}[B", [Key(.up), Key(.up), Key(.down)]),
      ("\u{1B}[C\u{1B}[D\u{1B}[H\u{1B}[F", [Key(.right), Key(.left), Key(.home), Key(.end)]),
      ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [Key(.home), Key(.end), Key(.home), Key(.end)]),
      ("\u{1B}[2~\u{1B}[3~", [Key(.insert), Key(.delete)]),
      ("\u{1B}[5~\u{1B}[6~", [Key(.pageUp), Key(.pageDown)]),
      (
        "\u{1B}OP\u{1B}[15~\u{1B}[24~",
        [.init(.function(1)), .init(.function(5)), .init(.function(12))]
      ),
      ("\u{1B}[[A\u{1B}[[Z", [Key(.function(1)), Key(.unknown)]),
      ("\u{1B}[1;3D\u{1B}[1;5C", [Key(.left, .alt), Key(.right, .control)]),
      (
        "\u{1B}[1;2A\u{1B}[3;7~\u{1B}[1;9D",
        [Key(.up, .shift), Key(.delete, [.alt, .control]), Key(.left, .alt)]
      ),
      ("\u{1B}\u{1B}[D", [Key(.left, .alt)]), ("\u{1B}x\u{1B}日", [.alt("x"), .alt("日")]),
      ("\u{1B}\u{2}", [Key(.character("b"), [.control, .alt])]), ("\u{1B}[Z", [Key(.tab, .shift)]),
      ("\u{1B}[200~", [Key(.pasteStart)]), ("\u{1B}[?1;2c", [Key(.unknown)]),
      ("\u{1B}[99999999999999999999~", [Key(.unknown)]), ("\u{1B}[1;99A", [Key(.up, .alt)]),
      ("\u{1B}[1\u{1B}[A", [Key(.unknown), Key(.up)]),
      ("\u{1B}\u{1B}a", [Key(.escape), .alt("a")]),
      ("\u{85}a", [Key(.unknown), .character("a")]),
      (
        "\u{1B}[<0;12;3M\u{1B}[<0;12;3m\u{1B}[<64;1;1M\u{1B}[<69;223;999M",
        [
          Key(.mouse(.init(.press, row: 2, column: 11))),
          Key(.mouse(.init(.other, row: 2, column: 11))),
          Key(.mouse(.init(.wheelUp, row: 0, column: 0))),
          Key(.mouse(.init(.wheelDown, row: 998, column: 222))),
        ]
      ),
      ("\u{1B}[<32;2;2M", [Key(.mouse(.init(.other, row: 1, column: 1)))]),
      (
        "\u{1B}[<0;0;1M\u{1B}[<0;1M\u{1B}[<M\u{1B}[<0;99999;1M",
        [Key(.unknown), Key(.unknown), Key(.unknown), Key(.unknown)]
      ),
      (
        "\u{1B}[" + String(repeating: "1", count: 40) + "~",
        [Key(.unknown)] + Array(repeating: .character("1"), count: 10) + [.character("~")]
      ),
    ] as [(String, [Key])])
  func decodes(_ text: String, _ keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(text.utf8.flatMap { decoder.feed($0) }.map(\.key) == keys)
    #expect(!decoder.isPending)
  }

  @Test(
    "takes what nothing follows for itself",
    arguments: [
      ([0x1B], [Key(.escape)]), ([0x1B, 0x5B], [.alt("[")]), ([0x1B, 0x4F], [.alt("O")]),
      ([0x1B, 0x1B], [Key(.escape), Key(.escape)]), ([0x1B, 0x5B, 0x31], [Key(.unknown)]),
      ([0xE3, 0x81], [.character("\u{FFFD}")]), ([0x1B, 0xE3], [.alt("\u{FFFD}")]),
    ] as [([UInt8], [Key])])
  func flushes(_ bytes: [UInt8], _ keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(bytes.flatMap { decoder.feed($0) }.isEmpty)
    #expect(decoder.isPending)
    #expect(decoder.flush().map(\.key) == keys)
    #expect(!decoder.isPending)
  }

  @Test(
    "takes bytes that are no UTF-8 for U+FFFD each, and loses nothing behind them",
    arguments: [
      ([0xFF, 0x61], [.character("\u{FFFD}"), .character("a")]),
      ([0xC3, 0x28], [.character("\u{FFFD}"), .character("(")]),
      ([0xE0, 0x80, 0x80], [.character("\u{FFFD}")]),
      ([0xED, 0xA0, 0x80], [.character("\u{FFFD}")]),
      ([0xF4, 0x90, 0x80, 0x80], [.character("\u{FFFD}")]), ([0xC0], [.character("\u{FFFD}")]),
      ([0xE3, 0x81, 0xE3, 0x81, 0x82], [.character("\u{FFFD}"), .character("あ")]),
    ] as [([UInt8], [Key])])
  func replaces(_ bytes: [UInt8], _ keys: [Key]) {
    var decoder = KeyDecoder()
    #expect((bytes.flatMap { decoder.feed($0) } + decoder.flush()).map(\.key) == keys)
  }

  @Test("hands every byte of any input out, in order")
  func losesNothing() {
    var random = SeededGenerator()
    for _ in 0..<500 {
      // Mostly what sequences are made of.
      let parts: [UInt8] = [0x1B, 0x5B, 0x4F, 0x3B, 0x31, 0x41, 0x7E, 0xC3, 0xA9, 0xF0, 0x80]
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        Bool.random(using: &random)
          ? parts.randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
      }
      var decoder = KeyDecoder()
      var presses = bytes.flatMap { decoder.feed($0) }
      while decoder.isPending { presses += decoder.flush() }
      #expect(presses.flatMap(\.bytes) == bytes, "FLUX_SEED=\(SeededGenerator.seed)")
    }
  }
}
