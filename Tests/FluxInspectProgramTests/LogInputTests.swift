import FluxInspector
import Foundation
import TestFixtures
import Testing

@testable import FluxSubcommands

@Suite("Folders, compressed logs and standard input", .waiting)
struct LogInputTests {
  private let folder: TemporaryFolder

  private static let text = TodoLog.lines.map { $0 + "\n" }.joined()

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("logs"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: folder.url("tmp"), withIntermediateDirectories: true)
    try folder.log(TodoLog.lines, "logs/a.jsonl")
  }

  private var environment: [String: String] { ["TMPDIR": folder.path("tmp")] }

  private func compress(_ program: String, _ name: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = ["-q", folder.path(name)]
    try process.run()
    process.waitUntilExit()
  }

  private func run(_ arguments: [String], input: String = "") throws -> ProgramRun {
    let run = try ProgramRun(arguments, input: input, environment: environment, in: folder)
    #expect(try folder.names().filter { $0.hasPrefix("tmp/") } == [], "a temporary file is left")
    return run
  }

  @Test("An indented log is not taken for one that was cut off")
  func indented() throws {
    try folder.write("{\n  \"flux\": \"1.2\"\n}\n".utf8, to: "indented.jsonl")
    #expect(
      try run(["check", "indented.jsonl"])
        == ProgramRun(
          4,
          errors: """
            error: indented.jsonl: line 1 is only the beginning of an object, as in indented JSON; each line of a log is one whole object

            """))
  }

  @Test("A log that gzip compressed is read as it was, under its own name")
  func gzip() throws {
    try compress("gzip", "logs/a.jsonl")
    #expect(
      try run(["logs/a.jsonl.gz", "-g", "end", "-e", "list 5..", "-e", "count *"])
        == ProgramRun(0, "> 5 todo/clear +10s  todos\n5\n"))
    #expect(
      try run(["cat", "logs/a.jsonl.gz", "--range", "2..2"])
        == ProgramRun(0, TodoLog.steps[1] + "\n"))
    #expect(try run(["check", "logs/a.jsonl.gz"]) == ProgramRun(0))
    #expect(try run(["repair", "logs/a.jsonl.gz", "-o", "b.jsonl"]).code == 0)
    #expect(
      try run(["diff", "logs/a.jsonl.gz", "b.jsonl"])
        == ProgramRun(0, "the same actions led to the same states\n"))
  }

  @Test("If there is no room for a temporary file, the error says where and why")
  func noTemporaryFolder() throws {
    try compress("gzip", "logs/a.jsonl")
    let run = try ProgramRun(
      ["check", "logs/a.jsonl.gz"], environment: ["TMPDIR": "/dev/null"], in: folder)
    #expect(run.code == 4)
    let expected =
      #/error: logs/a\.jsonl\.gz: cannot examine the temporary folder /dev/null/flux-inspect-[-0-9A-F]+: Not a directory; TMPDIR names the folder of temporary files\n/#
    #expect(run.errors.wholeMatch(of: expected) != nil, "\(run.errors)")
  }

  @Test("A session that gzip compressed is imported under its own name, which errors name, too")
  func gzipSession() throws {
    try folder.write(#"[{"type":"a"}]"#.utf8, to: "session.json")
    try folder.write("[5]".utf8, to: "five.json")
    try compress("gzip", "session.json")
    try compress("gzip", "five.json")
    #expect(
      try run(["import", "session.json.gz"])
        == ProgramRun(0, "1 step imported from session.json.gz to session.jsonl\n"))
    let problem =
      "five.json.gz: not a Redux DevTools session: found an array that begins with no action"
    for arguments in [["import", "five.json.gz"], ["cat", "five.json.gz"]] {
      #expect(try run(arguments).errors.hasPrefix("error: \(problem)\nhint: "))
    }
  }

  @Test("The rules of a session are checked after one import")
  func sessionWithRules() throws {
    try folder.write(#"[{"type":"a"}]"#.utf8, to: "session.json")
    try folder.write("rule some: always 1 == 1\n", to: "one.rules")
    #expect(
      try run(["rules", "one.rules", "session.json"])
        == ProgramRun(
          0, "holds: session.json: 1 rule, 1 step\n",
          errors: """
            note: session.json is a Redux DevTools session, and was imported as 1 step; \
            'flux-inspect import' makes a log that stays
            1 log: 1 holds

            """))
  }

  @Test("A session is never replaced by the log that is made of it")
  func ownSession() throws {
    try folder.write(#"[{"type":"a"}]"#.utf8, to: "session.json")
    #expect(
      try run(["import", "session.json", "-o", "./session.json", "--force"])
        == ProgramRun(
          3,
          errors: """
            error: ./session.json is the session itself, which is never overwritten
            hint: -o names another log

            """))
    #expect(try folder.text(of: "session.json") == #"[{"type":"a"}]"#)
  }

  @Test(
    "A log that zstd compressed is read with that program, and an error names it where it is missing",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zstd"), "needs zstd"))
  func zstandard() throws {
    try compress("zstd", "logs/a.jsonl")
    #expect(try run(["logs/a.jsonl.zst", "-e", "count *"]) == ProgramRun(0, "5\n"))
    let input = LogInput(environment: ["PATH": folder.path("")])
    let problem = """
      \(folder.path("logs/a.jsonl.zst")): the log is compressed with zstd, and PATH has no program zstd; install it, \
      or decompress the log on another machine
      """
    let error = #expect(throws: (any Error).self) {
      try input.open(folder.path("logs/a.jsonl.zst"))
    }
    #expect("\(try #require(error))" == problem)
  }

  @Test(
    "A program zstd that Ctrl-C ended has found no damage",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zstd"), "needs zstd"))
  func interruptedZstandard() throws {
    try compress("zstd", "logs/a.jsonl")
    try folder.write(folder.bytes(of: "logs/a.jsonl.zst").dropLast(20), to: "cut.zst")
    var services = Services()
    services.isInterrupted = { true }
    let error = #expect(throws: CommandError.self) {
      try LogInput(services).open(folder.path("cut.zst"))
    }
    #expect(error?.code == .cancelled)
  }

  @Test("A compressed log that is damaged or too large is an error of the log")
  func damage() throws {
    try compress("gzip", "logs/a.jsonl")
    let bytes = try folder.bytes(of: "logs/a.jsonl.gz")
    try folder.write(bytes.dropLast(20), to: "cut.gz")
    #expect(
      try run(["cut.gz", "-e", "count *"])
        == ProgramRun(4, errors: "error: cut.gz: the compressed data is truncated\n"))
    let path = folder.path("logs/a.jsonl.gz")
    let error = #expect(throws: (any Error).self) { try LogInput(limit: 100).open(path) }
    #expect(
      "\(try #require(error))" == """
        \(path): the log has \(Self.text.utf8.count) bytes or more up to line 1, and at most 100 are unpacked or copied to a temporary file; \
        set FLUX_MEMORY_LIMIT to more megabytes to raise the limit, or write the log to a file yourself, and open that
        """)
  }

  @Test("A dash is the log on standard input, compressed or not, and needs commands")
  func standardInput() throws {
    #expect(try run(["-", "-e", "count *"], input: Self.text) == ProgramRun(0, "5\n"))
    #expect(
      try run(
        ["check", "-"], input: Self.text.replacingOccurrences(of: "\"n\":3,", with: "\"n\":7,")
      )
      .code == 4)
    let missing = try run(["-"], input: Self.text)
    #expect(missing.code == 2)
    #expect(
      missing.errors.hasPrefix(
        "Error: the log is read from standard input, so commands must come from -e or -x\n"))
    #expect(
      try run(["-", "-e", "info"])
        == ProgramRun(
          4, errors: "error: standard input: the file is empty; a log starts with a header line\n"))
    let unreadable = try ProgramRun(
      ["-", "-e", "info"], through: ["/bin/sh", "-c", "exec \"$0\" \"$@\" < ."], in: folder)
    #expect(
      unreadable
        == ProgramRun(4, errors: "error: standard input: cannot read it: Is a directory\n"))
  }

  @Test("A session on standard input is imported to the log that -o names, compressed or not")
  func sessionOnStandardInput() throws {
    let session = #"[{"type":"a"}]"#
    #expect(
      try run(["import", "-", "-o", "a.jsonl"], input: session)
        == ProgramRun(0, "1 step imported from - to a.jsonl\n"))
    #expect(try run(["cat", "a.jsonl"]).output == run(["cat", "-"], input: session).output)
    let missing = try run(["import", "-"], input: session)
    #expect(missing.code == 2)
    #expect(
      missing.errors.hasPrefix(
        "Error: the session is read from standard input, so -o must name the log\n"))
    #expect(
      try run(["import", "-", "-o", "b.jsonl"], input: "[5]").errors.hasPrefix(
        "error: standard input: not a Redux DevTools session: "))
  }

  @Test("A segment on standard input belongs to the recording of the next one")
  func segmentOnStandardInput() throws {
    func segment(_ step: Int) -> String {
      """
      {"flux":"1.0","log":"s","first":\(step),"stores":{"a":{"type":"A","initial":\(step - 1)}}}
      {"n":\(step),"t":\(step).000000,"action":{"type":"b"},"states":{"a":\(step)}}

      """
    }
    try folder.write(segment(2).utf8, to: "second.jsonl")
    try folder.write("rule some: always a >= 0\n", to: "one.rules")
    #expect(
      try run(["rules", "one.rules", "-", "second.jsonl"], input: segment(1))
        == ProgramRun(
          0,
          """
          holds: -: 1 rule, 2 steps
            note: the log was not closed; its last steps may be missing

          """, errors: "1 log: 1 holds\n"))
  }

  @Test("A line that is suggested for a log on standard input leaves its path open")
  func standardInputAgainLater() throws {
    try folder.write("rule none: always length(todos.items) < 1\n", to: "todo.rules")
    let run = try run(["rules", "todo.rules", "-"], input: Self.text)
    #expect(run.code == 1)
    #expect(run.output.contains("flux-inspect LOG -g "))
  }

  @Test(
    "A dash is no file to write",
    arguments: [
      (["report", "logs/a.jsonl", "-o"], "Error: -o: "),
      (["repair", "logs/a.jsonl", "-o"], "Error: -o: "),
      (["import", "session.json", "-o"], "Error: -o: "),
      (["verify", "logs/a.jsonl", "--app", "app", "--junit"], "Error: --junit: "),
      (["logs/a.jsonl", "-e", "export csv -"], "error: "),
    ])
  func dash(_ arguments: [String], _ start: String) throws {
    let isSession = arguments.contains("-e")
    let run = try run(isSession ? arguments : arguments + ["-"])
    #expect(run.code == 2)
    #expect(
      run.errors.hasPrefix(
        start + "expected the name of a file, found '-'; './-' is a file with that name\n"))
  }

  @Test("Standard input is read once, however often a command names or needs it")
  func standardInputAgain() throws {
    try folder.write("rule some: always length(todos.items) >= 0\n", to: "todo.rules")
    #expect(
      try run(["rules", "todo.rules", "-"], input: Self.text)
        == ProgramRun(0, "holds: -: 1 rule, 5 steps\n", errors: "1 log: 1 holds\n"))
    #expect(
      try run(["diff", "-", "-"], input: Self.text)
        == ProgramRun(0, "the same actions led to the same states\n"))
  }

  @Test("Standard input is read to its end even if a read of it returns at once")
  func standardInputWithoutBlocking() throws {
    let (process, input, output) = try started(["-", "-e", "count *"])
    for line in TodoLog.lines {
      Thread.sleep(forTimeInterval: 0.05)
      try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }
    try input.fileHandleForWriting.close()
    #expect(try output.fileHandleForReading.readToEnd() == Data("5\n".utf8))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test("Ctrl-C ends the wait for standard input")
  func standardInputInterrupted() throws {
    // Threads of the test block the signal, tests in the background ignore it, and programs inherit both.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(SIGINT, SIG_DFL)
    let (process, input, _) = try started(["check", "-"])
    // The copy is made after the handler of the signal.
    while try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty {
      Thread.sleep(forTimeInterval: 0.01)
    }
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    // A program that still waits gets the end of its input, so that this test ends.
    let patience = ContinuousClock.now + .seconds(30)
    while process.isRunning, ContinuousClock.now < patience { Thread.sleep(forTimeInterval: 0.01) }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
  }

  /// Starts the program with an input that does not block.
  private func started(_ arguments: [String]) throws -> (Process, input: Pipe, output: Pipe) {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    let number = input.fileHandleForReading.fileDescriptor
    #expect(fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0)
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path("flux-inspect"))
    process.arguments = arguments
    process.environment = folder.userFolders.merging(environment) { _, given in given }
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    return (process, input, output)
  }

  @Test("The name of a missing log is answered with a similar one, but not with itself")
  func suggestions() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("logs/link.jsonl"), withDestinationPath: "nowhere")
    #expect(
      try run(["check", "logs/a"])
        == ProgramRun(4, errors: "error: logs/a: no such file; did you mean logs/a.jsonl?\n"))
    #expect(
      try run(["check", "logs/link.jsonl"])
        == ProgramRun(
          4, errors: "error: logs/link.jsonl: cannot open: No such file or directory\n"))
  }

  @Test("A folder stands for its logs: all of them, or the only one")
  func folders() throws {
    try FileManager.default.createDirectory(
      at: folder.url("logs/folder.jsonl"), withIntermediateDirectories: true)
    #expect(try run(["logs", "-e", "count *"]) == ProgramRun(0, "5\n"))
    try folder.log(TodoLog.withDamage, "logs/b.jsonl")
    try compress("gzip", "logs/b.jsonl")
    try folder.write("no log", to: "logs/readme.txt")
    #expect(
      try run(["check", "logs", "--format", "text"])
        == ProgramRun(
          4,
          """
          logs/b.jsonl.gz: damage: line 4, step 3, byte 16: the line is damaged: the text ends inside a JSON value; it was probably cut off

          """))
    #expect(
      try run(["stats", "logs", "--format", "ndjson"]).output.split(separator: "\n").map {
        $0.prefix(40)
      }
        == [
          #"{"file":"logs/a.jsonl","steps":5,"types":["#,
          #"{"file":"logs/b.jsonl.gz","steps":4,"typ"#,
        ]
        .map { $0.prefix(40) })
    let several = ProgramRun(
      2,
      errors: """
        error: logs is a folder with 2 logs, and this takes one log
        hint: name one of them: logs/a.jsonl, logs/b.jsonl.gz

        """)
    #expect(try run(["logs", "-e", "count *"]) == several)
    #expect(
      try run(["check", "tmp"])
        == ProgramRun(
          5,
          errors: """
            error: there is no log in tmp
            hint: the names of logs end in .jsonl, .jsonl.gz or .jsonl.zst

            """))
  }

  @Test("An unpacked copy is removed if a signal ends the program", arguments: [SIGTERM, SIGHUP])
  func signals(_ signal: Int32) throws {
    try compress("gzip", "logs/a.jsonl")
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path("flux-inspect"))
    process.arguments = [folder.path("logs/a.jsonl.gz")]
    process.environment = folder.userFolders.merging(environment) { _, given in given }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("count *\n".utf8))
    #expect(output.fileHandleForReading.availableData == Data("5\n".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).count == 1)
    #expect(kill(process.processIdentifier, signal) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")) == [])
  }

  @Test("Two names that only look the same are two logs")
  func accents() throws {
    let names = ["\u{E9}.jsonl", "e\u{301}.jsonl", "\u{E9}.jsonl"].map(folder.path)
    #expect(LogCollection(names).paths.count == 2)
  }

  @Test(
    "A subfolder that cannot be listed is named, and the other logs are checked",
    .enabled(if: geteuid() != 0, "root can list every folder"))
  func unlisted() throws {
    let closed = folder.path("logs/closed")
    try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
    #expect(unsafe chmod(closed, 0) == 0)
    defer { #expect(unsafe chmod(closed, 0o700) == 0) }
    #expect(LogCollection([folder.path("logs")]).paths == [folder.path("logs/a.jsonl"), closed])
    for (argument, steps) in [("logs", true), ("logs/closed", false)] {
      let stats = try run(["stats", argument, "--format", "ndjson"])
      #expect(stats.code == 4)
      #expect(stats.errors.hasPrefix("error: logs/closed: cannot list the folder: "))
      #expect(stats.output.contains(#""file":"logs/a.jsonl""#) == steps)
    }
  }
}
