import FluxJSON
import FluxLog
import Foundation
import Testing

@testable import FluxReplay

@Suite struct NextStepTests {
  private static func divergence(
    _ kind: Divergence.Kind, store: String? = nil, path: Pointer? = nil, recorded: JSON? = 1
  ) -> Divergence {
    var divergence = Divergence(kind, step: 9, action: ["type": "cart/add"])
    divergence.recorded = recorded
    divergence.store = store
    divergence.path = path
    divergence.chain = [.init(number: 9, type: "cart/add"), .init(number: 7, type: "cart/fill")]
    return divergence
  }

  private static let suggestions: [Divergence.Kind: [String]] = [
    .initial: ["goto start", "state cart"],
    .different: ["goto 9", "diff", "blame /cart/0/price", "fork -1"],
    .rejected: ["goto 9", "action", "state cart", "fork -1"],
    .accepted: ["goto 9", "action", "state cart", "fork -1"],
    .reason: ["goto 9", "action", "state cart", "fork -1"],
    .message: ["goto 9", "action", "state cart", "fork -1"],
    .undecodable: ["goto 9", "action", "types"],
    .missing: ["goto 9", "where", "action", "redispatch 7..9"],
    .extra: ["goto 9", "where", "action", "fork -1"],
    .followUp: ["goto 9", "where", "action", "redispatch 7..9"],
    .effectMissing: ["goto 9", "action", "fork -1"],
    .effectExtra: ["goto 9", "action", "fork -1"],
  ]

  @Test("each kind of divergence suggests commands", arguments: Divergence.Kind.allCases)
  func commands(_ kind: Divergence.Kind) throws {
    let commands = try #require(Self.suggestions[kind])
    let divergence = Self.divergence(
      kind, store: "cart", path: Pointer(tokens: ["cart", "0", "price"]))
    #expect(divergence.next.map(\.command) == commands)
    let encoded = try JSONEncoder().encode(divergence.next)
    #expect(try JSONDecoder().decode([String].self, from: encoded) == commands)
  }

  @Test(
    "a name that the inspector would take for a shell command is not suggested",
    arguments: ["a|rm -rf .", "a>b", "a b", "'", "[0]", "a\u{1B}", "--all "])
  func unsafe(_ name: String) {
    let path = Pointer(tokens: ["cart", name])
    #expect(
      Self.divergence(.different, path: path).next.map(\.command) == ["goto 9", "diff", "fork -1"])
    #expect(
      Self.divergence(.rejected, store: name).next.map(\.command)
        == ["goto 9", "action", "fork -1"])
  }

  @Test("blame is suggested for a place that the log has, around a value that only a replay has")
  func absent() {
    func commands(_ tokens: [String], _ recorded: JSON? = nil, twice: Bool = false) -> [String] {
      var divergence = Self.divergence(
        .different, path: Pointer(tokens: tokens), recorded: recorded)
      if twice { divergence.comparison = .replays }
      return divergence.next.map(\.command).filter { $0.hasPrefix("blame") }
    }
    #expect(commands(["cart", "0", "price"]) == ["blame /cart/0"])
    #expect(commands(["cart"]) == [])
    #expect(commands(["cart", "0"], 1) == ["blame /cart/0"])
    #expect(commands(["cart", "0"], 1, twice: true) == ["blame /cart"])
  }

  @Test("each line is complete, and needs an app only to fork")
  func lines() {
    let divergence = Self.divergence(.followUp)
    let shell = ShellLine(inspector: "swift run flux-inspect", log: "-o.jsonl", app: "./my app")
    #expect(
      divergence.next.map { shell.text($0, at: 9) } == [
        "swift run flux-inspect ./-o.jsonl --app './my app' -g 9",
        "swift run flux-inspect ./-o.jsonl --app './my app' -g 9 -e where",
        "swift run flux-inspect ./-o.jsonl --app './my app' -g 9 -e action",
        "swift run flux-inspect ./-o.jsonl --app './my app' -e 'redispatch 7..9'",
      ])
    let alone = ShellLine(inspector: "flux-inspect", log: "o.jsonl", app: nil)
    #expect(
      divergence.next.map { alone.text($0, at: 9) } == [
        "flux-inspect o.jsonl -g 9", "flux-inspect o.jsonl -g 9 -e where",
        "flux-inspect o.jsonl -g 9 -e action", nil,
      ])
  }

  @Test(
    "a shell reads each word as the text that it stands for",
    arguments: [
      ("a/b_c-1.jsonl", "a/b_c-1.jsonl"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#),
      ("$(x)`y`", "'$(x)`y`'"), ("é", "'é'"), ("a\u{1B}'\\\n", #"$'a\033\'\\\012'"#),
      ("\u{202E}x", #"$'\342\200\256x'"#), ("a'\u{301}b", "'a'\\''\u{301}b'"),
    ])
  func words(_ text: String, _ word: String) {
    #expect(text.shellWord == word)
  }

  @Test("a quote with an accent behind it is escaped in a word of a command, too")
  func commandWord() {
    #expect("a \"\u{301}\\b".commandWord == "\"a \\\"\u{301}\\\\b\"")
  }
}
