import Testing

@testable import FluxLog

@Suite struct LaunchNameTests {
  @Test("A launch is named after the app, the time in UTC and random digits")
  func text() throws {
    let start = try #require(LogInstant("2026-11-20T14:00:05.678901+02:00"))
    let name = LaunchName(app: "todo", start: start, random: 0x1A2B_3C)
    #expect(name.text == "todo-20261120T120005Z-001a2b3c")
    #expect(name.start == LogInstant("2026-11-20T12:00:05Z"))
  }

  @Test(
    "A file belongs to the launch whose name it begins with",
    arguments: [
      "todo-20261120T120005Z-001a2b3c.jsonl", "todo-20261120T120005Z-001a2b3c.0012.jsonl",
      "todo-20261120T120005Z-001a2b3c~1.jsonl", ".todo-20261120T120005Z-001a2b3c.jsonl.lock",
      "todo-20261120T120005Z-001a2b3c.jsonl.0123456789abcdef.unfinished",
    ])
  func files(file: String) throws {
    let name = try #require(LaunchName(app: "todo", ofFile: file))
    #expect(name.text == "todo-20261120T120005Z-001a2b3c")
    #expect(name.start == LogInstant("2026-11-20T12:00:05Z"))
  }

  @Test(
    "Other files belong to no launch",
    arguments: [
      "todo.jsonl", "todo-20261120T120005Z-001a2b3c", "todo-20261120T120005Z-001A2B3C.jsonl",
      "todo-20261320T120005Z-001a2b3c.jsonl", "todo-20261120T120005+-001a2b3c.jsonl",
      "todo-20261120T120005Z-001a2b3cd.jsonl", "todos-20261120T120005Z-001a2b3c.jsonl",
      "my-todo-20261120T120005Z-001a2b3c.jsonl", "todo-20261120T120005Z_001a2b3c.jsonl", "todo-",
      "",
    ])
  func otherFiles(file: String) {
    #expect(LaunchName(app: "todo", ofFile: file) == nil)
  }

  @Test(
    "A name that cannot begin a file's name is refused with the reason",
    arguments: [
      ("todo", nil), ("com.example.todo", nil), ("Über uns", nil),
      ("", "the name of its logs is empty; choose one such as todo"), (".todo", unusable),
      ("a/b", unusable), ("a\n", unusable),
    ])
  func problems(name: String, problem: String?) {
    #expect(LaunchName.problem(with: name) == problem)
  }

  private static let unusable =
    "the name of its logs must not begin with a dot, or contain a slash or a control character"
}
