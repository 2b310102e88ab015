import Foundation
import TestFixtures
import Testing

@Suite("What flux-inspect verify reports", .waiting)
struct VerifyReportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(CounterLog.passing, "good.jsonl")
    try folder.log(CounterLog.diverged, "bad.jsonl")
  }

  private static let report = """
    diverged: bad.jsonl: 1 divergence, 2 steps compared

      bad.jsonl:3: step 2, {"type":"counter/add","payload":{"amount":3}}
        after counter/add, the store counter differs at /counter/count
          recorded: 6
          replayed: 5
        next:
          flux-inspect bad.jsonl --app HOST -g 2
          flux-inspect bad.jsonl --app HOST -g 2 -e diff
          flux-inspect bad.jsonl --app HOST -g 2 -e 'blame /counter/count'
          flux-inspect bad.jsonl --app HOST -e 'redispatch 2'

    """

  @Test("tells each log on a line, and of one that differs all that there is to know")
  func text() throws {
    #expect(
      try folder.verify("bad.jsonl", "good.jsonl", "missing.jsonl", "--keep-going")
        == ProgramRun(
          4,
          Self.report + """
            passed: good.jsonl: 2 steps compared
            unreadable: missing.jsonl: cannot open: No such file or directory

            """, errors: "3 logs: 1 passed, 1 diverged, 1 unreadable\n"))
    #expect(
      try folder.verify("bad.jsonl", "good.jsonl", "--jobs", "1")
        == ProgramRun(
          1, Self.report + "not run: good.jsonl\n",
          errors: """
            2 logs: 1 diverged, 1 not run
            note: to check all logs, despite those that fail: --keep-going

            """))
  }

  @Test(
    "says so if a result cannot be written, in every form",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: ["--format text", "--format json", "--format ndjson", "--tap", "--github"])
  func fullDevice(_ options: String) throws {
    let program = BuiltProduct.path("flux-inspect")
    let app = BuiltProduct.path("CounterHost")
    let run = try ProgramRun(
      [
        "good.jsonl", "-e",
        "!'\(program)' verify good.jsonl --app '\(app)' \(options) 2>said >/dev/full",
      ], in: folder)
    #expect(run.errors.hasPrefix("error: the shell command ended with status 3: "))
    #expect(
      try folder.text(of: "said").hasSuffix("error: cannot write: No space left on device\n"))
  }

  @Test("annotations never follow JSON, and TAP is no form of JSON", arguments: ["json", "ndjson"])
  func oneForm(_ format: String) throws {
    let run = try folder.verify("bad.jsonl", "--github", "--format", format)
    #expect(run.code == 1)
    #expect(run.output.hasPrefix("{") && !run.output.contains("::error"))
    #expect(run.errors.hasPrefix("::error file=bad.jsonl,line=3,title=replay diverged::"))
    let both = try folder.verify("bad.jsonl", "--tap", "--format", format)
    #expect(both.code == 2 && both.output.isEmpty)
    #expect(
      both.errors.hasPrefix(
        "Error: --tap and --format are two forms of the same results; choose one\n"))
  }

  @Test("writes TAP, GitHub's annotations and summary, and JUnit XML in one run")
  func reports() throws {
    let run = try folder.verify(
      "bad.jsonl", "good.jsonl", "--keep-going", "--tap", "--github", "--junit", "report.xml",
      environment: ["GITHUB_STEP_SUMMARY": folder.path("summary.md")])
    #expect(
      run
        == ProgramRun(
          1,
          #"""
          TAP version 14
          1..2
          not ok 1 - bad.jsonl
            ---
            result: diverged
            report: |
              diverged: bad.jsonl: 1 divergence, 2 steps compared

                bad.jsonl:3: step 2, {"type":"counter/add","payload":{"amount":3}}
                  after counter/add, the store counter differs at /counter/count
                    recorded: 6
                    replayed: 5
                  next:
                    flux-inspect bad.jsonl --app HOST -g 2
                    flux-inspect bad.jsonl --app HOST -g 2 -e diff
                    flux-inspect bad.jsonl --app HOST -g 2 -e 'blame /counter/count'
                    flux-inspect bad.jsonl --app HOST -e 'redispatch 2'
            ...
          ok 2 - good.jsonl
          ::error file=bad.jsonl,line=3,title=replay diverged::diverged: bad.jsonl: 1 divergence, 2 steps compared%0A%0A  bad.jsonl:3: step 2, {"type":"counter/add","payload":{"amount":3}}%0A    after counter/add, the store counter differs at /counter/count%0A      recorded: 6%0A      replayed: 5%0A    next:%0A      flux-inspect bad.jsonl --app HOST -g 2%0A      flux-inspect bad.jsonl --app HOST -g 2 -e diff%0A      flux-inspect bad.jsonl --app HOST -g 2 -e 'blame /counter/count'%0A      flux-inspect bad.jsonl --app HOST -e 'redispatch 2'

          """#, errors: "2 logs: 1 passed, 1 diverged\n"))
    #expect(
      try folder.text(of: "summary.md").withoutMeasures == #"""
        ### flux-inspect verify

        2 logs: 1 passed, 1 diverged

        | log | result | seconds |
        |---|---|---|
        | bad.jsonl | diverged | S |
        | good.jsonl | passed | S |

        <details><summary>bad.jsonl</summary>

        ```text
        diverged: bad.jsonl: 1 divergence, 2 steps compared

          bad.jsonl:3: step 2, {"type":"counter/add","payload":{"amount":3}}
            after counter/add, the store counter differs at /counter/count
              recorded: 6
              replayed: 5
            next:
              flux-inspect bad.jsonl --app HOST -g 2
              flux-inspect bad.jsonl --app HOST -g 2 -e diff
              flux-inspect bad.jsonl --app HOST -g 2 -e 'blame /counter/count'
              flux-inspect bad.jsonl --app HOST -e 'redispatch 2'
        ```

        </details>


        """#)
    #expect(
      try folder.text(of: "report.xml").withoutMeasures == #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite id="0" package="flux-inspect" name="flux-inspect verify" timestamp="T" hostname="H" tests="2" failures="1" errors="0" skipped="0" time="S">
            <properties/>
            <testcase name="bad.jsonl" classname="flux-inspect.verify" time="S"><failure message="diverged: bad.jsonl: 1 divergence, 2 steps compared: after counter/add, the store counter differs at /counter/count" type="diverged">diverged: bad.jsonl: 1 divergence, 2 steps compared

          bad.jsonl:3: step 2, {"type":"counter/add","payload":{"amount":3}}
            after counter/add, the store counter differs at /counter/count
              recorded: 6
              replayed: 5
            next:
              flux-inspect bad.jsonl --app HOST -g 2
              flux-inspect bad.jsonl --app HOST -g 2 -e diff
              flux-inspect bad.jsonl --app HOST -g 2 -e 'blame /counter/count'
              flux-inspect bad.jsonl --app HOST -e 'redispatch 2'
        </failure></testcase>
            <testcase name="good.jsonl" classname="flux-inspect.verify" time="S"/>
            <system-out/>
            <system-err/>
          </testsuite>
        </testsuites>

        """#)
    #expect(try folder.permissions(of: "summary.md") == 0o600)
  }

  @Test(
    "prints the results even if the file of a report cannot be written, which it names",
    arguments: [
      (
        ["--junit", "missing/report.xml"],
        "cannot write missing/report.xml: No such file or directory"
      ),
      (["--report", "good.jsonl"], "cannot make the folder good.jsonl: a file has this name"),
      (["--github"], "cannot write the step summary missing/summary.md: No such file or directory"),
    ])
  func unwritableFile(_ options: [String], _ error: String) throws {
    let arguments = ["verify", "good.jsonl", "--tap", "--app", BuiltProduct.path("CounterHost")]
    #expect(
      try ProgramRun(
        arguments + options, environment: ["GITHUB_STEP_SUMMARY": "missing/summary.md"], in: folder)
        == ProgramRun(
          3, "TAP version 14\n1..1\nok 1 - good.jsonl\n",
          errors: "1 log: 1 passed\nerror: \(error)\n"))
  }

  @Test("never replaces a log by a report", arguments: ["good.jsonl", "./link.jsonl"])
  func protectsLogs(_ file: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.jsonl"), withDestinationPath: "good.jsonl")
    let bytes = try folder.bytes(of: "good.jsonl")
    #expect(
      try folder.verify("bad.jsonl", "good.jsonl", "--junit", file)
        == ProgramRun(
          3, errors: "error: \(file) is the log itself, which is never overwritten\n"))
    #expect(try folder.bytes(of: "good.jsonl") == bytes)
  }

  @Test("writes a line of JSON for each log")
  func json() throws {
    #expect(
      try folder.verify("good.jsonl", "bad.jsonl", "--format", "ndjson")
        == ProgramRun(
          1,
          #"""
          {"log":"good.jsonl","result":"passed","seconds":S,"verdict":"passed","steps":2,"divergences":[]}
          {"log":"bad.jsonl","result":"diverged","seconds":S,"verdict":"diverged","steps":2,"divergences":[{"step":2,"line":3,"kind":"different","store":"counter","path":"/counter/count","recorded":6,"replayed":5,"action":{"type":"counter/add","payload":{"amount":3}},"chain":[{"n":2,"type":"counter/add"}],"next":["goto 2","diff","blame /counter/count","fork -1"]}]}

          """#, errors: "2 logs: 1 passed, 1 diverged\n"))
  }
}
