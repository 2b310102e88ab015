import FluxJSON
import FluxLog
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct OutputTests {
  private let hostile = [
    #"{"flux":"1.0","stores":{"a":{"initial":{"x":"\u001b[31m","y":""# + "\u{9B}31m\u{7F}\u{202E}"
      + #""}}}}"#,
    #"{"n":1,"t":0,"action":{"type":"a\u001b]0;\u0007"# + "\u{9B}" + #"b"}}"#,
  ]

  @Test("No value of a log can send a terminal anything, in any format")
  func controls() throws {
    var inspection = try Inspection(hostile)
    let lines = [
      "step", "state", "print $.action", "print a.y", "action", "goto $a\u{1B}b", "x\u{9B}",
    ]
    for line in lines {
      for text in [try inspection.text(line), try inspection.json(line)] {
        let controls = text.unicodeScalars.filter { scalar in
          scalar != "\n" && (scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value))
        }
        #expect(controls.isEmpty, "\(line)")
      }
    }
    #expect(try inspection.text("print a.x") == #""\u001b[31m""# + "\n")
    #expect(try inspection.text("print a.y") == #""\u009b31m\u007f\u202e""# + "\n")
    #expect(
      try inspection.text("goto 1") == #"1 a\u001b]0;\u0007\u009bb +0s"# + "\n  changed: nothing\n")
  }

  @Test("No name in an error begins a line, or a command of a CI service")
  func commands() throws {
    var inspection = try Inspection([
      ###"{"flux":"1.0","stores":{"a\n::error::x":{"initial":{}},"##[group]":{"initial":"::\u200b##[x]"}}}"###,
      #"{"gap":{"from":1,"to":1,"why":"paused"}}"#,
      #"{"n":2,"t":1,"action":{"type":"::notice::y"},"rejected":{"reason":"::r","message":"m\n::m::"}}"#,
      #"{"end":{"steps":1,"ok":true}}"#,
    ])
    #expect(
      try inspection.text("goto 2") == #"""
        2 ::notice::y +1s
          rejected: ::r: m\u000a::m::
        note: step 1 is not in the log: paused

        """#)
    let unknown =
      "unknown at step 2: lines before it are missing\n"
      + "hint: a state is known again when its store is next written whole: try 'step', or go back\n"
    #expect(
      try inspection.text("state")
        == #"error: the states of ##\u005bgroup], a\n::error::x are "# + unknown)
    #expect(
      try inspection.text("state 'a\n::error::x'")
        == #"error: the state of a\n::error::x is "# + unknown)
    #expect(
      try inspection.text("source '\n::f'").hasPrefix(#"error: cannot open \n::f: "#))
    _ = try inspection.text("goto start")
    #expect(
      try inspection.json("state '##[group]'")
        == #"{"command":"state '##\u005bgroup]'","ok":true,"position":0,"result":{"value":"::\u200b##\u005bx]"}}"#
        + "\n")
  }

  @Test("JSON that is laid out in pieces of any size means the same")
  func layout() throws {
    let text = #" { "a" : [ ] , "b" : [ 1 , { } , { "c\"\\" : "d , { é\#u{9B}\#u{A9}" } ] } "#
    let bytes = Array(text.utf8)
    for size in 1...bytes.count {
      for (style, expected) in [
        (JSONStreamLayout.Style.line, #"{"a":[],"b":[1,{},{"c\"\\":"d , { é\u009b©"}]}"#),
        (
          .pretty,
          """
          {
            "a": [],
            "b": [
              1,
              {},
              {
                "c\\"\\\\": "d , { é\\u009b©"
              }
            ]
          }
          """
        ),
      ] {
        var found: [UInt8] = []
        var sink = ByteSink { found += $0 }
        var layout = JSONStreamLayout(style)
        for start in stride(from: 0, to: bytes.count, by: size) {
          try layout.append(Array(bytes[start..<min(start + size, bytes.count)]), to: &sink)
        }
        try sink.flush()
        #expect(String(decoding: found, as: UTF8.self) == expected)
      }
    }
  }

  @Test(
    "A long value is handed on in pieces, in every format", arguments: OutputFormatName.allCases)
  func pieces(format: OutputFormatName) throws {
    let items = (0..<5_000).map { #"{"id":\#($0),"title":"to do"}"# }.joined(separator: ",")
    var inspection = try Inspection([
      #"{"flux":"1.0","stores":{"todos":{"initial":{"items":[\#(items)]}}}}"#
    ])
    for line in ["state", "print todos.items[*].id"] {
      let output = inspection.console.run(line)
      var sizes: [Int] = []
      try format.format().write(
        try #require(output), to: ByteSink { sizes.append($0.count) },
        diagnostics: ByteSink { _ in })
      #expect(sizes.count > 1)
      #expect(sizes.allSatisfy { $0 < 70_000 })
    }
  }

  @Test("Colours are around the words and nowhere else")
  func colors() throws {
    var inspection = try Inspection()
    let output = inspection.console.run("step")
    var text = ""
    try OutputFormatName.text.format(palette: .ansi).write(
      try #require(output), to: ByteSink { text += String(decoding: $0, as: UTF8.self) },
      diagnostics: ByteSink { _ in })
    #expect(
      text == """
        \u{1B}[33m1 \u{1B}[0m\u{1B}[36mtodo/add\u{1B}[0m {"title":"milk"}\u{1B}[2m +0.5s\u{1B}[0m
        \u{1B}[2m  changed: todos\u{1B}[0m

        """)
  }
}
