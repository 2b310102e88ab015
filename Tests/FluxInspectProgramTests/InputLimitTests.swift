import Foundation
import TestFixtures
import Testing

@Suite("Input that is longer than the memory limit allows", .waiting)
struct InputLimitTests {
  /// A line may have 4 MB then, a script 64 KB, and a copied log 64 MB.
  private static let environment = ["FLUX_MEMORY_LIMIT": "1"]
  private static let advice = "set FLUX_MEMORY_LIMIT to more megabytes to raise the limit"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], input: String = "") throws -> ProgramRun {
    try ProgramRun(arguments, input: input, environment: Self.environment, in: folder)
  }

  /// Writes a log whose last line has 5 MB, most of which the file system makes up.
  private func writeLongLine() throws {
    let lines = TodoLog.lines.dropLast().map { $0 + "\n" }.joined()
    try folder.write(lines, to: "long.jsonl")
    let file = try FileHandle(forWritingTo: folder.url("long.jsonl"))
    defer { file.closeFile() }
    try file.truncate(atOffset: UInt64(lines.utf8.count + 5_000_000))
  }

  @Test("Every reader of lines reports a last line that is too long, and reads the steps before it")
  func lines() throws {
    try writeLongLine()
    try folder.write("rule ok: always length(todos.items) >= 0\n", to: "all.rules")
    let finding = "the line has 5000000 bytes, and at most 4194304 are read; \(Self.advice)"
    let check = try run(["check", "long.jsonl", "--format", "text"])
    #expect(check.code == 4)
    #expect(
      check.output == """
        damage: line 7, step 6, byte 4194304: \(finding)
        note: line 8, byte 0: there is no end line: the recorder was not closed, or is still recording

        """)
    let cat = try run(["cat", "long.jsonl"])
    #expect(cat.code == 4)
    #expect(cat.output == TodoLog.steps.map { $0 + "\n" }.joined())
    let repair = try run(["repair", "long.jsonl", "-o", "copy.jsonl"])
    #expect(repair.output.hasPrefix("copy.jsonl: 5 steps kept, 1 line left out\n"))
    let rules = try run(["rules", "all.rules", "long.jsonl"])
    #expect(rules.code == 4)
    #expect(rules.output.contains(finding))
    let session = try run(["long.jsonl", "-e", "count *"])
    #expect(session.code == 0)
    #expect(session.output == "5\n")
    #expect(session.errors.contains(finding))
  }

  @Test("A long line of a few compressed kilobytes is reported, too")
  func compressed() throws {
    try writeLongLine()
    let gzip = try Process.run(
      URL(filePath: "/usr/bin/gzip"), arguments: ["-q", folder.path("long.jsonl")])
    gzip.waitUntilExit()
    let check = try run(["check", "long.jsonl.gz", "--format", "text"])
    #expect(check.code == 4)
    #expect(check.output.contains("line 7, step 6, byte 4194304: the line has 5000000 bytes"))
  }

  @Test("A file of rules or commands that is too long is refused")
  func scripts() throws {
    try folder.log(TodoLog.lines, "a.jsonl")
    try folder.write(String(repeating: "count *\n", count: 10_000), to: "long.txt")
    for arguments in [["rules", "long.txt", "a.jsonl"], ["a.jsonl", "-x", "long.txt"]] {
      #expect(
        try run(arguments)
          == ProgramRun(
            2,
            errors: """
              error: long.txt has 80000 bytes, and at most 65536 of commands or rules are read, which end in line 8193
              hint: \(Self.advice)

              """))
    }
  }

  @Test("A value or a name of an import that is too long is refused")
  func imports() throws {
    let long = String(repeating: "x", count: 5_000_000)
    let problem = "5000002 bytes, and at most 4194304 are read\nhint: \(Self.advice)\n"
    try folder.write(#"[{"type":"a"},{"type":"b","text":"\#(long)"}]"#, to: "value.json")
    let value = try run(["import", "value.json", "-o", "a.jsonl"])
    #expect(value.code == 4)
    #expect(value.errors.contains("bytes, and at most 4194304 are read\nhint: \(Self.advice)\n"))
    try folder.write(#"{"\#(long)":1}"#, to: "name.json")
    let name = try run(["import", "name.json", "-o", "a.jsonl"])
    let errors = "error: name.json: a name: byte 1: the value has \(problem)"
    #expect(name == ProgramRun(4, errors: errors))
  }
}
