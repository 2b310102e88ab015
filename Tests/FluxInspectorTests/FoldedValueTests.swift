import FluxJSON
import FluxLog
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite("Values and lists on a terminal")
struct FoldedValueTests {
  /// A terminal on which a character beyond the Latin scripts takes two columns.
  private func screen(_ columns: Int, _ rows: Int) -> TextScreen {
    TextScreen(columns: columns, rows: rows) {
      $0.unicodeScalars.first?.value ?? 0 >= 0x2E80 ? 2 : 1
    }
  }

  private func lines(
    _ json: String, _ columns: Int, _ rows: Int, depth: Int? = nil, isWhole: Bool = false
  ) throws -> [String] {
    var bytes: [UInt8] = []
    var text = TextOutput(ByteSink { bytes += $0 }, screen: screen(columns, rows))
    try text.value(try JSON.parse(json), depth: depth, isWhole: isWhole)
    try text.flush()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private let todos: String = {
    let items = (1...30).map { #"{"id":\#($0),"title":"item \#($0)"}"# }.joined(separator: ",")
    return #"{"todos":{"items":[\#(items)],"filter":"all"}}"#
  }()

  @Test("A value that fits is shown whole, as in a file")
  func small() throws {
    #expect(
      try lines(#"{"a":[1,true,null],"b":{},"c":"日本"}"#, 20, 24) == [
        "{", #"  "a": ["#, "    1,", "    true,", "    null", "  ],", #"  "b": {},"#,
        #"  "c": "日本""#,
        "}",
      ])
    #expect(try lines("7", 20, 24) == ["7"])
  }

  @Test("A longer one is folded, so that it fits the screen in both directions")
  func folded() throws {
    #expect(
      try lines(todos, 80, 24) == ["{", #"  "todos": {"#, #"    "items": ["#]
        + (1...10).map { #"      {"id":\#($0),"title":"item \#($0)"},"# }
        + ["      …20 more", "    ],", #"    "filter": "all""#, "  }", "}"])
    #expect(
      try lines(todos, 40, 12) == [
        "{", #"  "todos": {"#, #"    "items": […30 elements],"#, #"    "filter": "all""#, "  }",
        "}",
      ])
    for (columns, rows) in [(80, 24), (40, 12), (20, 8)] {
      let shown = try lines(todos, columns, rows)
      #expect(shown.count <= rows - 2 && shown.allSatisfy { $0.count <= columns }, "\(shown)")
    }
  }

  @Test("A depth is obeyed, and the whole value is shown on demand")
  func depth() throws {
    #expect(
      try lines(todos, 40, 24, depth: 1) == ["{", #"  "todos": {…2 members}"#, "}"])
    #expect(
      try lines(todos, 40, 24, depth: 2) == [
        "{", #"  "todos": {"#, #"    "items": […30 elements],"#, #"    "filter": "all""#, "  }",
        "}",
      ])
    #expect(try lines(todos, 40, 12, isWhole: true).count == 4 * 30 + 7)
  }

  @Test("Long texts are cut by columns, not by characters")
  func wide() throws {
    #expect(try lines(#"["日本語日本語日本語"]"#, 16, 24) == ["[", #"  "日本語日本…""#, "]"])
    #expect(
      try lines(#"["\#(String(repeating: "e", count: 30))"]"#, 16, 24)[1] == #"  "eeeeeeeeee…""#)
    #expect(screen(9, 9).cut("日本語", to: 5) == "日本…")
    #expect(screen(9, 9).cut("日本語", to: 6) == "日本語")
    #expect(screen(9, 9).cut("abc", to: 2) == "a…")
  }

  @Test("Each line of a list, a display or a history fits the terminal; in a file it is whole")
  func rows() throws {
    let title = String(repeating: "長", count: 80)
    var inspection = try Inspection([
      #"{"flux":"1.0","first":1,"stores":{"a":{"type":"A","initial":{"t":""}}}}"#,
      #"{"n":1,"t":0.5,"action":{"type":"a/set","payload":"\#(title)"},"states":{"a":{"t":"\#(title)"}}}"#,
    ])
    _ = inspection.stops(["end", "display a.t"])
    for line in ["list", "history a.t", "display", "back", "step", "diff", "find a/*", "where"] {
      let whole = try inspection.text(line)
      #expect(line == "back" || whole.contains(title), "\(line)")
    }
    for (columns, rows) in [(80, 24), (40, 12)] {
      let screen = screen(columns, rows)
      for line in ["list", "history a.t", "display", "start", "step", "diff", "find a/*", "where"] {
        let text = try shown(line, on: screen, &inspection)
        for row in text.split(separator: "\n") {
          #expect(screen.width(of: String(row)) <= columns, "\(line): \(row)")
        }
        #expect(line == "start" || text.contains("…"), "\(line): \(text)")
      }
    }
  }

  @Test("Long names are cut inside, and leave room for a value")
  func names() throws {
    let member = "theMemberWithTheLongestNameOfAllThatThisStoreHas"
    let type = "checkout/payment/confirmation/received/fromTheBank"
    let list = "\(member)List"
    var inspection = try Inspection([
      #"{"flux":"1.0","first":1,"stores":{"shop":{"initial":{"\#(member)":1,"\#(list)":[{"id":1}]}}}}"#,
      #"{"n":1,"t":0.5,"action":{"type":"pay"},"states":{"shop":{"\#(member)":2,"\#(list)":[{"id":1}]}}}"#,
      #"{"n":2,"t":0.75,"cause":1,"at":"Checkout/PaymentConfirmation.swift:117","effect":"pay","#
        + #""action":{"type":"\#(type)","payload":{"amount":20}},"#
        + #""states":{"shop":{"\#(member)":3,"\#(list)":[{"id":2},{"id":1}]}}}"#,
    ])
    _ = inspection.stops(["end", "display shop.\(member)"])
    for columns in [80, 40, 24] {
      let screen = screen(columns, 24)
      for line in ["display", "history shop.\(member)", "diff", "where", "print shop.*"] {
        for row in try shown(line, on: screen, &inspection).split(separator: "\n") {
          #expect(screen.width(of: String(row)) <= columns, "\(line): \(row)")
        }
      }
    }
    #expect(
      try ["diff", "where", "display"].map { try shown($0, on: screen(40, 24), &inspection) } == [
        """
        from step 1 to step 2
        ~ /shop/theMemb…ThisStoreHas: 2 -> 3
        + /shop/theMemb…oreHasList/0 (id 2): {"…

        """,
        """
        #0 2 checkout/pa…fromTheBank {"amoun… b…
        #1 1 pay +0.5s

        """,
        """
          1: shop.theMem…hisStoreHas = 3

        """,
      ])
  }

  @Test("What is behind a step is cut where the line ends")
  func steps() throws {
    var bytes: [UInt8] = []
    for screen in [nil, screen(40, 24)] {
      var text = TextOutput(ByteSink { bytes += $0 }, screen: screen)
      try text.step(
        51, "todo/add", ["title": "milk"], at: Seconds(LogTime(microseconds: 500_000)),
        [("  rejected: ", .error), ("refused: a todo needs another title", .plain)], cause: 50,
        remarks: [("  orphan", .changed)])
      try text.flush()
    }
    let whole = "rejected: refused: a todo needs another title  caused by 50  orphan"
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        51 todo/add {"title":"milk"} +0.5s  \(whole)
        51 todo/add {"title… +0.5s  rejected: r…

        """)
  }

  /// Returns the text that a command shows on a terminal.
  private func shown(
    _ line: String, on screen: TextScreen, _ inspection: inout Inspection
  ) throws -> String {
    var bytes: [UInt8] = []
    let ran = inspection.console.run(line)
    let output = try #require(ran)
    try OutputFormatName.text.format(screen: screen).write(
      output, to: ByteSink { bytes += $0 }, diagnostics: ByteSink { _ in })
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "A terminal without a size, or with a negative one, is written to as well",
    arguments: ["list ..", "state", "step", "diff", "stats", "help"])
  func sizeless(_ line: String) throws {
    func text(_ size: Int) throws -> String {
      var inspection = try Inspection()
      return try shown(line, on: screen(size, size), &inspection)
    }
    #expect(try text(.min) == text(0))
  }

  @Test("The help fits the terminal, except for its examples, which are to be pasted")
  func help() throws {
    var inspection = try Inspection()
    let table = inspection.console.registry.table
    let examples = Set(table.commands.flatMap(\.examples).map { "  \($0)" })
    for columns in [120, 80, 40] {
      for line in ["help"] + table.commands.map({ "help \($0.name)" }) {
        let text = try shown(line, on: screen(columns, 24), &inspection)
        for row in text.split(separator: "\n").map(String.init) where !examples.contains(row) {
          #expect(row.count <= columns, "\(line) in \(columns) columns: \(row)")
        }
      }
    }
    #expect(
      try shown("help", on: screen(40, 24), &inspection).hasPrefix(
        """
        Moving through the log
          step [n] (s)
              Go forwards by one step, or n
          back [n] (rs, reverse-step)
              Go backwards by one step, or n
          next [n|GLOB|EXPR|TEXT] (n)
              Go to the next root action
          prev [n|GLOB|EXPR|TEXT] (rn,
            reverse-next)

        """))
  }

  @Test("Options that make no sense are refused")
  func options() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("state --depth x") == """
        error: state: expected a number of levels from 1 after --depth, found x
        hint: usage: state [STORE|PATH] [--depth N] [--all]

        """)
    #expect(try inspection.exitCode("print todos --depth 1 --all") == 0)
  }
}
