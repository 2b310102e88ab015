import FluxJSON
import TestFixtures
import Testing

@testable import FluxAgent

/// Answers about numbers that the log does not have.
@Suite struct GapTests {
  private let folder: TemporaryFolder
  private let client: AgentClient

  init() throws {
    folder = try TemporaryFolder()
    client = AgentClient(AgentClient.world([AgentClient.recordings], folder))
  }

  @Test(
    "A number inside a gap is answered with the last known step before it, and a note",
    arguments: [
      ("steps", ["from": 8, "count": 1]), ("step", ["n": 8]), ("state", ["n": 8]),
      ("state", ["n": 8, "path": "todos.items"]), ("diff", ["from": 1, "to": 8]),
      ("diff", ["from": 8, "to": 9]), ("who_wrote", ["path": "todos.items", "n": 8]),
      ("why", ["n": 8]), ("find", ["expression": "todo/*", "from": 8]),
      ("write_test", ["n": 8]),
    ] as [(String, JSON)])
  func gap(_ tool: String, _ more: JSON) throws {
    let members = more.members.map { ($0.name, $0.value) }
    let answer = try client.call(tool, JSON(object: [("log", "todomvc-gaps.jsonl")] + members))
    let notes = answer["notes"]?.elements.compactMap(\.string) ?? []
    #expect(
      notes.filter { $0 == "steps 7 to 10 are not in the log: paused; this is step 6" }.count == 1,
      "\(notes)")
  }

  @Test("A count of steps is at least 1", arguments: [0, -1])
  func count(_ count: Int) throws {
    #expect(
      try client.failure(
        "steps", ["log": "todomvc.jsonl", "count": JSON(integerLiteral: Int64(count))])
        == "steps: count is a number of steps, at least 1, found \(count)")
  }
}
