import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import Testing

@testable import FluxCorpus

@Suite struct SuiteReportTests {
  @Test("the summary counts every result")
  func summary() {
    #expect(
      SampleSuite.suite.summary
        == "6 logs: 1 passed, 1 diverged, 1 damaged, 1 failed, 1 unreadable, 1 not run")
    let empty = VerifiedSuite(began: LogInstant(microseconds: 0), seconds: 0, logs: [])
    #expect(empty.summary == "no logs")
  }

  @Test(
    "the exit code is that of the first log that does not pass, or the largest",
    arguments: [
      ([SampleSuite.passed, SampleSuite.notRun], 0, 0),
      ([SampleSuite.passed, SampleSuite.diverged, SampleSuite.failed], 1, 5),
      ([SampleSuite.failed, SampleSuite.diverged], 5, 5),
      ([SampleSuite.unreadable, SampleSuite.diverged], 4, 4),
      ([SampleSuite.damaged], 4, 4),
    ])
  func exitCode(logs: [VerifiedLog], first: Int32, largest: Int32) {
    let codes = logs.map(\.exitCode)
    #expect(codes.exitCode(keepsGoing: false, allowsEmpty: false) == first)
    #expect(codes.exitCode(keepsGoing: true, allowsEmpty: false) == largest)
  }

  @Test("a run without logs is not a pass, unless that is allowed")
  func empty() {
    #expect([Int32]().exitCode(keepsGoing: true, allowsEmpty: false) == 5)
    #expect([Int32]().exitCode(keepsGoing: true, allowsEmpty: true) == 0)
  }

  @Test("a log of which no step was compared is not a pass, unless that is allowed")
  func noStep() throws {
    var log = VerifiedLog(log: "g.jsonl", outcome: .report(ReplayReport(log: "g.jsonl")))
    #expect(
      try reports(of: log) == #"""
        exit code 5: 1 log: 1 empty
        {"log":"g.jsonl","result":"empty","seconds":0,"verdict":"empty","steps":0,"divergences":[]}
            <testcase name="g.jsonl" classname="flux-inspect.verify" time="0.000"><error message="empty: g.jsonl: 0 steps compared" type="empty">empty: g.jsonl: 0 steps compared
        not ok 1 - g.jsonl
        ::error file=g.jsonl,line=1,title=replay empty::empty: g.jsonl: 0 steps compared

        """#)
    log.mayBeEmpty = true
    #expect(
      try reports(of: log) == #"""
        exit code 0: 1 log: 1 empty
        {"log":"g.jsonl","result":"empty","seconds":0,"verdict":"empty","steps":0,"divergences":[]}
            <testcase name="g.jsonl" classname="flux-inspect.verify" time="0.000"><skipped message="empty: g.jsonl: 0 steps compared"/></testcase>
        ok 1 - g.jsonl # SKIP no step to compare

        """#)
  }

  @Test("what was not compared, and a log that was not closed, is told in each format")
  func remarks() throws {
    var report = ReplayReport(log: "g.jsonl")
    report.steps = 3
    report.isClosed = false
    report.notes = ["the log was not closed"]
    var log = VerifiedLog(log: "g.jsonl", outcome: .report(report))
    #expect(
      try reports(of: log) == #"""
        exit code 0: 1 log: 1 passed
        {"log":"g.jsonl","result":"passed","seconds":0,"verdict":"passed","steps":3,"divergences":[],"notes":["the log was not closed"]}
            <testcase name="g.jsonl" classname="flux-inspect.verify" time="0.000"/>
        ok 1 - g.jsonl
        ::notice file=g.jsonl,line=1,title=replay passed::passed: g.jsonl: 3 steps compared%0A  note: the log was not closed

        """#)
    let suite = VerifiedSuite(began: LogInstant(microseconds: 0), seconds: 0, logs: [log])
    #expect(
      ReportedRun(suite).junit(host: "ci").contains(
        "    <system-out>g.jsonl: note: the log was not closed</system-out>\n"))
    #expect(
      ReportedRun(suite).tap == """
        TAP version 14
        1..1
        ok 1 - g.jsonl
        #   note: the log was not closed

        """)
    #expect(
      ReportedRun(suite).githubSummary.hasSuffix(
        """
        <details><summary>g.jsonl</summary>

        ```text
        passed: g.jsonl: 3 steps compared
          note: the log was not closed
        ```

        </details>


        """))
    log.isStrict = true
    #expect(
      try reports(of: log) == #"""
        exit code 4: 1 log: 1 unclosed
        {"log":"g.jsonl","result":"unclosed","seconds":0,"verdict":"passed","steps":3,"divergences":[],"notes":["the log was not closed"]}
            <testcase name="g.jsonl" classname="flux-inspect.verify" time="0.000"><error message="unclosed: g.jsonl: fails with --strict; passed: g.jsonl: 3 steps compared" type="unclosed">unclosed: g.jsonl: fails with --strict; passed: g.jsonl: 3 steps compared
        not ok 1 - g.jsonl
        ::error file=g.jsonl,line=1,title=replay unclosed::unclosed: g.jsonl: fails with --strict; passed: g.jsonl: 3 steps compared%0A  note: the log was not closed

        """#)
  }

  @Test("no name, message or output of an app controls a terminal, a CI service or a document")
  func hostile() throws {
    let name = "a\n::error::\u{202E}\u{1B}\u{200B}|\u{301}\u{FFFF}%:,\"<##[x]"
    var crashed = ReplayFailure(.exited(.unknown), app: "app\r\n::app::")
    crashed.lastWords = ["::add-mask::x", " ##[error]y"]
    let suite = VerifiedSuite(
      began: LogInstant(microseconds: 0), seconds: 0,
      logs: [
        VerifiedLog(log: name, outcome: .failure(crashed)),
        VerifiedLog(log: name, outcome: .unreadable(LogError(path: name, reason: .empty))),
        VerifiedLog(log: name, outcome: .notRun),
      ])
    let shown = #"a\n::error::\u{202e}\u{1b}\u{200b}|"# + "\u{301}" + #"\u{ffff}%:,"<##\u{5b}x]"#
    #expect(
      suite.logs.map(\.text) == [
        #"""
        failed: \#(shown): app\r\n::app::: the app exited; run it in a debugger to see why
          its last lines on standard error:
            :\u{3a}add-mask::x
             ##\u{5b}error]y

        """#,
        "unreadable: \(shown): the file is empty; a log starts with a header line\n",
        "not run: \(shown)\n",
      ])
    let property =
      #"a%0A%3A%3Aerror%3A%3A\u{202e}\u{1b}\u{200b}|"# + "\u{301}"
      + #"\u{ffff}%25%3A%2C"<##\u{5b}x]"#
    let annotations = ReportedRun(suite).githubAnnotations(in: "/", workspace: nil)
    #expect(
      String(annotations.split(separator: "\n")[1])
        == "::error file=\(property),line=1,title=replay unreadable::unreadable: "
        + shown.replacing("%", with: "%25") + ": the file is empty; a log starts with a header line"
    )
    let cell =
      #"a\\n::error::\\u{202e}\\u{1b}\\u{200b}\|"# + "\u{301}"
      + #"\\u{ffff}%:,"&lt;##\\u{5b}x\]"#
    let summary = ReportedRun(suite).githubSummary.split(separator: "\n")
    #expect(String(summary[4]) == "| \(cell) | failed | 0.000 |")
    #expect(
      String(summary[7])
        == "<details><summary>\(shown.replacing("<", with: "&lt;"))</summary>")
    let cases = ReportedRun(suite).junit(host: "h\u{1}").split(separator: "\n")
    #expect(cases[2].contains(#" hostname="h\u{1}" "#))
    let attribute = shown.replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    #expect(cases[4].hasPrefix("    <testcase name=\"\(attribute)\" classname="))
    let points = ReportedRun(suite).tap.split(separator: "\n")
    #expect(
      String(points[2])
        == #"not ok 1 - a\u000a::error::\u202e\u001b\u200b|"# + "\u{301}"
        + ##"\uffff%:,"<\#\#\u005bx]"##)
    #expect(points.last == points[2].replacing("not ok 1", with: "ok 3") + " # SKIP not run")
  }

  @Test("a quote with an accent behind it does not end an attribute of JUnit XML")
  func accent() {
    let suite = VerifiedSuite(
      began: LogInstant(microseconds: 0), seconds: 0,
      logs: [VerifiedLog(log: "a\"\u{301}b.jsonl", outcome: .notRun)])
    let cases = ReportedRun(suite).junit(host: "ci").split(separator: "\n")
    #expect(
      cases[4].hasPrefix("    <testcase name=\"a&quot;\u{301}b.jsonl\" classname="))
  }

  private static func json(_ log: VerifiedLog) throws -> String {
    try LogEncoder(order: .declaration).encode(log).text
  }

  /// The text of a log in each format, in a line or a few.
  private func reports(of log: VerifiedLog) throws -> String {
    let suite = VerifiedSuite(began: LogInstant(microseconds: 0), seconds: 0, logs: [log])
    let lines = { (text: String) in text.split(separator: "\n") }
    return [
      "exit code \(log.exitCode): \(suite.summary)", try Self.json(log),
      String(lines(ReportedRun(suite).junit(host: "ci"))[4]),
      String(lines(ReportedRun(suite).tap)[2]),
      ReportedRun(suite).githubAnnotations(in: "/", workspace: nil),
    ].joined(separator: "\n")
  }

  @Test("a log is a line of JSON with its result, its report or its error")
  func json() throws {
    #expect(
      try SampleSuite.suite.logs.map(Self.json) == [
        #"{"log":"a & <a>.jsonl","result":"passed","seconds":0.012,"verdict":"passed","steps":20,"divergences":[]}"#,
        #"{"log":"b|#,:.jsonl","result":"diverged","seconds":1.235,"verdict":"diverged","steps":4,"divergences":[{"step":5,"line":6,"kind":"different","store":"todos","recorded":"<b> & \"c\"","replayed":true,"action":{"type":"todo/toggle","payload":{"id":2}},"chain":[{"n":5,"type":"todo/toggle"}],"reason":"the reducer of todos changed","next":["goto 5","diff","fork -1"]}]}"#,
        #"{"log":"c.jsonl","result":"failed","seconds":61,"error":"./app: step 7, todo/clear: the app was terminated by signal 4 (SIGILL); run it in a debugger and dispatch the actions up to this step to see why"}"#,
        #"{"log":"d.jsonl","result":"damaged","seconds":0,"verdict":"damaged","steps":0,"divergences":[],"damage":[{"line":3,"byte":0,"message":"the line is not a JSON object; every line of a log has to be one"}]}"#,
        #"{"log":"e.jsonl","result":"unreadable","seconds":0,"error":"e.jsonl: the file is empty; a log starts with a header line"}"#,
        #"{"log":"f.jsonl","result":"not run","seconds":0}"#,
      ])
  }

  @Test("JUnit XML has a suite for the run and a case for each log")
  func junit() {
    #expect(
      ReportedRun(SampleSuite.suite).junit(host: "ci") == #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite id="0" package="flux-inspect" name="flux-inspect verify" timestamp="2025-11-20T12:00:00" hostname="ci" tests="6" failures="1" errors="3" skipped="1" time="62.500">
            <properties/>
            <testcase name="a &amp; &lt;a&gt;.jsonl" classname="flux-inspect.verify" time="0.012"/>
            <testcase name="b|#,:.jsonl" classname="flux-inspect.verify" time="1.235"><failure message="diverged: b|#,:.jsonl: 1 divergence, 4 steps compared: after todo/toggle, the store todos differs" type="diverged">diverged: b|#,:.jsonl: 1 divergence, 4 steps compared

          b|#,:.jsonl:6: step 5, {"type":"todo/toggle","payload":{"id":2}}
            after todo/toggle, the store todos differs
              recorded: "&lt;b&gt; &amp; \"c\""
              replayed: true
            likely reason: the reducer of todos changed
            next:
              flux-inspect 'b|#,:.jsonl' -g 5
              flux-inspect 'b|#,:.jsonl' -g 5 -e diff
        </failure></testcase>
            <testcase name="c.jsonl" classname="flux-inspect.verify" time="61.000"><error message="failed: c.jsonl: ./app: step 7, todo/clear: the app was terminated by signal 4 (SIGILL); run it in a debugger and dispatch the actions up to this step to see why" type="failed">failed: c.jsonl: ./app: step 7, todo/clear: the app was terminated by signal 4 (SIGILL); run it in a debugger and dispatch the actions up to this step to see why
        </error></testcase>
            <testcase name="d.jsonl" classname="flux-inspect.verify" time="0.000"><error message="damaged: d.jsonl: 0 steps compared" type="damaged">damaged: d.jsonl: 0 steps compared
          damage: d.jsonl: line 3, byte 0: the line is not a JSON object; every line of a log has to be one
        </error></testcase>
            <testcase name="e.jsonl" classname="flux-inspect.verify" time="0.000"><error message="unreadable: e.jsonl: the file is empty; a log starts with a header line" type="unreadable">unreadable: e.jsonl: the file is empty; a log starts with a header line
        </error></testcase>
            <testcase name="f.jsonl" classname="flux-inspect.verify" time="0.000"><skipped message="not run: f.jsonl"/></testcase>
            <system-out/>
            <system-err/>
          </testsuite>
        </testsuites>

        """#)
  }

  @Test(
    "JUnit XML is valid under Jenkins' schema and under the stricter one of Ant",
    .enabled(if: Schemas.areAvailable, "needs xmllint, and the schemas at FLUX_CORPORA"),
    arguments: ["jenkins-junit-10.xsd", "windyroad-JUnit.xsd"])
  func schema(_ schema: String) throws {
    let hostile = VerifiedLog(
      log: "  \u{1}\u{7F}\u{FFFF}\n\"'<&>]]>.jsonl", outcome: .notRun, seconds: 86_400)
    var suite = SampleSuite.suite
    suite.logs.append(hostile)
    for suite in [suite, VerifiedSuite(began: suite.began, seconds: 0, logs: [])] {
      #expect(
        try Schemas.complaints(about: ReportedRun(suite).junit(host: ""), schema) == "")
    }
  }

  @Test("TAP has a point for each log, and what is wrong in a block below")
  func tap() {
    #expect(
      ReportedRun(SampleSuite.suite).tap == ##"""
        TAP version 14
        1..6
        ok 1 - a & <a>.jsonl
        not ok 2 - b|\#,:.jsonl
          ---
          result: diverged
          report: |
            diverged: b|#,:.jsonl: 1 divergence, 4 steps compared

              b|#,:.jsonl:6: step 5, {"type":"todo/toggle","payload":{"id":2}}
                after todo/toggle, the store todos differs
                  recorded: "<b> & \"c\""
                  replayed: true
                likely reason: the reducer of todos changed
                next:
                  flux-inspect 'b|#,:.jsonl' -g 5
                  flux-inspect 'b|#,:.jsonl' -g 5 -e diff
          ...
        not ok 3 - c.jsonl
          ---
          result: failed
          report: |
            failed: c.jsonl: ./app: step 7, todo/clear: the app was terminated by signal 4 (SIGILL); run it in a debugger and dispatch the actions up to this step to see why
          ...
        not ok 4 - d.jsonl
          ---
          result: damaged
          report: |
            damaged: d.jsonl: 0 steps compared
              damage: d.jsonl: line 3, byte 0: the line is not a JSON object; every line of a log has to be one
          ...
        not ok 5 - e.jsonl
          ---
          result: unreadable
          report: |
            unreadable: e.jsonl: the file is empty; a log starts with a header line
          ...
        ok 6 - f.jsonl # SKIP not run

        """##)
  }

  @Test(
    "GitHub reads paths from the repository's folder",
    arguments: [
      ("/repo/app", "/repo", "app/c.jsonl"), ("/repo/app/", "/repo/", "app/c.jsonl"),
      ("/repo", "/repo", "c.jsonl"), ("/repository/app", "/repo", "c.jsonl"),
      ("/repo/app", nil, "c.jsonl"),
    ] as [(String, String?, String)])
  func annotationPaths(_ folder: String, _ workspace: String?, _ path: String) {
    let annotations = ReportedRun(SampleSuite.suite).githubAnnotations(
      in: folder, workspace: workspace)
    #expect(annotations.contains("::error file=\(path),line=1,"))
  }

  @Test("GitHub gets an annotation for each log that did not pass, at its line")
  func annotations() {
    #expect(
      ReportedRun(SampleSuite.suite).githubAnnotations(in: "/", workspace: nil) == #"""
        ::error file=b|#%2C%3A.jsonl,line=6,title=replay diverged::diverged: b|#,:.jsonl: 1 divergence, 4 steps compared%0A%0A  b|#,:.jsonl:6: step 5, {"type":"todo/toggle","payload":{"id":2}}%0A    after todo/toggle, the store todos differs%0A      recorded: "<b> & \"c\""%0A      replayed: true%0A    likely reason: the reducer of todos changed%0A    next:%0A      flux-inspect 'b|#,:.jsonl' -g 5%0A      flux-inspect 'b|#,:.jsonl' -g 5 -e diff
        ::error file=c.jsonl,line=1,title=replay failed::failed: c.jsonl: ./app: step 7, todo/clear: the app was terminated by signal 4 (SIGILL); run it in a debugger and dispatch the actions up to this step to see why
        ::error file=d.jsonl,line=3,title=replay damaged::damaged: d.jsonl: 0 steps compared%0A  damage: d.jsonl: line 3, byte 0: the line is not a JSON object; every line of a log has to be one
        ::error file=e.jsonl,line=1,title=replay unreadable::unreadable: e.jsonl: the file is empty; a log starts with a header line

        """#)
  }

  @Test("GitHub's summary has a table of the logs and the reports of those that did not pass")
  func stepSummary() {
    #expect(
      ReportedRun(SampleSuite.suite).githubSummary == #"""
        ### flux-inspect verify

        6 logs: 1 passed, 1 diverged, 1 damaged, 1 failed, 1 unreadable, 1 not run

        | log | result | seconds |
        |---|---|---|
        | a &amp; &lt;a>.jsonl | passed | 0.012 |
        | b\|#,:.jsonl | diverged | 1.235 |
        | c.jsonl | failed | 61.000 |
        | d.jsonl | damaged | 0.000 |
        | e.jsonl | unreadable | 0.000 |
        | f.jsonl | not run | 0.000 |

        <details><summary>b|#,:.jsonl</summary>

        ```text
        diverged: b|#,:.jsonl: 1 divergence, 4 steps compared

          b|#,:.jsonl:6: step 5, {"type":"todo/toggle","payload":{"id":2}}
            after todo/toggle, the store todos differs
              recorded: "<b> & \"c\""
              replayed: true
            likely reason: the reducer of todos changed
            next:
              flux-inspect 'b|#,:.jsonl' -g 5
              flux-inspect 'b|#,:.jsonl' -g 5 -e diff
        ```

        </details>

        <details><summary>c.jsonl</summary>

        ```text
        failed: c.jsonl: ./app: step 7, todo/clear: the app was terminated by signal 4 (SIGILL); run it in a debugger and dispatch the actions up to this step to see why
        ```

        </details>

        <details><summary>d.jsonl</summary>

        ```text
        damaged: d.jsonl: 0 steps compared
          damage: d.jsonl: line 3, byte 0: the line is not a JSON object; every line of a log has to be one
        ```

        </details>

        <details><summary>e.jsonl</summary>

        ```text
        unreadable: e.jsonl: the file is empty; a log starts with a header line
        ```

        </details>


        """#)
  }
}
