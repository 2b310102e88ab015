import Testing

@testable import LineEditor

@Suite("Paste queue")
struct PasteQueueTests {
  @Test(
    "cuts a paste into what goes into the line, whole lines, and the rest",
    arguments: [
      ("", "", false, [], nil), ("one", "one", false, [], nil),
      ("one\n", "one", true, [], nil), ("one\rtwo", "one", true, [], "two"),
      ("one\r\ntwo\n\rthree", "one", true, ["two"], "three"),
      ("one\n\ntwo\n", "one", true, ["", "two"], nil),
      ("a\tb\u{1B}[Dc\u{7F}\u{202E}", "a b[Dc", false, [], nil),
    ] as [(String, String, Bool, [String], String?)])
  func cuts(
    _ text: String, _ insertion: String, _ isWhole: Bool, _ lines: [String], _ rest: String?
  ) {
    var queue = PasteQueue()
    let taken = queue.take(Array(text.utf8))
    #expect(taken.insertion == insertion)
    #expect(taken.isWhole == isWhole)
    if !lines.isEmpty { #expect(queue.takeRemainder() == nil) }
    #expect(lines.indices.map { _ in queue.nextLine() } == lines)
    #expect(queue.nextLine() == nil)
    #expect(queue.takeRemainder() == rest)
    #expect(queue.takeRemainder() == nil)
  }

  @Test("takes bytes that are no UTF-8 for U+FFFD")
  func replaces() {
    var queue = PasteQueue()
    #expect(queue.take([0x61, 0xFF, 0x62]).insertion == "a\u{FFFD}b")
  }
}
