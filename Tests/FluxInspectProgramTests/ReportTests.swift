import Foundation
import TestFixtures
import Testing

@Suite("What flux-inspect report and verify --report write", .waiting)
struct ReportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(CounterLog.passing, "good.jsonl")
    try folder.log(CounterLog.diverged, "bad.jsonl")
  }

  @Test("a report is one file, the same each time, and replaced on request only")
  func report() throws {
    #expect(
      try ProgramRun(["report", "good.jsonl", "-o", "good.html"], in: folder) == ProgramRun(0))
    let text = try folder.text(of: "good.html")
    #expect(text.hasPrefix("<!doctype html>"))
    #expect(text.contains("id=\"flux-data\">H4sIAAAAAAA"))
    #expect(
      try ProgramRun(["report", "good.jsonl", "-o", "good.html"], in: folder)
        == ProgramRun(
          3, errors: "error: good.html already exists\nhint: --force overwrites it\n"))
    #expect(
      try ProgramRun(["report", "good.jsonl", "-o", "good.html", "--force"], in: folder)
        == ProgramRun(0))
    #expect(try folder.text(of: "good.html") == text)
    #expect(
      try ProgramRun(["report", "good.jsonl", "-o", "good.jsonl", "--force"], in: folder)
        == ProgramRun(
          3, errors: "error: good.jsonl is the log itself, which is never overwritten\n"))
  }

  @Test(
    "a wrong range is told",
    arguments: [
      ("x..", 2, "Error: --range: x.. is not a range; a range is A..B"),
      ("5..9", 3, "error: there is no step 9; the log has steps 1 to 2\n"),
      ("2..1", 3, "error: the range ends at step 1, before it begins at step 2\n"),
    ])
  func ranges(_ range: String, _ code: Int32, _ error: String) throws {
    let run = try ProgramRun(
      ["report", "good.jsonl", "-o", "x.html", "--range", range], in: folder)
    #expect(run.code == code)
    #expect(run.errors.hasPrefix(error), "\(run.errors)")
  }

  @Test("-g opens the page at a step, and refuses a position that is not in the log")
  func position() throws {
    for position in ["1", "2", "counter/add#1"] {
      let file = "at-\(position.prefix(1)).html"
      #expect(
        try ProgramRun(["report", "good.jsonl", "-o", file, "-g", position], in: folder)
          == ProgramRun(0))
    }
    #expect(try folder.text(of: "at-1.html") != folder.text(of: "at-2.html"))
    #expect(try folder.text(of: "at-1.html") == folder.text(of: "at-c.html"))
    #expect(
      try ProgramRun(["report", "good.jsonl", "-o", "far.html", "-g", "+9"], in: folder)
        == ProgramRun(0, errors: "note: stopped at the end, after 2 of 9 steps\n"))
    #expect(try folder.text(of: "far.html") == folder.text(of: "at-2.html"))
    let wrong = try ProgramRun(["report", "good.jsonl", "-o", "x.html", "-g", "x!"], in: folder)
    #expect(wrong.code == 2 && wrong.errors.hasPrefix("Error: -g: x! is not a position; "))
    #expect(
      try ProgramRun(["report", "good.jsonl", "-o", "x.html", "-g", "9"], in: folder)
        == ProgramRun(3, errors: "error: there is no step 9; the log has steps 1 to 2\n"))
  }

  @Test("verify writes a report of each log that did not pass")
  func verify() throws {
    let run = try folder.verify("bad.jsonl", "good.jsonl", "--keep-going", "--report", "reports")
    #expect(run.code == 1)
    #expect(
      run.errors == "note: 1 report in reports\n2 logs: 1 passed, 1 diverged\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("reports"))
    #expect(names == ["bad.html"])
    #expect(try folder.text(of: "reports/bad.html").contains("id=\"flux-data\">H4sIAAAAAAA"))
  }

  @Test("a file that is no log keeps verify from no other report, and a file from all")
  func verifyBesidesOthers() throws {
    try folder.write("[5]".utf8, to: "five.jsonl")
    let run = try folder.verify("five.jsonl", "bad.jsonl", "--keep-going", "--report", "reports")
    #expect(run.code == 4)
    #expect(
      run.errors.hasPrefix("note: there is no report of five.jsonl: five.jsonl: not a Redux"))
    #expect(
      run.errors.hasSuffix("note: 1 report in reports\n2 logs: 1 diverged, 1 unreadable\n"),
      "\(run.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("reports")) == ["bad.html"])
    let refused = try folder.verify("bad.jsonl", "--report", "five.jsonl")
    #expect(refused.code == 3)
    #expect(
      refused.errors.contains("error: cannot make the folder five.jsonl: a file has this name\n"))
  }

  @Test(
    "verify writes no report through another user's link to a folder",
    .enabled(if: geteuid() == 0, "needs a second user"))
  func plantedFolder() throws {
    #expect(unsafe chmod(folder.path(""), 0o1777) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path("secret"), withIntermediateDirectories: false)
    #expect(unsafe symlink("secret", folder.path("reports")) == 0)
    #expect(unsafe lchown(folder.path("reports"), 65534, 65534) == 0)
    for path in ["reports", "reports/more"] {
      let run = try folder.verify("bad.jsonl", "--report", path)
      #expect(run.code == 3)
      let error = "error: cannot follow the link of another user at \(path): Permission denied\n"
      #expect(run.errors.contains(error), "\(run.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("secret")) == [])
  }
}
