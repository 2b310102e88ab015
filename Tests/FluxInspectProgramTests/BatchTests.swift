import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("flux-inspect without a terminal", .waiting)
struct BatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
    try folder.log(TodoLog.withDamage, "damaged.jsonl")
  }

  private func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try ProgramRun(arguments, input: input, environment: environment, in: folder)
  }

  @Test(
    "writes results to standard output, all the rest to standard error, and ends with a code",
    arguments: [
      (
        ["log.jsonl", "-e", "goto 4", "-e", "print todos.items[1]"],
        ProgramRun(
          0,
          """
          4 todo/toggle {"id":2} +3s
            changed: todos
          {
            "done": true,
            "title": "日本 🎉"
          }

          """)
      ),
      (
        ["open", "log.jsonl", "-g", "end", "-e", "back", "--format", "ndjson"],
        ProgramRun(
          0,
          """
          {"command":"back","ok":true,"position":4,"result":{"step":4,"t":3,"action":{"type":"todo/toggle","payload":{"id":2}},"changed":["todos"],"stopped":"step"}}

          """)
      ),
      (
        ["log.jsonl", "--format=json", "-e", "count todo/add"],
        ProgramRun(
          0,
          """
          {
            "command": "count todo/add",
            "ok": true,
            "position": 0,
            "result": {
              "count": 2
            }
          }

          """)
      ),
      (["log.jsonl", "-e", "find nope/*", "-e", "count *"], ProgramRun(1, "no step matches\n5\n")),
      (
        ["log.jsonl", "-e", "bogus", "-e", "start"],
        ProgramRun(2, errors: "error: no command bogus\nhint: 'help' lists the commands\n")
      ),
      (
        ["log.jsonl", "--keep-going", "-e", "goto 99", "-e", "bogus", "-e", "count *"],
        ProgramRun(
          3, "5\n",
          errors: """
            error: there is no step 99; the log has steps 1 to 5
            error: no command bogus
            hint: 'help' lists the commands

            """)
      ),
      (
        ["log.jsonl", "--format", "ndjson", "-e", "goto 99"],
        ProgramRun(
          3,
          """
          {"command":"goto 99","ok":false,"position":0,"error":{"code":"bad-position","message":"there is no step 99; the log has steps 1 to 5"}}

          """)
      ),
      (["log.jsonl", "-e", "quit 7", "-e", "count *"], ProgramRun(7)),
      (["log.jsonl", "-e", "find nope", "-e", "quit"], ProgramRun(1, "no step matches\n")),
      (
        ["log.jsonl", "-g", "99", "-e", "count *"],
        ProgramRun(3, errors: "error: there is no step 99; the log has steps 1 to 5\n")
      ),
      (
        ["missing.jsonl", "-e", "count *"],
        ProgramRun(4, errors: "error: missing.jsonl: cannot open: No such file or directory\n")
      ),
      (
        ["log.jsonl", "-x", "missing"],
        ProgramRun(3, errors: "error: cannot read missing: No such file or directory\n")
      ),
      (
        ["damaged.jsonl", "-e", "goto 3"],
        ProgramRun(
          4,
          errors: """
            error: step 3 cannot be used: \(BatchTests.damage)
            hint: the nearest step before it is 2
            warning: damaged.jsonl: \(BatchTests.damage)

            """)
      ),
      (
        ["damaged.jsonl", "-e", "count *"],
        ProgramRun(0, "4\n", errors: "warning: damaged.jsonl: \(BatchTests.damage)\n")
      ),
      (
        ["log.jsonl", "-e", "stats > log.jsonl"],
        ProgramRun(3, errors: "error: log.jsonl is the log itself, which is never overwritten\n")
      ),
      (
        ["log.jsonl", "-e", "stats > ./log.jsonl"],
        ProgramRun(3, errors: "error: ./log.jsonl is the log itself, which is never overwritten\n")
      ),
      (
        ["log.jsonl", "-e", "count * | sed s/5/five/", "-e", "!exit 3"],
        ProgramRun(
          3, "five\n", errors: "error: the shell command ended with status 3: exit 3\n")
      ),
    ])
  func runs(_ arguments: [String], _ expected: ProgramRun) throws {
    #expect(try ProgramRun(arguments, in: folder) == expected)
    #expect(try folder.text(of: "log.jsonl") == TodoLog.lines.joined(separator: "\n") + "\n")
  }

  private static let damage =
    "line 4, step 3, byte 16: the line is damaged: the text ends inside a JSON value; it was "
    + "probably cut off"

  @Test("takes commands from standard input, without a prompt or a banner")
  func readsStandardInput() throws {
    let run = try run(
      "log.jsonl", input: "# a comment\r\n\n  count *\r\nlast todos.items\nbogus\nstart")
    #expect(
      run
        == ProgramRun(
          2,
          """
          5
          nothing found; still at
          0 start: the state before the first step

          """,
          errors:
            "error: standard input, line 5: no command bogus\nhint: 'help' lists the commands\n"
        ))
  }

  @Test("names the file and the line of an error")
  func places() throws {
    try folder.write("count *\n\n# a comment\nprint todos[items]\n", to: "script")
    #expect(
      try run("log.jsonl", "-x", "script")
        == ProgramRun(
          2, "5\n",
          errors: """
            error: script, line 4: print: column 7: expected a selector, found 'i'
              todos[items]
                    ^
            hint: a selector is a name in quotes, an index, a slice such as 1:3, '*', or a filter '?…'

            """))
  }

  @Test("names the file and the line of an error that occurs while rows are computed")
  func placesLateErrors() throws {
    try folder.write("count *\nblame /nosuch\n", to: "script")
    let message = "script, line 2: no path /nosuch at step 0"
    let text = try run("log.jsonl", "-x", "script")
    #expect(text.code == 3 && text.errors.contains("error: \(message)\n"), "\(text.errors)")
    let json = try run("log.jsonl", "-x", "script", "--format", "ndjson")
    #expect(json.code == 3 && json.output.contains("\"message\":\"\(message)\""), "\(json.output)")
    let sourced = try run("log.jsonl", "-e", "source script").errors
    #expect(sourced.components(separatedBy: "no path /nosuch").count == 2, "\(sourced)")
    #expect(sourced.contains("error: \(message)\n"), "\(sourced)")
  }

  @Test("writes no test after a search that found nothing, unless it keeps going")
  func stopsBeforeTest() throws {
    let refused = ProgramRun(
      1, "no step matches\n",
      errors: """
        error: test: nothing is written, because 'find nope/*' found nothing
        hint: --keep-going writes a test nevertheless

        """)
    #expect(try run("log.jsonl", "-e", "find nope/*", "-e", "test t.swift") == refused)
    try folder.write("find nope/*\ntest t.swift\n", to: "script")
    #expect(
      try run("log.jsonl", "-e", "source script").errors.contains(
        "script, line 2: test: nothing is written, because 'find nope/*' found nothing"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("t.swift")))
    let kept = try run(
      "log.jsonl", "--keep-going", "-e", "find nope/*", "-e", "goto 1", "-e", "test t.swift")
    #expect(
      kept.code == 1
        && kept.output.hasSuffix(
          "a test of 1 action written to t.swift\nit expects the states of all stores\n")
    )
    #expect(FileManager.default.fileExists(atPath: folder.path("t.swift")))
  }

  @Test(
    "answers a subcommand behind its log with the line that was meant",
    arguments: [
      (["log.jsonl", "verify"], "verify log.jsonl"),
      (["open", "log.jsonl", "diff", "other log.jsonl"], "diff log.jsonl 'other log.jsonl'"),
      (["log.jsonl", "rules", "shop.rules", "--strict"], "rules shop.rules --strict log.jsonl"),
    ])
  func misplacedSubcommand(_ arguments: [String], _ line: String) throws {
    let run = try ProgramRun(arguments, in: folder)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.contains("comes before the log: "), "\(run.errors)")
    #expect(run.errors.contains(" \(line)\n"), "\(run.errors)")
  }

  @Test(
    "answers a session command where a log is expected with the line that was meant",
    arguments: [
      (["until", "todo/clear", "log.jsonl"], "log.jsonl -e 'until todo/clear'"),
      (["log.jsonl", "print", "todos.items"], "log.jsonl -e 'print todos.items'"),
      (["open", "log.jsonl", "end"], "log.jsonl -e end"),
      (["blame", "todos.items"], "LOG -e 'blame todos.items'"),
      (["test", "log.jsonl"], "log.jsonl -e 'test FILE'"),
      (["shrink", "log.jsonl"], "log.jsonl --app APP -e 'shrink EXPR'"),
      (["until", "-r"], "LOG -e 'until -r'"),
      (["blame", "--help"], "LOG -e 'help blame'"),
      (["shrink", "log.jsonl", "-h"], "log.jsonl -e 'help shrink'"),
      (["test", "log.jsonl", "-e", "step"], "log.jsonl -e step -e 'test FILE'"),
      (
        ["shrink", "length(todos.items) > 1", "log.jsonl", "--app", "my app"],
        "log.jsonl --app 'my app' -e 'shrink length(todos.items) > 1'"
      ),
      (
        ["blame", "todos.items", "--follow", "--format=json"],
        "LOG --follow '--format=json' -e 'blame todos.items'"
      ),
      (
        ["fork", "2", "log.jsonl", "--app=todos", "--keep-going"],
        "log.jsonl '--app=todos' --keep-going -e 'fork 2'"
      ),
    ])
  func misplaced(_ arguments: [String], _ line: String) throws {
    let run = try ProgramRun(arguments, in: folder)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.contains("is a command of a session; from a shell it is: "), "\(run.errors)")
    #expect(run.errors.contains(" \(line)\n"), "\(run.errors)")
  }

  @Test(
    "answers a command of -e without quotes with the line that was meant",
    arguments: [
      (["log.jsonl", "-e", "blame", "todos.items"], "log.jsonl -e 'blame todos.items'"),
      (
        ["log.jsonl", "--app", "my app", "-e", "start", "-e", "goto", "2", "-g", "1"],
        "log.jsonl --app 'my app' -e start -e 'goto 2' -g 1"
      ),
    ])
  func unquoted(_ arguments: [String], _ line: String) throws {
    let run = try ProgramRun(arguments, in: folder)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(
      run.errors.contains("-e takes one command, in quotes: "),
      "\(run.errors)")
    #expect(run.errors.contains(" \(line)\n"), "\(run.errors)")
  }

  @Test("suggests the log that was meant by a path without a file")
  func misspelledLog() throws {
    try FileManager.default.createDirectory(
      at: folder.url("Recordings"), withIntermediateDirectories: false)
    try folder.write("", to: "Recordings/shop.jsonl.gz")
    for (path, meant) in [
      ("log", "log.jsonl"), ("lgo.jsonl", "log.jsonl"), ("lgo", "log.jsonl"),
      ("shop", "Recordings/shop.jsonl.gz"), ("Recordings/shpo", "Recordings/shop.jsonl.gz"),
    ] {
      #expect(
        try run(path, "-e", "start")
          == ProgramRun(4, errors: "error: \(path): no such file; did you mean \(meant)?\n"))
    }
  }

  @Test("runs the commands of -e, and then those of a file, with files in files")
  func runsFiles() throws {
    try folder.write("count *\nsource inner\n", to: "outer")
    try folder.write("set format ndjson\nbogus\ncount *\n", to: "inner")
    #expect(
      try run("log.jsonl", "-x", "outer", "-e", "count todo/add")
        == ProgramRun(
          2,
          """
          2
          5
          {"command":"set format ndjson","ok":true,"position":0,"result":{"settings":{"format":"ndjson"}}}
          {"command":"bogus","ok":false,"position":0,"error":{"code":"usage","message":"no command bogus","hint":"'help' lists the commands"}}
          {"command":"source inner","ok":false,"position":0,"error":{"code":"usage","message":"outer, line 2: inner, line 2: no command bogus","hint":"'help' lists the commands"}}

          """))
  }

  @Test("reads the user's init file, whose results nobody asked for, unless told not to")
  func readsInitFile() throws {
    try folder.writeInitFile("alias n5 goto 5\ncount *\n")
    let moved = ProgramRun(0, "5 todo/clear +10s\n  changed: todos\n")
    #expect(try run("log.jsonl", "-e", "n5") == moved)
    #expect(try run("log.jsonl", "--no-init", "-e", "n5").code == 2)
    #expect(
      try run("log.jsonl", "-e", "n5", environment: ["XDG_CONFIG_HOME": folder.path("x")]).code == 2
    )
    for home in ["", "home"] {
      #expect(try run("log.jsonl", "-e", "n5", environment: ["HOME": home]).code == 2)
    }
    try folder.writeInitFile("goto 3\nbogus\n")
    let path = folder.path("home/.config/flux-inspect/init")
    #expect(
      try run("log.jsonl", "-e", "count *")
        == ProgramRun(
          0, "5\n",
          errors: """
            warning: \(path), line 2: no command bogus
            hint: 'help' lists the commands

            """))
  }

  @Test("says what is wrong with the init file once, and not on standard output")
  func failsInInitFile() throws {
    try folder.writeInitFile("count *\ngoto 99\n")
    let path = folder.path("home/.config/flux-inspect/init")
    #expect(
      try run("log.jsonl", "--format", "ndjson", "-e", "count *")
        == ProgramRun(
          0,
          """
          {"command":"count *","ok":true,"position":0,"result":{"count":5}}

          """,
          errors: """
            warning: \(path), line 2: there is no step 99; the log has steps 1 to 5

            """))
  }

  @Test("options count more than the settings of the init file")
  func overridesInitFile() throws {
    try folder.writeInitFile("set format json\nset color always\n")
    let text = try run("log.jsonl", "--format", "text", "--color", "never", "-e", "goto 1")
    #expect(try text == run("log.jsonl", "--no-init", "-e", "goto 1"))
    #expect(
      try run("log.jsonl", "--format", "ndjson", "-e", "count *").output
        == #"{"command":"count *","ok":true,"position":0,"result":{"count":5}}"# + "\n")
    #expect(try run("log.jsonl", "-e", "count *").output.hasPrefix("{\n"))
  }

  @Test("says where it begins where that is not what was asked for, and that the end is torn")
  func remarks() throws {
    try folder.write(TodoLog.lines[..<4].joined(separator: "\n").dropLast(9).utf8, to: "torn.jsonl")
    #expect(
      try run("torn.jsonl", "-g", "+9", "-e", "count *")
        == ProgramRun(
          0, "2\n",
          errors: """
            note: stopped at the end, after 2 of 9 steps
            note: torn.jsonl: the last line is truncated, and left out

            """))
  }

  @Test(
    "colours results where it is asked to, and never in files and pipes of its own",
    arguments: [
      (["--color", "always"], [:], true), (["--color", "auto"], [:], false),
      (["--color", "never"], ["CLICOLOR_FORCE": "1"], false), ([], ["CLICOLOR_FORCE": "1"], true),
      ([], ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false), ([], ["TERM": "xterm"], false),
    ] as [([String], [String: String], Bool)])
  func colours(_ options: [String], _ environment: [String: String], _ isColoured: Bool) throws {
    let commands = ["-e", "goto 2", "-e", "goto 2 > ./plain", "-e", "goto 2 | cat >piped"]
    let run = try ProgramRun(
      ["log.jsonl"] + options + commands, environment: environment, in: folder)
    let plain = "2 todo/saved +1s\n  changed: nothing\n  caused by step 1, by the effect save\n"
    #expect(run.output.contains("\u{1B}[36mtodo/saved\u{1B}[0m") == isColoured)
    #expect((run.output == plain) == !isColoured)
    #expect(try folder.text(of: "plain") == plain)
    #expect(try folder.text(of: "piped") == plain)
    #expect(run.code == 0)
  }

  @Test(
    "ends with 2 and its usage where the arguments are wrong",
    arguments: [
      [], ["log.jsonl", "--nope"], ["log.jsonl", "more.jsonl"], ["log.jsonl", "--format", "xml"],
      ["log.jsonl", "-e"], ["log.jsonl", "--follow", "-e", "count *"], ["diff", "log.jsonl"],
      ["repair", "log.jsonl"], ["check"], ["cat", "log.jsonl", "--range", "nope"],
    ])
  func refusesArguments(_ arguments: [String]) throws {
    let run = try ProgramRun(arguments, in: folder)
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.lowercased().hasPrefix("error: "))
  }

  @Test("says that a batch does not follow the log")
  func follow() throws {
    let run = try ProgramRun(["log.jsonl", "--follow"], input: "goto 1", in: folder)
    #expect(run.code == 0)
    #expect(
      run.errors
        == "note: --follow needs a terminal; this batch ends with the log as it is now\n")
  }

  @Test(
    "explains itself and each of its subcommands",
    arguments: ["", "open", "cat", "check", "repair", "stats", "diff", "import", "dap"])
  func helps(_ subcommand: String) throws {
    let arguments = subcommand.isEmpty ? ["--help"] : [subcommand, "--help"]
    let run = try ProgramRun(arguments, in: folder)
    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("OVERVIEW: "))
    #expect(run.output.contains("USAGE: flux-inspect \(subcommand)"))
  }

  @Test("ends quietly where nobody reads on, and says so where the disk is full")
  func endsWhereOutputEnds() throws {
    try folder.log(TodoLog.long(20_000), "long.jsonl")
    let program = BuiltProduct.path("flux-inspect")
    let script = "('\(program)' long.jsonl -e list\\ .. ; echo $? >code) 2>errors | head -n 1"
    let lines = try ProgramRun(["long.jsonl", "-e", "!\(script)"], in: folder)
    #expect(lines == ProgramRun(0, "  1 tick +1s\n"))
    #expect(try folder.text(of: "code") == "141\n")
    #expect(try folder.text(of: "errors") == "")
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let full = try ProgramRun(
      ["long.jsonl", "-e", "!'\(program)' log.jsonl -e list >/dev/full"], in: folder)
    #expect(full.errors.hasPrefix("error: cannot write: No space left on device\n"))
  }

  @Test("stops with 130 where it is interrupted: by a command, in one, and between two")
  func isInterrupted() throws {
    let program = BuiltProduct.path("flux-inspect")
    let log = folder.path("log.jsonl")
    let killed = try Terminal(
      [program, log, "-e", "!kill -INT $PPID", "-e", "count *"], environment: folder.userFolders)
    #expect(try killed.waitForEnd() == .code(130))
    #expect(killed.screen.text == "")
    let playing = try Terminal([program, log, "-e", "play 0.001"], environment: folder.userFolders)
    try playing.wait(for: "1 todo/add")
    try playing.type("\u{3}")
    #expect(try playing.waitForEnd() == .code(130))
    let reading = try Terminal([program, log, "--batch"], environment: folder.userFolders)
    try reading.type("count *\n")
    try reading.wait(for: "\n5")
    try reading.type("\u{3}")
    #expect(try reading.waitForEnd() == .code(130))
  }

  @Test("waits for a shell command whose input fails on the way")
  func waitsForShell() throws {
    try folder.log(TodoLog.long(2_000), "long.jsonl")
    let run = try ProgramRun(
      [
        "long.jsonl", "--batch", "-e", "!head -c 5000 long.jsonl > cut; cat cut > long.jsonl", "-e",
        "list .. | (cat >/dev/null; sleep 0.5; echo over > over)",
      ], in: folder)
    #expect(run.code == 4)
    #expect(run.errors.contains("the file became shorter"), "\(run.errors)")
    #expect(try folder.text(of: "over") == "over\n")
  }

  @Test("never waits for the other end of a pipe")
  func opensPipesAtOnce() throws {
    // The path is a string that lives until the end of the call.
    #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    let run = try ProgramRun(["log.jsonl", "-e", "export csv pipe --force"], in: folder)
    #expect(
      run
        == ProgramRun(
          3,
          errors: """
            error: cannot write pipe: nobody reads from it
            hint: start the program that reads it first

            """))
    #expect(try ProgramRun(["log.jsonl", "-e", "source pipe"], in: folder) == ProgramRun(0))
    let read = try ProgramRun(
      ["log.jsonl", "-e", "!cat pipe > copy & sleep 0.1", "-e", "export actions pipe ..1 --force"],
      in: folder)
    #expect(read.errors == "")
  }

  @Test("leaves a file as it was where what is written does not fit, and links as links")
  func writesWhole() throws {
    try folder.log(TodoLog.long(2_000), "long.jsonl")
    try folder.write("mine", to: "there")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("there"))
    // The Thread Sanitizer writes a larger file at the start of a program, unless there is no folder for it.
    let program = "TMPDIR=/nonexistent '\(BuiltProduct.path("flux-inspect"))'"
    for command in ["export csv there --force", "export csv new", "list .. >! there"] {
      let run = try ProgramRun(
        ["long.jsonl", "-e", "!ulimit -f 4; \(program) long.jsonl -e '\(command)'"], in: folder)
      let file = command.contains("new") ? "new" : "there"
      #expect(run.errors.hasPrefix("error: cannot write \(file): File too large\n"), "\(command)")
    }
    #expect(try folder.text(of: "there") == "mine")
    let export = try ProgramRun(["log.jsonl", "-e", "export actions link ..1 --force"], in: folder)
    #expect(export == ProgramRun(0, "1 step exported to link\n"))
    #expect(
      try folder.text(of: "there")
        == #"[\#n{"type":"todo/add","payload":{"title":"milk"}}\#n]\#n"#)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0 == "new" || $0.hasSuffix(".unfinished") }, "\(names)")
    let piped = try ProgramRun(
      ["log.jsonl", "-e", "export actions /dev/stdout ..1 --force"], in: folder)
    #expect(piped.output.contains(#"{"type":"todo/add","payload":{"title":"milk"}}"#))
  }
}
