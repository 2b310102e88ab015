import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxReplay

@Suite struct IgnoredPathTests {
  @Test(
    "A report names the ignored paths, and those that select nothing",
    arguments: [
      ([], []), (["/todos"], ["1 path ignored, with everything inside it: /todos"]),
      (
        ["/todos/items/*/id", "todos.items[?@.id == 2]", "/*/late"],
        [
          "3 paths ignored, with everything inside them: /todos/items/*/id, todos.items[?@.id == 2], /*/late"
        ]
      ),
      (
        ["nope", "/todos/items/1/id", "/"],
        [
          "3 paths ignored, with everything inside them: nope, /todos/items/1/id, /",
          "nope is neither at the start nor at the end of the log, and may match nothing",
          "/ is neither at the start nor at the end of the log, and may match nothing",
        ]
      ),
    ] as [([String], [String])])
  func notes(_ paths: [String], _ expected: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"todos":{"initial":{"items":[{"id":1}]}}}}
      {"n":1,"t":1,"action":{"type":"a"},"states":{"todos":{"items":[{"id":1},{"id":2}],"late":1}}}

      """, to: "log.jsonl")
    let log = try LogFile.open(path)
    try log.waitForIndex()
    let ignored = try paths.map { try IgnoredPath($0) }
    #expect(try ignored.notes(on: Timeline(log), 0..<1) == expected)
  }
}
