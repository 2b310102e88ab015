import Testing

@testable import LineEditor

@Suite("Setting line")
struct SettingLineTests {
  @Test("skips empty lines and comments, and keeps the numbers")
  func parses() {
    let lines = SettingLine.parse("# c\r\n\n  bind -v\r\n\t# d\nbind \"^T\" 'ed x'\nz\0\n")
    #expect(lines.map(\.number) == [3, 5])
    #expect(lines.map(\.text) == ["bind -v", "bind \"^T\" 'ed x'"])
    #expect(lines.map(\.words) == [["bind", "-v"], ["bind", "^T", "ed x"]])
  }

  @Test(
    "knows the key that a line binds",
    arguments: [
      (#"bind ^T ed-move-to-beg"#, [0x14]), (#"bind "^[[A" ed-prev-history"#, [0x1B, 0x5B, 0x41]),
      (#"bind '\e[A' x"#, [0x1B, 0x5B, 0x41]), (#"bind \e x"#, [0x65]),
      (#"bind "\033OA" x"#, [0x1B, 0x4F, 0x41]), (#"bind -a j x"#, [0x6A]),
      (#"bind -s ^Q "text""#, [0x11]), (#"bind -r ^Q"#, [0x11]), (#"bind ^? x"#, [0x7F]),
      (#"bind M-x y"#, [0x1B, 0x78]), (#"prog:bind ^A x"#, [0x01]), (#"bind -v"#, nil),
      (#"bind -k up x"#, nil), (#"bind"#, nil), (#"edit on"#, nil), (#"bind ^"#, nil),
      (#"bind "\777" x"#, nil), (#"bind "\t\\" x"#, [0x09, 0x5C]),
    ] as [(String, [UInt8]?)])
  func bindsKey(_ text: String, _ bytes: [UInt8]?) {
    #expect(SettingLine.parse(text).map(\.boundKeySequence) == [bytes])
  }

  @Test(
    "is meant for the programs that its first word names",
    arguments: [
      ("bind ^A x", true), ("program:bind ^A x", true), ("prog:bind ^A x", true),
      ("other:bind ^A x", false), ("p.*:bind ^A x", true),
    ])
  func concerns(_ text: String, _ expected: Bool) {
    #expect(SettingLine.parse(text).map { $0.concerns("program") } == [expected])
  }
}
