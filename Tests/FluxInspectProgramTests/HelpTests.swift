import Foundation
import TestFixtures
import Testing

@testable import flux_inspect

@Suite("What the program says of itself", .waiting)
struct HelpTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("--version names the program, the log format and Swift, and agrees with the CHANGELOG")
  func version() throws {
    let run = try ProgramRun(["--version"], in: folder)
    #expect(run.code == 0)
    let line = try #require(
      run.output.wholeMatch(
        of: /flux-inspect ([0-9.]+) \(log format 1\.2, Swift [0-9]+\.[0-9]+\)\n/))
    let changelog = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../CHANGELOG.md"), encoding: .utf8)
    let versions = changelog.matches(of: /\n## ([0-9]+\.[0-9]+\.[0-9]+)/).map(\.output.1)
    #expect(versions.first == line.output.1)
  }

  @Test(
    "help describes everything on a screen of any width",
    arguments: ["-1", "0", "1", "26", "9223372036854775807", "wide"])
  func helpWidth(_ columns: String) throws {
    for (arguments, words) in [
      (["--help"], "Validate logs against"), (["cat", "--help"], "Add the whole"),
      (["help", "verify"], "relative difference"),
    ] {
      let run = try ProgramRun(arguments, environment: ["COLUMNS": columns], in: folder)
      #expect(run.code == 0, "\(arguments)")
      let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains(words), "\(arguments)")
    }
  }

  @Test("help shows how to open a log, and the subcommands", arguments: ["--help", "-h", "help"])
  func help(_ argument: String) throws {
    let run = try ProgramRun([argument], in: folder)
    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(
      run.output.contains(
        """
        USAGE: flux-inspect <log> [--app <path>] [-e <command> ...] [-x <file>] [<options>]
               flux-inspect <subcommand> ...

        """))
    for option in ["--app", "-e", "-x", "-g", "--batch", "--keep-going", "--no-init", "--follow"] {
      #expect(run.output.contains("\n  \(option) "), "\(option)")
    }
    for subcommand in [
      "open", "verify", "report", "serve", "cat", "check", "repair", "stats", "diff", "import",
      "dap", "mcp",
    ] {
      #expect(run.output.contains("\n  \(subcommand)  "), "\(subcommand)")
    }
  }

  /// `FLUX_UPDATE=1` writes the file again.
  @Test("docs/command-line.md is the reference of the subcommands and options")
  func page() throws {
    let page = try ProgramPage(of: ProgramReference()).markdown
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../docs/command-line.md")
    if ProcessInfo.processInfo.environment["FLUX_UPDATE"] == "1" {
      try Data(page.utf8).write(to: file)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == page,
      "FLUX_UPDATE=1 swift test --filter HelpTests")
  }

  @Test("a misspelled subcommand is named, unless there is a file of that name")
  func misspelled() throws {
    let mistake = ProgramRun(
      2,
      errors: """
        Error: no log or subcommand 'verfy'; did you mean 'verify'?
        Usage: flux-inspect <subcommand>
          See 'flux-inspect --help' for more information.

        """)
    #expect(try ProgramRun(["verfy", "todo.jsonl", "--app", "todo"], in: folder) == mistake)
    try folder.log(TodoLog.lines, "verfy")
    #expect(try ProgramRun(["verfy", "-e", "count *"], in: folder).code == 0)
  }

  @Test("help on a subcommand that does not exist is a mistake")
  func helpOnNothing() throws {
    #expect(
      try ProgramRun(["help", "verfy"], in: folder)
        == ProgramRun(
          2,
          errors: """
            Error: no subcommand 'verfy'; did you mean verify?
            Usage: flux-inspect <subcommand>
              See 'flux-inspect --help' for more information.

            """))
    #expect(try ProgramRun(["help", "verify"], in: folder).code == 0)
  }

  @Test("a log whose name begins like a subcommand is opened")
  func namesOfSubcommands() throws {
    try folder.log(TodoLog.lines, "verify.jsonl")
    #expect(try ProgramRun(["verify.jsonl", "-e", "count *"], in: folder) == ProgramRun(0, "5\n"))
    #expect(
      try ProgramRun(["open", "verify.jsonl", "-e", "count *"], in: folder) == ProgramRun(0, "5\n"))
  }

  @Test("the man page renders without a warning, with every option and exit code")
  func manualPage() throws {
    let run = try ProgramRun(
      ["--generate-manual"], environment: ["SOURCE_DATE_EPOCH": "1000000000"], in: folder)
    #expect(run.code == 0)
    #expect(
      run.output.hasPrefix(
        #"""
        .TH FLUX\-INSPECT 1 "2001-09-09" "flux\-inspect 0.1.0" "User Commands"
        .SH NAME
        flux\-inspect \- step through recordings of Flux\-style apps, forwards and
        backwards
        .SH SYNOPSIS
        \fBflux\-inspect\fR \fIlog\fR [\fIoptions\fR]

        """#))
    for text in [
      #"\fB\-\-follow\fR"#, #"\fB\-\-junit\fR \fIfile\fR"#, #".SS repair"#, #"\fB130\fR"#,
      ".SH ENVIRONMENT", ".SH FILES",
    ] {
      #expect(run.output.contains("\n\(text)\n"), "\(text)")
    }
    try folder.write(run.output, to: "flux-inspect.1")
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/groff") else { return }
    // The shell command of a session, so that the test runs it as it runs all others.
    try folder.log(TodoLog.lines)
    let roff = try ProgramRun(
      ["log.jsonl", "-e", "!groff -ww -man -Tascii -P-cbou flux-inspect.1 > rendered"], in: folder)
    #expect(roff == ProgramRun(0))
    #expect(try folder.text(of: "rendered").contains("EXIT STATUS"))
  }
}
