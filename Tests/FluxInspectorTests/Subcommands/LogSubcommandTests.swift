import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxCorpus
@testable import FluxInspector

@Suite struct LogSubcommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ subcommand: Subcommand, _ format: OutputFormatName = .text,
    services: Services = Services(),
    isTerminal: Bool = false
  ) throws -> SubcommandRun {
    try SubcommandRun(subcommand, format, services: services, isTerminal: isTerminal, in: folder)
  }

  @Test("cat gives the lines of steps as they are, of a range and of types")
  func cat() throws {
    let log = try folder.log(TodoLog.lines)
    let all = try run(.cat(log))
    #expect(all.results == TodoLog.steps.map { $0 + "\n" }.joined())
    #expect(all.code == 0 && all.diagnostics.isEmpty)
    #expect(
      try run(.cat(log, range: "2..3")).results
        == TodoLog.steps[1...2].map { $0 + "\n" }.joined())
    #expect(
      try run(.cat(log, range: "3..", types: Glob("*/add"))).results
        == TodoLog.steps[2...3].map { $0 + "\n" }.joined())
    let wrong = try run(.cat(log, range: "x"))
    #expect(wrong.code == 2 && wrong.results.isEmpty)
    #expect(try run(.cat(log, range: "9")).code == 3)
  }

  @Test("cat with states has the whole model of each step, and no sum")
  func catStates() throws {
    let log = try folder.log(TodoLog.lines)
    #expect(
      try run(.cat(log, withStates: true, range: "6..7")).results == #"""
        {"n":6,"t":4.500000,"action":{"type":"search/open"},"target":"search","states":{"search":{"query":""}},"state":{"search":{"query":""},"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]}}}
        {"n":7,"t":4.750000,"action":{"type":"search/type","payload":"mi"},"cause":6,"states":{"search":{"query":"mi"}},"state":{"search":{"query":"mi"},"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]}}}

        """#)
  }

  @Test("cat of a damaged log gives what is usable, and exits with 4")
  func catDamage() throws {
    let log = try folder.log(TodoLog.withDamage)
    let found = try run(.cat(log, withStates: true, range: "2..4"))
    #expect(
      found.results == #"""
        {"n":2,"t":1.000000,"action":{"type":"todo/saved","payload":{"id":1}},"cause":1,"effect":"save","at":"Todos.swift:12","state":{"todos":{"items":[{"done":false,"id":1,"title":"milk"}]}}}
        {"n":4,"t":2.000000,"action":{"type":"todo/add","payload":{"title":""}},"rejected":{"reason":"invalid","message":"a title is needed","store":"todos"},"state":{},"unknown":["search","todos"]}

        """#)
    #expect(found.diagnostics == "note: log.jsonl is damaged: 'check' shows where\n")
    #expect(found.code == 4)
  }

  @Test("cat with states tells of changes that do not apply, where it builds them")
  func catChanges() throws {
    let steps = [
      #"{"n":1,"t":0,"action":{"type":"a"},"patches":{"s":[{"op":"remove","path":"/nope"}]}}"#,
      #"{"n":2,"t":1,"action":{"type":"a"},"removed":["f"]}"#,
    ]
    let header = #"{"flux":"1.0","stores":{"s":{"initial":{}},"f":{"feature":true}}}"#
    let log = try folder.log([header] + steps)
    let plain = try run(.cat(log))
    #expect(plain.results == steps.map { $0 + "\n" }.joined())
    #expect(plain.diagnostics.isEmpty && plain.code == 0)
    let models = try run(.cat(log, withStates: true))
    #expect(
      models.results == #"""
        {"n":1,"t":0,"action":{"type":"a"},"patches":{"s":[{"op":"remove","path":"/nope"}]},"state":{},"unknown":["s"]}
        {"n":2,"t":1,"action":{"type":"a"},"removed":["f"],"state":{},"unknown":["s"]}

        """#)
    #expect(
      models.diagnostics == #"""
        note: damage: log.jsonl: line 2, step 1, byte 50: the patch for the store s does not apply: operation 0 (remove "/nope"): the document has no member "nope" (pointer "/nope")
        note: damage: log.jsonl: line 3, step 2, byte 45: the feature f is removed, but was not present
        note: log.jsonl is damaged: 'check' shows where

        """#)
    #expect(models.code == 4)
  }

  @Test("cat of a log whose step after a gap is a patch exits with 4, as check does")
  func catGap() throws {
    let log = try folder.log([
      #"{"flux":"1.0","stores":{"s":{"initial":{}}}}"#,
      #"{"gap":{"from":1,"to":2,"why":"paused"}}"#,
      #"{"n":3,"t":1,"action":{"type":"a"},"patches":{"s":[]}}"#,
    ])
    let found = try run(.cat(log))
    #expect(found.diagnostics == "note: log.jsonl is damaged: 'check' shows where\n")
    #expect(try found.code == 4 && run(.check([log])).code == 4)
  }

  @Test("cat never gives a terminal a sign that it obeys, and anybody else the bytes as they are")
  func controls() throws {
    let step = #"{"n":1, "t":0,"action":{"type":"a"# + "\u{9B}\u{7F}" + #"b"}}"#
    let log = try folder.log([#"{"flux":"1.0"}"#, step])
    #expect(
      try run(.cat(log), isTerminal: true).results == #"""
        {"n":1,"t":0,"action":{"type":"a\u009b\u007fb"}}

        """#)
    #expect(try run(.cat(log)).results == step + "\n")
  }

  @Test("cat shows a terminal what it would show as nothing or in another order")
  func invisible() throws {
    let step =
      #"{"n":1,"t":0,"action":{"type":"a"# + "\u{200B}\u{FEFF}\u{202E}❤\u{FE0F}\u{E0041}" + #""}}"#
    let log = try folder.log([#"{"flux":"1.0"}"#, step])
    #expect(
      try run(.cat(log), isTerminal: true).results
        == #"{"n":1,"t":0,"action":{"type":"a\u200b\ufeff\u202e❤"# + "\u{FE0F}"
        + #"\udb40\udc41"}}"# + "\n")
    #expect(try run(.cat(log)).results == step + "\n")
  }

  @Test("an end that is torn is said once by each subcommand that leaves it out")
  func tornEnd() throws {
    let text = ([TodoLog.header] + TodoLog.steps).joined(separator: "\n")
    let log = try folder.write(text.dropLast(9).utf8, to: "torn.jsonl")
    let sound = try folder.log(TodoLog.lines)
    let note = "note: torn.jsonl: the last line is truncated, and left out\n"
    #expect(try run(.cat(log)).diagnostics == note)
    #expect(try run(.stats([sound, log])).diagnostics == note)
    #expect(try run(.diff(sound, log)).diagnostics == note)
    #expect(try run(.cat(log)).code == 0)
  }

  @Test("check lists what is wrong, for programs and for people, and exits with 4 for damage")
  func check() throws {
    let sound = try folder.log(TodoLog.lines, "sound.jsonl")
    let open = try folder.log([TodoLog.header] + TodoLog.steps, "open.jsonl")
    let damaged = try folder.log(TodoLog.withDamage, "damaged.jsonl")
    let clean = try run(.check([sound]), .ndjson)
    #expect(clean.results.isEmpty && clean.diagnostics.isEmpty && clean.code == 0)
    let noEnd = try run(.check([open]))
    #expect(
      noEnd.results == """
        note: line 10, byte 0: there is no end line: the recorder was not closed, or is still recording

        """)
    #expect(noEnd.code == 0)
    let found = try run(.check([damaged]), .ndjson)
    #expect(
      found.results == """
        {"line":4,"step":3,"byte":16,"kind":"json","message":"the line is damaged: the text ends inside a JSON value; it was probably cut off"}

        """)
    #expect(found.code == 4)
    let several = try run(.check([sound, folder.path("none.jsonl"), damaged]))
    #expect(
      several.results == """
        damaged.jsonl: damage: line 4, step 3, byte 16: the line is damaged: the text ends inside a JSON value; it was probably cut off

        """)
    #expect(
      several.diagnostics == """
        error: none.jsonl: cannot open: No such file or directory

        """)
    #expect(several.code == 4)
  }

  @Test("check continues after a session that cannot be imported")
  func unimportable() throws {
    let damaged = try folder.log(TodoLog.withDamage, "damaged.jsonl")
    var services = Services()
    services.open = { path in
      guard path == "five.jsonl" else { return try LogFile.open(path) }
      throw CommandError(.unreadable, "\(path): not a session: found 5", hint: "name a session")
    }
    let found = try run(.check(["five.jsonl", damaged]), services: services)
    #expect(found.code == 4)
    #expect(found.results.hasPrefix("damaged.jsonl: damage: line 4, step 3, byte 16: "))
    #expect(
      found.diagnostics == """
        error: five.jsonl: not a session: found 5
        hint: name a session

        """)
  }

  /// Copies a log with an action in flight; returns its path.
  private func crashedLog() throws -> String {
    let recordings = URL(filePath: #filePath).appending(path: "../../../../Recordings").standardized
    for name in ["crash.jsonl", "crash.jsonl.inflight"] {
      try FileManager.default.copyItem(
        at: recordings.appending(path: name), to: folder.url(name))
    }
    return folder.path("crash.jsonl")
  }

  @Test("check names the steps in flight, and the command that rebuilds them")
  func inFlight() throws {
    let log = try crashedLog()
    let found = try run(.check([log]))
    #expect(found.code == 0)
    #expect(found.diagnostics == "")
    #expect(
      found.results == """
        note: line 5, byte 0: there is no end line: the recorder was not closed, or is still recording
        note: line 5, step 4: in flight: step 4 basket/split, begun, but not finished; 'repair crash.jsonl -o OUT' leaves it out; the payload is {"people":0}

        """)
    let json = try run(.check([log]), .ndjson)
    #expect(
      json.results.hasSuffix(
        #"{"line":5,"step":4,"byte":0,"kind":"in-flight","message":"in flight: step 4 basket/split, begun, but "#
          + #"not finished; 'repair crash.jsonl -o OUT' leaves it out","payload":{"people":0}}"#
          + "\n"))
  }

  @Test("repair writes a copy, says what was lost, and never overwrites a file")
  func repair() throws {
    let log = try folder.log(TodoLog.withDamage)
    let copy = folder.path("copy.jsonl")
    let found = try run(.repair(log, to: copy))
    #expect(
      found.results == """
        copy.jsonl: 7 steps kept, 1 line left out
          step 3 is not in the log: damaged

        """)
    #expect(found.code == 0)
    #expect(try run(.check([copy])).code == 0)
    let again = try run(.repair(log, to: copy), .ndjson)
    #expect(again.code == 3 && again.results.isEmpty)
    #expect(
      again.diagnostics == """
        error: copy.jsonl already exists
        hint: a repaired log is a new file: name one that does not exist

        """)
    let other = folder.path("other.jsonl")
    #expect(
      try run(.repair(log, to: other), .ndjson).results == """
        {"file":"other.jsonl","steps":7,"dropped":1,"gaps":[{"from":3,"to":3,"why":"damaged"}]}

        """)
  }

  @Test("repair says that it keeps usable steps in which check still finds a fault")
  func repairSuspect() throws {
    let log = try folder.log([
      #"{"flux":"1.2"}"#, #"{"n":1,"t":2,"action":{"type":"a"}}"#,
      #"{"n":2,"t":1,"action":{"type":"a"},"cause":2}"#, #"{"end":{"steps":2,"ok":true}}"#,
    ])
    let copy = folder.path("copy.jsonl")
    #expect(
      try run(.repair(log, to: copy)).results == """
        copy.jsonl: 2 steps kept, 0 lines left out
          1 usable step kept as it is, although 'check' finds a fault in it

        """)
    #expect(try run(.check([copy])).code == 4)
  }

  @Test("repair without an app says that actions in flight are left out, and which")
  func repairInFlight() throws {
    let log = folder.path("log.jsonl")
    let writer = try LogWriter(path: log, header: LogHeader(stores: [.init(name: "a")]))
    let time = LogTime(microseconds: 1)
    // The app is still at it.
    _ = writer.begin(step: 1, at: time, action: LogValue(json: ["type": "x", "payload": ["a": 1]]))
    try writer.flush()
    #expect(
      try run(.repair(log, to: folder.path("copy.jsonl"))).results == """
        copy.jsonl: 0 steps kept, 0 lines left out
          1 action in flight left out; none had ended, so an app cannot rebuild a step
            step 1 x, begun, but not finished: {"a":1}

        """)
    #expect(
      try run(.repair(log, to: folder.path("other.jsonl")), .ndjson).results == """
        {"file":"other.jsonl","steps":0,"dropped":0,"gaps":[],"inFlight":1,"actions":[{"n":1,"type":"x","committed":false,"payload":{"a":1}}]}

        """)
    try writer.close()
  }

  @Test("check and repair promise only the steps that an app can rebuild")
  func rebuildable() throws {
    let log = folder.path("log.jsonl")
    func found(
      _ numbers: [UInt64], after line: String
    ) throws -> (check: [String], repair: String) {
      try folder.write(
        #"{"flux":"1.1","log":"a","stores":{"a":{"initial":0}}}"# + "\n\(line)\n", to: "log.jsonl")
      let actions = numbers.map { number in
        InFlightAction(
          number: number, time: LogTime(microseconds: 1), type: "x", action: ["type": "x"],
          isCommitted: true)
      }
      try InFlightCopy.write(actions, beside: log)
      let advice = try run(.check([log])).results.split(separator: "\n").suffix(numbers.count)
        .map { $0.hasSuffix("rebuilds it") ? "rebuilds" : "leaves out" }
      let copy = folder.path("copy-\(numbers[0])-\(line.count).jsonl")
      let lines = try run(.repair(log, to: copy)).results.split(separator: "\n")
      return (advice, String(lines.first { $0.contains("in flight left out") } ?? ""))
    }
    let step = #"{"n":1,"t":0,"action":{"type":"x"},"states":{"a":1}}"#
    let hole = try found([2, 4], after: step)
    #expect(hole.check == ["rebuilds", "leaves out"])
    #expect(hole.repair == "  2 actions in flight left out; --app PATH rebuilds 1 step")
    let late = try found([3], after: step)
    #expect(late.check == ["leaves out"])
    #expect(late.repair == "  1 action in flight left out; an app cannot rebuild a step")
    // The log lacks the changes made during the pause.
    let paused = try found([3], after: #"{"gap":{"from":1,"to":2,"why":"paused"}}"#)
    #expect(paused.check == ["leaves out"])
    #expect(paused.repair == late.repair)
  }

  @Test("stats counts each log, and continues after one that cannot be read")
  func stats() throws {
    let log = try folder.log(TodoLog.lines)
    #expect(
      try run(.stats([log])).results == """
        8 steps in 10 s, 1366 bytes
        3 todo/add
        1 search/open
        1 search/type
        1 todo/clear
        1 todo/saved
        1 todo/toggle

        """)
    let damaged = try folder.log(TodoLog.withDamage, "damaged.jsonl")
    #expect(
      try run(.stats([damaged])).diagnostics == """
        note: damaged.jsonl is damaged: only its usable steps are counted

        """)
    let several = try run(.stats([log, folder.path("none.jsonl"), log]), .ndjson)
    #expect(
      several.results == """
        {"file":"log.jsonl","steps":8,"types":[{"type":"todo/add","count":3},{"type":"search/open","count":1},{"type":"search/type","count":1},{"type":"todo/clear","count":1},{"type":"todo/saved","count":1},{"type":"todo/toggle","count":1}],"bytes":1366,"duration":10}
        {"file":"log.jsonl","steps":8,"types":[{"type":"todo/add","count":3},{"type":"search/open","count":1},{"type":"search/type","count":1},{"type":"todo/clear","count":1},{"type":"todo/saved","count":1},{"type":"todo/toggle","count":1}],"bytes":1366,"duration":10}

        """)
    #expect(several.code == 4)
  }

  @Test("What is interrupted exits with 130")
  func interruption() throws {
    let log = try folder.log(TodoLog.lines)
    let other = try folder.log(TodoLog.lines, "other.jsonl")
    #expect(try run(.cat(log), services: .interrupted).code == 130)
    #expect(try run(.check([log]), services: .interrupted).code == 130)
    #expect(try run(.diff(log, other), services: .interrupted).code == 130)
    let found = try run(
      .repair(log, to: folder.path("copy.jsonl")), services: .interrupted)
    #expect(found.code == 130)
    #expect(throws: LogError.self) { try LogFile.open(folder.path("copy.jsonl")) }
    let waiting = Subcommand.repair(
      try crashedLog(), to: folder.path("copy.jsonl"), app: InterruptedApp())
    #expect(try run(waiting).code == 130)
    #expect(throws: LogError.self) { try LogFile.open(folder.path("copy.jsonl")) }
  }
}

/// An app that the user no longer waits for.
private struct InterruptedApp: ReplayApp {
  func describe() throws(ReplayFailure) -> AppDescription { throw ReplayFailure(.cancelled) }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    throw ReplayFailure(.cancelled)
  }
}
