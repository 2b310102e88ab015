import TestFixtures
import Testing

@Suite("The subcommands of flux-inspect", .waiting)
struct ScriptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
    try folder.log(TodoLog.withDamage, "damaged.jsonl")
  }

  @Test(
    "write what they find, and end with the code that says what that means",
    arguments: [
      (
        ["cat", "log.jsonl", "--type", "todo/s*", "--states"],
        ProgramRun(
          0,
          """
          {"n":2,"t":1.000000,"action":{"type":"todo/saved"},"cause":1,"effect":"save","state":{"todos":{"items":[{"done":false,"title":"milk"}]}}}

          """)
      ),
      (
        ["cat", "damaged.jsonl", "--range", "5.."],
        ProgramRun(
          4, TodoLog.steps[4] + "\n",
          errors: "note: damaged.jsonl is damaged: 'check' shows where\n")
      ),
      (["check", "log.jsonl"], ProgramRun(0)),
      (
        ["check", "damaged.jsonl"],
        ProgramRun(
          4,
          """
          {"line":4,"step":3,"byte":16,"kind":"json","message":"the line is damaged: the text ends inside a JSON value; it was probably cut off"}

          """)
      ),
      (
        ["check", "log.jsonl", "missing.jsonl", "--format", "text"],
        ProgramRun(4, errors: "error: missing.jsonl: cannot open: No such file or directory\n")
      ),
      (
        ["stats", "log.jsonl", "--format", "ndjson"],
        ProgramRun(
          0,
          """
          {"steps":5,"types":[{"type":"todo/add","count":2},{"type":"todo/clear","count":1},{"type":"todo/saved","count":1},{"type":"todo/toggle","count":1}],"bytes":878,"duration":10}

          """)
      ),
      (
        ["diff", "log.jsonl", "log.jsonl"],
        ProgramRun(0, "the same actions led to the same states\n")
      ),
      (
        ["diff", "log.jsonl", "damaged.jsonl", "--color", "never"],
        ProgramRun(
          1,
          """
          --- log.jsonl
          +++ damaged.jsonl
          - 3 todo/add {"title":"日本 🎉"} +1.25s
          the state of todos is known in only one of the logs, from step 4 on

          """,
          errors: "note: damaged.jsonl is damaged: only its usable steps are compared\n")
      ),
      (
        ["repair", "damaged.jsonl", "-o", "log.jsonl"],
        ProgramRun(
          3,
          errors: """
            error: log.jsonl already exists
            hint: a repaired log is a new file: name one that does not exist

            """)
      ),
    ])
  func runs(_ arguments: [String], _ expected: ProgramRun) throws {
    #expect(try ProgramRun(arguments, in: folder) == expected)
  }

  @Test("repair a log to one that is sound")
  func repairs() throws {
    let repair = try ProgramRun(["repair", "damaged.jsonl", "-o", "sound.jsonl"], in: folder)
    #expect(repair.code == 0)
    #expect(repair.errors == "")
    #expect(try ProgramRun(["check", "sound.jsonl"], in: folder) == ProgramRun(0))
  }

  @Test("open a log that is called like one of them")
  func opensByName() throws {
    try folder.log(TodoLog.lines, "check")
    #expect(try ProgramRun(["open", "check", "-e", "count *"], in: folder) == ProgramRun(0, "5\n"))
  }
}
