import Foundation
import TestFixtures
import Testing

@Suite("flux-inspect rules", .waiting)
struct RulesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      # the counter
      rule low: always counter.count < 7
      rule odd: counter/add leads to counter/reset
      rule far: never counter/add after counter/close

      """, to: "counter.rules")
    try folder.log(CounterLog.passing, "good.jsonl")
    try folder.write(Self.log(counts: [2, 9]), to: "bad.jsonl")
    try folder.write(Self.log(counts: [2]), to: "short.jsonl")
  }

  private static func log(counts: [Int]) -> String {
    let steps = counts.enumerated().map { place, count in
      let cause = place > 0 ? #","cause":\#(place)"# : ""
      return
        #"{"n":\#(place + 1),"t":\#(place + 1),"action":{"type":"counter/add"}\#(cause),"states":{"counter":{"count":\#(count)}}}"#
    }
    let header = #"{"flux":"1.1","stores":{"counter":{"initial":{"count":0}}}}"#
    let end = #"{"end":{"steps":\#(counts.count),"ok":true}}"#
    return ([header] + steps + (counts.count > 1 ? [end] : []) + [""]).joined(separator: "\n")
  }

  private func rules(_ arguments: String...) throws -> ProgramRun {
    var run = try ProgramRun(["rules", "counter.rules"] + arguments, in: folder)
    run.output = run.output.withoutMeasures
    run.errors = run.errors.withoutMeasures
    return run
  }

  @Test("names the step, its causes and the commands to continue with")
  func text() throws {
    #expect(
      try rules("bad.jsonl", "short.jsonl", "--keep-going")
        == ProgramRun(
          1,
          """
          violated: bad.jsonl: 2 of 3 rules, 2 steps

            bad.jsonl:3: step 2, counter/add
              caused by 1 counter/add
              violates rule low: always counter.count < 7
              next:
                flux-inspect bad.jsonl -g 2
                flux-inspect bad.jsonl -g 2 -e diff
                flux-inspect bad.jsonl -g 2 -e where

            bad.jsonl:2: step 1, counter/add
              violates rule odd: counter/add leads to counter/reset
              next:
                flux-inspect bad.jsonl -g 1
                flux-inspect bad.jsonl -g 1 -e diff
            warning: rule far was never triggered: never counter/add after counter/close
          open: short.jsonl: 3 rules, 1 step
            open: rule odd: step 1, counter/add still has to be answered: counter/add leads to counter/reset
            warning: rule far was never triggered: never counter/add after counter/close
            note: the log was not closed; its last steps may be missing

          """, errors: "2 logs: 1 violated, 1 open\n"))
  }

  @Test("stops at the first log that breaks a rule")
  func first() throws {
    let run = try rules("bad.jsonl", "short.jsonl", "--jobs", "1")
    #expect(run.code == 1)
    #expect(run.output.hasSuffix("not run: short.jsonl\n"))
    #expect(
      run.errors == """
        2 logs: 1 violated, 1 not run
        note: to check all logs, despite those that fail: --keep-going

        """)
  }

  @Test("writes a line of JSON for each log and rule")
  func lines() throws {
    #expect(
      try rules("bad.jsonl", "--format", "ndjson").output
        == #"""
        {"log":"bad.jsonl","rule":"low","verdict":"violated","triggers":1,"step":2,"chain":[{"n":2,"type":"counter/add"},{"n":1,"type":"counter/add"}],"next":["goto 2","diff","where"]}
        {"log":"bad.jsonl","rule":"odd","verdict":"violated","triggers":2,"step":1,"chain":[{"n":1,"type":"counter/add"}],"next":["goto 1","diff"]}
        {"log":"bad.jsonl","rule":"far","verdict":"vacuous","triggers":0,"chain":[],"next":[]}

        """#)
  }

  @Test("has a case for each log and rule in the reports of CI")
  func reports() throws {
    #expect(
      try rules("bad.jsonl", "--tap", "--github").output == """
        TAP version 14
        1..3
        not ok 1 - bad.jsonl: low
          ---
          result: violated
          report: |
            violated: bad.jsonl: low
            bad.jsonl:3: step 2, counter/add
              caused by 1 counter/add
              violates rule low: always counter.count < 7
              next:
                flux-inspect bad.jsonl -g 2
                flux-inspect bad.jsonl -g 2 -e diff
                flux-inspect bad.jsonl -g 2 -e where
          ...
        not ok 2 - bad.jsonl: odd
          ---
          result: violated
          report: |
            violated: bad.jsonl: odd
            bad.jsonl:2: step 1, counter/add
              violates rule odd: counter/add leads to counter/reset
              next:
                flux-inspect bad.jsonl -g 1
                flux-inspect bad.jsonl -g 1 -e diff
          ...
        ok 3 - bad.jsonl: far
        # warning: rule far was never triggered: never counter/add after counter/close
        ::error file=bad.jsonl,line=3,title=rule violated::violated: bad.jsonl: low%0Abad.jsonl:3: step 2, counter/add%0A  caused by 1 counter/add%0A  violates rule low: always counter.count < 7%0A  next:%0A    flux-inspect bad.jsonl -g 2%0A    flux-inspect bad.jsonl -g 2 -e diff%0A    flux-inspect bad.jsonl -g 2 -e where
        ::error file=bad.jsonl,line=2,title=rule violated::violated: bad.jsonl: odd%0Abad.jsonl:2: step 1, counter/add%0A  violates rule odd: counter/add leads to counter/reset%0A  next:%0A    flux-inspect bad.jsonl -g 1%0A    flux-inspect bad.jsonl -g 1 -e diff
        ::warning file=bad.jsonl,line=1,title=rule vacuous::vacuous: bad.jsonl: far%0Awarning: rule far was never triggered: never counter/add after counter/close

        """)
    _ = try rules("bad.jsonl", "--junit", "report.xml")
    #expect(
      try folder.text(of: "report.xml").withoutMeasures.hasPrefix(
        #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite id="0" package="flux-inspect" name="flux-inspect rules" timestamp="T" hostname="H" tests="3" failures="2" errors="0" skipped="0" time="S">
            <properties/>
            <testcase name="bad.jsonl: low" classname="flux-inspect.rules" time="S"><failure message="violated: bad.jsonl: low" type="violated">
        """#))
  }

  @Test("prints the results even if the file of a report cannot be written")
  func unwritableFile() throws {
    let run = try rules("good.jsonl", "--tap", "--junit", "missing/report.xml")
    #expect(run.code == 3)
    #expect(run.output.hasPrefix("TAP version 14\n1..3\n"))
    #expect(
      run.errors.hasSuffix(
        "\nerror: cannot write missing/report.xml: No such file or directory\n"))
  }

  @Test("fails a rule that was never triggered if it is strict")
  func strict() throws {
    try folder.write(
      "rule low: always counter.count < 7\nrule far: counter/close leads to counter/add\n",
      to: "counter.rules")
    try folder.write(Self.log(counts: [2, 3]), to: "steady.jsonl")
    #expect(try rules("steady.jsonl").code == 0)
    #expect(
      try rules("steady.jsonl", "--strict", "--tap", "--github")
        == ProgramRun(
          1,
          """
          TAP version 14
          1..2
          ok 1 - steady.jsonl: low
          not ok 2 - steady.jsonl: far
            ---
            result: vacuous
            report: |
              vacuous: steady.jsonl: far
              warning: rule far was never triggered: counter/close leads to counter/add
            ...
          ::error file=steady.jsonl,line=1,title=rule vacuous::vacuous: steady.jsonl: far%0Awarning: rule far was never triggered: counter/close leads to counter/add

          """, errors: "1 log: 1 vacuous\n"))
    #expect(try rules("bad.jsonl", "--strict").errors == "1 log: 1 violated\n")
  }

  @Test("says what it cannot check")
  func failures() throws {
    #expect(
      try rules("missing.jsonl")
        == ProgramRun(
          4, "unreadable: missing.jsonl: cannot open: No such file or directory\n",
          errors: "1 log: 1 unreadable\n"))
    #expect(try rules().code == 5)
    #expect(try rules("--allow-empty").code == 0)
    #expect(try rules("short.jsonl", "--strict").code == 4)
    try folder.write("rule low: alway counter.count < 7\n", to: "counter.rules")
    #expect(
      try rules("bad.jsonl")
        == ProgramRun(
          2,
          errors: """
            error: counter.rules:1:11: 'alway' is not a pattern
              rule low: alway counter.count < 7
                        ^
            hint: did you mean 'always'?

            """))
    #expect(
      try ProgramRun(["rules", "no.rules", "bad.jsonl"], in: folder).errors
        == "error: cannot read no.rules: No such file or directory\n")
  }
}
