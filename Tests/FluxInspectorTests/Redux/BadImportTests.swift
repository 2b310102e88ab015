import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxInspector

@Suite struct BadImportTests {
  private static let lifted = Lifted.text(
    [Lifted.entry(#"{"type":"A"}"#)], states: [#"{"state":1}"#, #"{"state":2}"#])

  /// The error of an import, which leaves no log.
  private func error(_ text: String) throws -> String {
    let run = try ImportRun(text)
    #expect(run.subcommand.code == 4)
    #expect(try run.folder.names() == ["session.json"])
    return run.subcommand.diagnostics
  }

  @Test(
    "A file that is cut off at any byte is an error with a place", arguments: [0, 1, 2, 3, 4, 5, 6])
  func truncated(_ part: Int) throws {
    let text = Array(Self.lifted.utf8)
    for count in stride(from: part, to: text.count, by: 7) {
      let run = try ImportRun(text.prefix(count))
      #expect(run.subcommand.code == 4)
      #expect(
        run.subcommand.diagnostics.contains("session.json: "), "\(run.subcommand.diagnostics)")
    }
  }

  @Test("Values that are no JSON are errors with their byte and place")
  func values() throws {
    #expect(
      try error(Self.lifted.replacing(#""state":2"#, with: #""state":NaN"#))
        == "error: session.json: $.computedStates[1]: byte 300: unexpected 'N' (0x4E); not allowed at this place in a JSON value\n"
    )
    #expect(
      try error(
        Self.lifted.replacing(#""stagedActionIds":[0,1]"#, with: #""stagedActionIds":[0,1,7]"#))
        == "error: session.json: $.stagedActionIds[2]: there is no action 7 in actionsById\n")
    #expect(
      try error(Self.lifted.replacing("[0,1]", with: "[0,{}]"))
        == "error: session.json: $.stagedActionIds[1]: expected the id of an action\n")
    #expect(
      try error(Self.lifted.replacing(#"{"state":2}"#, with: "2"))
        == "error: session.json: $.computedStates[1]: expected an object with a member state\n")
    #expect(
      try error(#"{"payload":"[{\"type\":\"A\"},{\"type\":]"}"#)
        == "error: session.json: $.payload: byte 23: the text ends inside a JSON value; it was probably cut off\n"
    )
  }

  @Test("A thousand levels are an error, and so are a few too many for a line of a log")
  func depth() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    func session(_ value: String) -> String {
      Self.lifted.replacing(#""state":2"#, with: #""state":\#(value)"#)
    }
    #expect(
      try error(session(nested(1000)))
        == "error: session.json: $.computedStates[1]: byte 811: more than 512 arrays and objects inside each other\n"
    )
    #expect(
      try error(session(nested(505)))
        == "error: session.json: $.computedStates[1]: more than 504 arrays and objects inside each other, which a line "
        + "of a log cannot have\n")
    let deepest = try ImportRun(session(nested(503)))
    #expect(deepest.subcommand.code == 0)
    #expect(try deepest.timeline.log.findings.isEmpty)
    #expect(try error(nested(100_000)).hasPrefix("error: session.json: "))
  }

  @Test(
    "A file of another kind is an error that says what would be accepted",
    arguments: [
      ("", "an empty file"), ("{}", "an object without members"), ("3", "a single value"),
      (#"{"name":"x","version":1}"#, "an object with name, version"),
      ("[1,2]", "an array that begins with no action"),
      (#"[{"title":"a report","payload":"[]"}]"#, "an array that begins with no action"),
      (#"{"computedStates":[]}"#, "an object without members"),
    ])
  func unrecognized(_ text: String, _ found: String) throws {
    #expect(
      try error(text) == """
        error: session.json: not a Redux DevTools session: found \(found)
        hint: an import needs lifted state (actionsById, stagedActionIds, computedStates), an export of the browser \
        extension (payload, preloadedState), or an array of actions

        """)
  }

  @Test("JSON Lines that are no log are an error that says what would be accepted")
  func severalValues() throws {
    let line = #"{"action":{"type":"a"},"state":1}"#
    #expect(
      try error("\(line)\n\(line)\n") == """
        error: session.json: byte 34: unexpected text after the JSON value
        hint: an import needs lifted state (actionsById, stagedActionIds, computedStates), an export of the browser \
        extension (payload, preloadedState), or an array of actions

        """)
  }

  @Test("A string that contains no session is an error that says what would be accepted")
  func string() throws {
    #expect(
      try error(#""hello""#) == """
        error: session.json: the string: $: byte 0: unexpected 'h' (0x68); not allowed at this place in a JSON value
        hint: an import needs lifted state (actionsById, stagedActionIds, computedStates), an export of the browser \
        extension (payload, preloadedState), or an array of actions

        """)
  }

  @Test("References that expand without end are an error")
  func expansion() throws {
    // Each state contains the one before twice. The text is long, so that few values reach the limit.
    let states = (1...40).map { index in
      #"{"state":[{"$jsan":"$.computedStates[\#(index - 1)].state"},{"$jsan":"$.computedStates[\#(index - 1)].state"}]}"#
    }
    let run = try ImportRun(
      Lifted.text(
        (1...40).map { _ in Lifted.entry(#"{"type":"A"}"#) },
        states: [#"{"state":"\#(String(repeating: "x", count: 1_000_000))"}"#] + states))
    #expect(run.subcommand.code == 4)
    #expect(
      run.subcommand.diagnostics.contains("the references in this value expand to more than 64 MB"))
  }

  @Test("Random changes of a session never crash an import")
  func mutations() throws {
    var random = SeededGenerator()
    let text = Array(Self.lifted.utf8)
    for _ in 0..<300 {
      var changed = text
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<changed.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
        case 1: changed.remove(at: place)
        default:
          changed.insert(Array(#"{}[]",:0"#.utf8).randomElement(using: &random) ?? 0, at: place)
        }
      }
      let run = try ImportRun(changed)
      #expect(
        [0, 4].contains(run.subcommand.code),
        "seed \(SeededGenerator.seed): \(run.subcommand.diagnostics)")
      guard run.subcommand.code == 0 else { continue }
      #expect(
        try run.timeline.log.findings.allSatisfy { !$0.problem.isDamage },
        "seed \(SeededGenerator.seed)")
    }
  }

  @Test("Many actions are imported from places, not from memory")
  func many() throws {
    let count = 20_000
    let actions = (0...count).map { #""\#($0)":{"action":{"type":"A"},"timestamp":1}"# }
      .joined(separator: ",")
    let ids = (0...count).map(String.init).joined(separator: ",")
    let run = try ImportRun(#"{"stagedActionIds":[\#(ids)],"actionsById":{\#(actions)}}"#)
    #expect(run.subcommand.results.contains(#""steps":20000,"lost":[]"#))
  }
}
