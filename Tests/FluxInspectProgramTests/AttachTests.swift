import FluxSystem
import Foundation
import TerminalTesting
import TestFixtures
import Testing

/// Sessions with the TodoMVC example, in processes of their own.
@Suite("flux-inspect attach", .waiting) struct AttachTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("run"), withIntermediateDirectories: true)
  }

  /// The apps are listed in the folder, and so are the copies of logs that a session keeps.
  private var environment: [String: String] {
    folder.userFolders.merging(
      ["XDG_RUNTIME_DIR": folder.path("run"), "TMPDIR": folder.path("")]
    ) { $1 }
  }

  /// Starts the app at a terminal; it serves as soon as its screen is drawn.
  private func startApp(_ log: String = "todo.jsonl") throws -> Terminal {
    let app = try Terminal(
      [BuiltProduct.path("todomvc-example"), "--record", folder.path(log)],
      environment: environment)
    try app.type("add milk\n")
    try app.wait(for: "[ ] 1 milk")
    return app
  }

  private func attach(_ arguments: [String] = [], prompt: String) throws -> Terminal {
    let inspector = try Terminal(
      [BuiltProduct.path("flux-inspect"), "attach"] + arguments, environment: environment,
      columns: 120)
    try inspector.wait(forLine: prompt)
    return inspector
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun(
      ["attach"] + arguments, environment: ["XDG_RUNTIME_DIR": folder.path("run")], in: folder)
  }

  private var sockets: [String] {
    get throws { try folder.names().filter { $0.hasSuffix(".sock") } }
  }

  @Test("the app redraws while somebody scrubs, and shows its newest state after that")
  func scrub() throws {
    let app = try startApp()
    let inspector = try attach(["TodoMVC"], prompt: "(TodoMVC live 2 todo/saved)")
    try inspector.type(#"dispatch {"type":"todo/add","payload":{"title":"jam"}}"# + "\n")
    try app.wait(for: "[ ] 2 jam")
    try inspector.wait(forLine: "(TodoMVC live 4 todo/saved)")
    try inspector.type("show on\n")
    try inspector.type("goto 1\n")
    try inspector.wait(forLine: "(TodoMVC 1/4… shown todo/add)")
    try app.wait(for: "the screen of the past") { !$0.text.contains("jam") }
    try inspector.type("start\n")
    try app.wait(for: "the screen of the start") { $0.text.contains("0 items left") }
    try inspector.type("end\n")
    try inspector.wait(forLine: "(TodoMVC live 4 todo/saved)")
    try app.wait(for: "[ ] 2 jam")
    try inspector.quit(prompt: "(TodoMVC live 4 todo/saved)")
    #expect(!(try folder.text(of: "todo.jsonl").contains("gap")))
  }

  @Test("new steps move a session along that is live, and not one in the past")
  func following() throws {
    let app = try startApp()
    let inspector = try attach(prompt: "(TodoMVC live 2 todo/saved)")
    try app.type("add tea\n")
    try inspector.wait(forLine: "(TodoMVC live 4 todo/saved)")
    try inspector.run("back", prompt: "(TodoMVC 3/4… todo/add)")
    try app.type("toggle 1\n")
    try inspector.wait(forLine: "(TodoMVC 3/6… todo/add)")
    try inspector.run("end", prompt: "(TodoMVC live 6 todo/saved)")
    try inspector.quit(prompt: "(TodoMVC live 6 todo/saved)")
  }

  @Test("a paused app ignores its user, and a restored one continues from there")
  func pauseAndRestore() throws {
    let app = try startApp()
    let inspector = try attach(prompt: "(TodoMVC live 2 todo/saved)")
    try app.type("add tea\n")
    try inspector.wait(forLine: "(TodoMVC live 4 todo/saved)")
    try inspector.run("pause", prompt: "(TodoMVC live 4 paused todo/saved)")
    try app.type("add jam\n")
    try inspector.run("goto 2", prompt: "(TodoMVC 2/4… paused todo/saved)")
    try inspector.run("show", prompt: "(TodoMVC 2/4… paused todo/saved)")
    try app.wait(for: "the screen of the past") { !$0.text.contains("[ ] 2 tea") }
    try inspector.run("restore", prompt: "(TodoMVC live 4 restored todo/saved)")
    try app.type("add pie\n")
    try app.wait(for: "[ ] 2 pie")
    try inspector.wait(forLine: "(TodoMVC live 6 todo/saved)")
    try inspector.quit(prompt: "(TodoMVC live 6 todo/saved)")
    try app.type(bytes: [4])
    #expect(try app.waitForEnd() == .code(0))
    #expect(try sockets == [])
    let verified = try ProgramRun(
      ["verify", "todo.jsonl", "--app", BuiltProduct.path("todomvc-example")], in: folder)
    #expect(verified.code == 0)
    #expect(verified.output.hasPrefix("passed: todo.jsonl: 6 steps compared\n"))
  }

  @Test("if an inspector is killed, the app shows its newest state and obeys its user")
  func killedInspector() throws {
    let app = try startApp()
    let inspector = try attach(prompt: "(TodoMVC live 2 todo/saved)")
    try inspector.run("pause", prompt: "(TodoMVC live 2 paused todo/saved)")
    try inspector.run("goto start", prompt: "(TodoMVC start/2… paused)")
    try inspector.run("show", prompt: "(TodoMVC start/2… paused)")
    try app.wait(for: "the screen of the start") { $0.text.contains("0 items left") }
    inspector.signal(SIGKILL)
    try app.wait(for: "the newest screen") { $0.text.contains("[ ] 1 milk") }
    try app.type("add tea\n")
    try app.wait(for: "[ ] 2 tea")
  }

  @Test("a session says so if the app runs on and its log does not")
  func failedRecording() throws {
    // The Thread Sanitizer writes a larger file at the start of a program, unless there is no folder for it.
    let app = try Terminal(
      [
        "/bin/sh", "-c", "ulimit -f 8; TMPDIR=/nonexistent exec \"$0\" --record \"$1\"",
        BuiltProduct.path("todomvc-example"), folder.path("todo.jsonl"),
      ], environment: environment)
    try app.type("add milk\n")
    try app.wait(for: "[ ] 1 milk")
    let inspector = try attach(prompt: "(TodoMVC live 2 todo/saved)")
    for _ in 1...8 { try app.type("add \(String(repeating: "x", count: 1000))\n") }
    try inspector.wait(for: "the log was closed, but its last steps may be missing")
    try inspector.wait(for: "recording may have failed")
  }

  @Test(
    "a batch fails if the copy that it keeps could not be completed",
    .disabled(if: ProgramRun.isSanitized, "the sanitizer writes a larger file"))
  func failedCopy() throws {
    let app = try startApp()
    let title = String(repeating: "x", count: 9000)
    let run = try ProgramRun(
      [
        "attach", "--keep", "kept.jsonl", "-e",
        #"dispatch {"type":"todo/add","payload":{"title":"\#(title)"}}"#, "-e", "goto 1",
      ], environment: environment, through: ["/bin/sh", "-c", "ulimit -f 8; exec \"$0\" \"$@\""],
      in: folder)
    #expect(run.code == 3)
    #expect(
      run.errors.hasSuffix(
        """
        error: the copy of the app's log is not complete: kept.jsonl: cannot write: File too large

        """), "\(run.errors)")
    withExtendedLifetime(app) {}
  }

  @Test("if the app is killed, the session stays, and the socket is cleared away")
  func killedApp() throws {
    let app = try startApp()
    let inspector = try attach(prompt: "(TodoMVC live 2 todo/saved)")
    app.signal(SIGKILL)
    try inspector.wait(for: "the app has ended without closing its log, which stays open")
    try inspector.wait(forLine: "(TodoMVC 2/2… todo/saved)")
    try inspector.type("show 1\n")
    try inspector.wait(for: "error: the app has ended")
    try inspector.type("app\n")
    try inspector.wait(for: "the same error of 'app'") {
      $0.text.components(separatedBy: "error: the app has ended").count == 3
    }
    try inspector.run("back", prompt: "(TodoMVC 1/2… todo/add)")
    #expect(try sockets.count == 1)
    #expect(
      try run()
        == ProgramRun(
          3,
          errors: """
            error: no running app to attach to
            hint: start an app that has an AppHost, as the same user; see docs/app-protocol.md

            """))
    #expect(try sockets == [])
  }

  /// Starts the app where this side has no path to its log: a path through its own folder leads elsewhere here.
  private func startAppElsewhere() throws -> Terminal {
    try FileManager.default.createDirectory(
      at: folder.url("device/tmp"), withIntermediateDirectories: true)
    let app = try Terminal(
      [
        "/bin/sh", "-c",
        "cd \"$HOME\" && exec \(BuiltProduct.path("todomvc-example")) --record /proc/self/cwd/todo.jsonl",
      ],
      environment: environment.merging(
        ["HOME": folder.path("device"), "TMPDIR": folder.path("device/tmp")]
      ) { $1 })
    try app.type("add milk\n")
    try app.wait(for: "[ ] 1 milk")
    return app
  }

  @Test(
    "a log that this side cannot open is copied, through a crash of the app and its next launch",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/cwd")))
  func copied() throws {
    let app = try startAppElsewhere()
    let inspector = try attach(prompt: "(TodoMVC live 2 todo/saved)")
    try app.type("add tea\n")
    try inspector.wait(forLine: "(TodoMVC live 4 todo/saved)")
    try inspector.type(#"dispatch {"type":"todo/add","payload":{"title":"jam"}}"# + "\n")
    try app.wait(for: "[ ] 3 jam")
    try inspector.wait(forLine: "(TodoMVC live 6 todo/saved)")
    app.signal(SIGSTOP)
    try inspector.wait(for: "the app is not responding")
    app.signal(SIGCONT)
    try inspector.wait(for: "the app responds again")
    let kept = folder.path("kept.jsonl")
    #expect(try run("--keep", kept, "-e", "info").code == 0)
    #expect(try folder.text(of: "kept.jsonl") == folder.text(of: "device/todo.jsonl"))
    app.signal(SIGKILL)
    try inspector.wait(
      for:
        "the app has ended without closing its log: crashed after step 6; relaunch to see the action"
    )
    let next = try startAppElsewhere()
    try inspector.wait(for: "no action was in flight when it ended")
    #expect(
      try run("--keep", kept, "-e", "info").errors == """
        error: \(kept) is the copy of another log
        hint: name another file after --keep

        """)
    try inspector.type("quit\n")
    try inspector.wait(for: "the app ended without closing its log; the copy is kept: ")
    withExtendedLifetime(next) {}
  }

  @Test("two apps of one name are told apart by their numbers")
  func twoApps() throws {
    let apps = [try startApp("one.jsonl"), try startApp("two.jsonl")]
    let list = try run("--list")
    let rows = list.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.map { $0[1...2].joined(separator: " ") } == ["TodoMVC 1.0", "TodoMVC 1.0"])
    let numbers = rows.map { String($0[0]) }
    #expect(
      try run("TodoMVC")
        == ProgramRun(
          2,
          errors: """
            error: 2 running apps named TodoMVC: TodoMVC (\(numbers[0])), TodoMVC (\(numbers[1]))
            hint: name one by its number: flux-inspect attach \(numbers[0])

            """))
    for (number, row) in zip(numbers, rows) {
      let info = try run(number, "-e", "info")
      #expect(info.code == 0)
      #expect(info.output.hasPrefix("file: \(row[3])\n"))
    }
    #expect(
      try run("Shop").errors
        == "error: no running app is named Shop; running: TodoMVC (\(numbers[0])), TodoMVC (\(numbers[1]))\n"
    )
    withExtendedLifetime(apps) {}
  }

  @Test("a batch reaches the app, and its results are values")
  func batch() throws {
    let app = try startApp()
    let result = try run(
      "-e", #"dispatch {"type":"todo/toggle","payload":{"id":1}}"#, "-e", "show 1", "-e", "resume",
      "-e", "restore 0", "-e", #"dispatch {"type":"todo/fly"}"#, "--format", "ndjson")
    let lines = result.output.replacing(#/"t":[0-9.]+/#, with: #""t":0"#)
      .replacing(#/"position":[0-9]+/#, with: #""position":0"#).split(separator: "\n")
    #expect(result.code == 3)
    try #require(lines.count == 5, "\(result)")
    #expect(
      lines[0].contains(
        #""result":{"live":true,"steps":[{"n":3,"t":0,"type":"todo/toggle","changed":["todos"]}"#))
    #expect(lines[1].contains(#""result":{"app":"showing","step":1}"#))
    // The effect of the action may end before the app is live again, or after.
    #expect(lines[2].contains(#/"result":\{"app":"live","step":[34]\}/#))
    #expect(lines[3].contains(#""result":{"app":"restored","step":0}"#))
    #expect(lines[4].contains(#""error":{"code":"bad-action""#))
    try app.wait(for: "the restored screen") { $0.text.contains("0 items left") }
  }

  @Test("without --app, a session verifies, shrinks and forks in the running app, which goes on")
  func replay() throws {
    let app = try startApp()
    try app.type(String(repeating: "toggle 1\n", count: 60))
    let result = try run(
      "-e", "verify", "-e", "fork 1", "-e",
      #"dispatch {"type":"todo/add","payload":{"title":"jam"}}"#, "-e", "switch 0", "-e",
      "shrink length(todos.items) == 1", "--format", "ndjson")
    #expect(result.code == 0, "\(result)")
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 5, "\(result)")
    #expect(lines[0].contains(#""verdict":"passed""#), "\(lines[0])")
    #expect(lines[2].contains(#""title":"jam""#), "\(lines[2])")
    try app.type("add tea\n")
    let screen = try app.wait(for: "[ ] 2 tea")
    #expect(!screen.text.contains("jam"))
  }

  @Test("the page moves the app, and leaves it live when it is closed")
  func page() throws {
    let app = try startApp()
    try app.type("add tea\n")
    try app.wait(for: "[ ] 2 tea")
    let server = try ServedLog(
      "--attach", "TodoMVC", in: folder, environment: ["XDG_RUNTIME_DIR": folder.path("run")])
    func ask(_ request: String, _ body: String) throws -> HTTPExchange {
      try server.exchange(
        "POST /data/\(request)",
        [
          "Host: 127.0.0.1:\(server.port)", "X-Flux-Token: \(server.token)",
          "Content-Length: \(body.utf8.count)",
        ], body)
    }
    #expect(try ask("info", "{}").body.contains(#""running":"TodoMVC""#))
    let past = try ask("show", #"{"row":1}"#)
    #expect(past.status == 200)
    #expect(past.body == #"{"app":"showing","step":1}"#)
    try app.wait(for: "the screen of the past") { !$0.text.contains("tea") }
    #expect(try ask("show", "{}").status == 200)
    try app.wait(for: "[ ] 2 tea")
    #expect(try ask("show", #"{"row":99}"#).status == 400)
    #expect(try ask("show", #"{"row":1}"#).status == 200)
    try app.wait(for: "the screen of the past") { !$0.text.contains("tea") }
    #expect(server.interrupt() == 0)
    try app.wait(for: "[ ] 2 tea")
  }

  @Test("serve takes a log or a running app")
  func serveArguments() throws {
    let both = try ProgramRun(["serve", "log.jsonl", "--attach", "TodoMVC"], in: folder)
    #expect(both.code == 2)
    #expect(both.errors.hasPrefix("Error: --attach shows the log of the app; remove the other log"))
    #expect(try ProgramRun(["serve"], in: folder).code == 2)
  }

  @Test(
    "an empty name of an app is refused",
    arguments: [["attach"], ["serve", "--attach"], ["mcp", "--attach"]])
  func emptyName(_ arguments: [String]) throws {
    let run = try ProgramRun(arguments + [""], in: folder)
    #expect(run.code == 2)
    let message = "Error: the app's name is empty; write its name or its process ID\n"
    #expect(run.errors.hasPrefix(message), "\(run.errors)")
  }

  @Test("a folder that others can open is refused")
  func refused() throws {
    let app = try startApp()
    let path = folder.path("run/flux-inspect")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    #expect(
      try run().errors == """
        error: no running app to attach to; \
        \(path): other users can open it (mode 755); run 'chmod 700' on it
        hint: start an app that has an AppHost, as the same user; see docs/app-protocol.md

        """)
    withExtendedLifetime(app) {}
  }
}
