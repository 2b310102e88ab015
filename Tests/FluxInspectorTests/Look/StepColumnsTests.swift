import FluxJSON
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite("Steps in columns")
struct StepColumnsTests {
  private static let log = [
    #"{"flux":"1.0","first":9,"stores":{"todos":{"initial":{}},"買い物":{"initial":{}}}}"#,
    #"{"n":9,"t":0.5,"action":{"type":"todo/add","payload":{"title":"milk"}},"states":{"todos":{"a":1}}}"#,
    #"{"n":10,"t":12.000125,"action":{"type":"買い物/追加","payload":{"title":"牛乳と卵とパンとチーズとバターとトマト"}},"cause":9,"states":{"買い物":{"a":1},"todos":{"a":2}}}"#,
    #"{"n":11,"t":13,"action":{"type":"settings/notifications/channels/email/frequency/changed"},"rejected":{"reason":"refused","message":"sign in before you change settings","store":"todos"}}"#,
    #"{"n":12,"t":1234567.5,"action":{"type":"x"},"cause":10}"#,
  ]

  private func lines(_ command: String, columns: Int) throws -> [String] {
    var inspection = try Inspection(Self.log)
    let ran = inspection.console.run(command)
    let output = try #require(ran)
    let screen = TextScreen(columns: columns, rows: 24) { $0.isASCII || $0 == "…" ? 1 : 2 }
    var bytes: [UInt8] = []
    try inspection.console.settings.format.format(screen: screen).write(
      output, to: ByteSink { bytes += $0 }, diagnostics: ByteSink { _ in })
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { screen.width(of: $0) <= columns })
    return lines
  }

  @Test("They fit 80 columns, also with wide characters")
  func wide() throws {
    #expect(
      try lines("list ..", columns: 80) == [
        #"   9 todo/add {"title":"milk"}              +0.500000s  todos"#,
        #"  10 買い物/追加 {"title":"牛乳と卵とパン… +12.000125s  買い物, to…  caused by 9"#,
        #"  11 settings/notificat…/frequency/changed +13.000000s  rejected: sign in befor…"#,
        #"  12 x                                +1234567.500000s  caused by 10"#,
      ])
    #expect(
      try lines("find *", columns: 80) == [
        #" 9 todo/add {"title":"milk"}                +0.500000s  todos"#,
        #"10 買い物/追加 {"title":"牛乳と卵とパンと… +12.000125s  買い物, to…  caused by 9"#,
        #"11 settings/notificati…l/frequency/changed +13.000000s  rejected: sign in befor…"#,
        #"12 x                                  +1234567.500000s  caused by 10"#,
      ])
  }

  @Test("They fit 40 columns, without times and causes")
  func narrow() throws {
    #expect(
      try lines("list ..", columns: 40) == [
        #"   9 todo/add {"title":"mil…  todos"#,
        #"  10 買い物/追加 {"title":"…  買い物, t…"#,
        #"  11 settings/no…ncy/changed  sign in b…"#,
        #"  12 x"#,
      ])
  }

  @Test("A line of words is broken between them, and a long word stays whole")
  func wrapped() throws {
    let screen = TextScreen(columns: 20, rows: 24) { _ in 1 }
    var bytes: [UInt8] = []
    var text = TextOutput(ByteSink { bytes += $0 }, screen: screen)
    try text.wrapped("  note: six steps came back from unmistakablylongeffects")
    try text.wrapped("  note: short")
    try text.flush()
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
          note: six steps
            came back from
            unmistakablylongeffects
          note: short

        """)
  }
}
