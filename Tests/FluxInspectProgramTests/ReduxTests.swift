import Foundation
import TestFixtures
import Testing

@Suite("Sessions of Redux DevTools", .waiting)
struct ReduxTests {
  private let folder: TemporaryFolder

  private static let actions = [
    #"{"type":"ADD_TODO","id":0,"text":"milk"}"#, #"{"type":"ADD_TODO","id":1,"text":"eggs"}"#,
    #"{"type":"BOOM"}"#, #"{"type":"TOGGLE_TODO","id":1}"#,
  ]

  private static let session: String = {
    let milk = #"{"id":0,"text":"milk","completed":false}"#
    let eggs = #"{"id":1,"text":"eggs","completed":false}"#
    let states = [
      [], [milk], [milk, eggs], [milk, eggs], [milk, eggs.replacing("false", with: "true")],
    ]
    .map {
      #"{"state":{"todos":[\#($0.joined(separator: ","))],"visibilityFilter":"SHOW_ALL"}}"#
    }
    let entries = ([#"{"type":"@@INIT"}"#] + actions).enumerated().map { index, action in
      #""\#(index)":{"type":"PERFORM_ACTION","action":\#(action),"timestamp":\#(1_700_000_000_000 + index * 500)}"#
    }
    return #"{"actionsById":{\#(entries.joined(separator: ","))},"stagedActionIds":[0,1,2,3,4],"#
      + #""skippedActionIds":[3],"currentStateIndex":4,"computedStates":[\#(states.joined(separator: ","))]}"#
  }()

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.session, to: "session.json")
  }

  @Test("A session is imported beside its file, with a report")
  func imports() throws {
    let run = try ProgramRun(["import", "session.json"], in: folder)
    #expect(run == ProgramRun(0, "4 steps imported from session.json to session.jsonl\n"))
    #expect(try ProgramRun(["check", "session.jsonl"], in: folder) == ProgramRun(0))
    #expect(
      try ProgramRun(
        ["import", "session.json", "--format", "json", "--force", "--strict"], in: folder)
        == ProgramRun(0, "{\n  \"log\": \"session.jsonl\",\n  \"steps\": 4,\n  \"lost\": []\n}\n"))
    #expect(
      try ProgramRun(["import", "session.json"], in: folder)
        == ProgramRun(
          3,
          errors: """
            error: session.jsonl already exists
            hint: -o names another log; --force replaces this one

            """))
    #expect(
      try ProgramRun(["import", "session.jsonl"], in: folder)
        == ProgramRun(
          4,
          errors: """
            error: session.jsonl: this is already a log
            hint: open it with flux-inspect, without import

            """))
  }

  private static let note = """
    note: session.json is a Redux DevTools session, and was imported as 4 steps; 'flux-inspect import' makes a log \
    that stays

    """

  @Test("A session that is opened directly is imported into a temporary log, which is removed")
  func opens() throws {
    let run = try ProgramRun(
      [
        "session.json", "-g", "end", "-e", "print $.action.id", "-e",
        "print state.todos[1].completed",
      ],
      environment: ["TMPDIR": folder.path("")], in: folder)
    #expect(run.code == 0 && run.output == "1\ntrue\n")
    #expect(run.errors == Self.note)
    #expect(try !folder.names().contains { $0.hasSuffix("session.jsonl") })
  }

  @Test(
    "Every subcommand that takes a log takes a session, and says what the log cannot represent",
    arguments: [
      ("diff session.json session.json", "the same actions led to the same states\n"),
      ("check session.json", ""), ("stats session.json", nil), ("cat session.json", nil),
      ("report session.json -o report.html", ""),
    ] as [(String, String?)])
  func subcommands(_ line: String, _ output: String?) throws {
    let more = #","sketch":1}"#
    try folder.write((Self.session.dropLast() + more).utf8, to: "session.json")
    let run = try ProgramRun(line.split(separator: " ").map(String.init), in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.errors.hasPrefix(
        Self.note + "note: session.json: lost: other members of the session: 1, first at $.sketch\n"
      ),
      "\(run.errors)")
    if let output { #expect(run.output == output) }
  }

  @Test("A file of neither kind is an error of the log, and a damaged session one of the import")
  func others() throws {
    try folder.write(#"{"name":1}"#, to: "other.json")
    let other = try ProgramRun(["other.json", "-e", "info"], in: folder)
    #expect(
      other.code == 4 && other.errors.contains("a log starts with a header"), "\(other.errors)")
    try folder.write(Self.session.dropLast(20).utf8, to: "cut.json")
    let cut = try ProgramRun(["cut.json", "-e", "info"], in: folder)
    #expect(cut.code == 4 && cut.errors.hasPrefix("error: cut.json: byte "), "\(cut.errors)")
  }

  private static let example = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/ReduxHost")

  private static let hasNode =
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/node") }

  /// An app with the example's host and another reducer.
  private func app(_ reducer: String, _ name: String) throws -> String {
    let host = Self.example.appending(path: "replay-host.mjs").path()
    return try folder.writeExecutable(
      """
      #!/usr/bin/env node
      import { serveReplays } from "\(host)";
      import { reducer } from "\(Self.example.appending(path: "reducer.mjs").path())";
      await serveReplays("Todos", \(reducer));
      """, to: name)
  }

  private var environment: [String: String] {
    ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
  }

  @Test(
    "A Redux reducer verifies a session, and its bug is found", .enabled(if: hasNode, "needs node"))
  func verifies() throws {
    let app = Self.example.appending(path: "todos.mjs").path()
    _ = try ProgramRun(["import", "session.json"], in: folder)
    let good = try ProgramRun(
      ["verify", "session.jsonl", "--app", app], environment: environment, in: folder)
    #expect(good.code == 0)
    #expect(
      good.output == """
        passed: session.jsonl: 3 steps compared
          note: the log has no seed, so random numbers differ from the recorded ones
          note: 1 step not compared: in Redux DevTools, the user skipped it, or a reducer threw an error

        """, "\(good.errors)")
    let wrong = try self.app(
      "(s, a) => (a.type === 'TOGGLE_TODO' ? { ...s, todos: [] } : reducer(s, a))", "wrong.mjs")
    let bad = try ProgramRun(
      ["verify", "session.jsonl", "--app", wrong], environment: environment, in: folder)
    #expect(bad.code == 1)
    #expect(
      bad.output.contains(
        "after TOGGLE_TODO, the store state differs at /state/todos/0\n"),
      "\(bad.output)")
  }

  @Test("A fork and a shrink run a Redux reducer", .enabled(if: hasNode, "needs node"))
  func forks() throws {
    let app = Self.example.appending(path: "todos.mjs").path()
    let run = try ProgramRun(
      [
        "session.json", "--app", app, "-g", "end", "-e",
        "shrink state.todos[0].completed == true || length(state.todos) == 2",
        "-e", "switch 0", "-e", "fork 1", "-e",
        #"dispatch {"type":"ADD_TODO","id":7,"text":"tea"}"#, "-e",
        "print state.todos[*].text",
      ], environment: environment, in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.output.hasSuffix("state.todos[0].text = \"milk\"\nstate.todos[1].text = \"tea\"\n"),
      "\(run.output)")
  }

  @Test(
    "A host with other stores than the log cannot replay it", .enabled(if: hasNode, "needs node"))
  func otherStores() throws {
    let app = Self.example.appending(path: "todos.mjs").path()
    _ = try ProgramRun(["import", "session.json", "--slices"], in: folder)
    let run = try ProgramRun(
      ["session.jsonl", "--app", app, "-e", "redispatch .."], environment: environment, in: folder)
    #expect(
      run
        == ProgramRun(
          5,
          errors: """
            error: the app cannot be replayed: it defines none of the log's stores, which are todos, \
            visibilityFilter; it defines state

            """))
  }

  @Test("A host with slices serves a store for each", .enabled(if: hasNode, "needs node"))
  func slices() throws {
    let app = try app(#"reducer, ["todos", "visibilityFilter"]"#, "slices.mjs")
    _ = try ProgramRun(["import", "session.json", "--slices"], in: folder)
    let run = try ProgramRun(
      ["verify", "session.jsonl", "--app", app], environment: environment, in: folder)
    #expect(
      run.code == 0 && run.output.hasPrefix("passed: session.jsonl: 3 steps"),
      "\(run.output)\(run.errors)")
  }
}
