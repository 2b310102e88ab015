import FluxLog
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct CompletionTests {
  @Test(
    "A command line is completed by what may stand there, at step 7",
    arguments: [
      ("", 0, ["!", "action", "alias"]),
      ("st", 0, ["start", "state", "stats", "step", "stores"]),
      ("  wh", 2, ["where"]),
      ("nothing x", 9, []),
      ("state ", 6, ["search", "todos"]),
      ("st t", 3, ["todos"]),
      ("state x", 6, []),
      ("state todos.", 6, ["todos.items"]),
      ("show f", 5, ["format"]),
      ("show todos.items[0].d", 5, ["todos.items[0].done"]),
      ("find s", 5, ["search/open", "search/type", "search", "search("]),
      ("find ", 5, ["todo/add", "search/open", "search/type", "todo/clear"]),
      ("break todo/", 6, ["todo/add", "todo/clear", "todo/saved", "todo/toggle"]),
      ("find todo/add in st", 17, ["start"]),
      ("goto ", 5, ["start", "end", "$here", "todo/add#"]),
      ("goto $", 5, ["$here"]),
      ("list 2..e", 5, ["2..end"]),
      ("bookmark ", 9, ["here"]),
      ("print ", 6, ["search", "todos"]),
      ("print todos.", 6, ["todos.items"]),
      ("p todos.items[", 2, ["todos.items[*]", "todos.items[0]", "todos.items[1]"]),
      ("p todos.items[1", 2, ["todos.items[1]"]),
      (
        "p todos.items[0].", 2,
        ["todos.items[0].done", "todos.items[0].id", "todos.items[0].title"]
      ),
      ("p todos.items[*].t", 2, ["todos.items[*].title"]),
      ("p todos['it", 2, ["todos.items"]),
      ("p /todos/items/", 2, ["/todos/items/0", "/todos/items/1"]),
      ("p /se", 2, ["/search"]),
      ("p $.re", 2, ["$.rejected"]),
      ("p $.before.", 2, ["$.before.search", "$.before.todos"]),
      ("p todos.items.", 2, []),
      ("p todos..", 2, []),
      ("p nothing.", 2, []),
      ("until length(todos.it", 13, ["todos.items"]),
      ("until todos.items[0].done == true && chan", 37, ["changed("]),
      ("until $.n > 3 && se", 17, ["search", "search("]),
      ("diff --", 5, ["--store", "--patch", "--identity", "--stat"]),
      ("diff --store t", 13, ["todos"]),
      ("diff 3 en", 7, ["end"]),
      ("blame todos.items --a", 18, ["--all"]),
      ("test t.swift --because length(todos.items) > to", 45, ["todos"]),
      ("test t.swift --because $.n > 3 && se", 34, ["search", "search("]),
      ("test t.swift --because search == 1 --sm", 35, ["--smallest"]),
      ("help sta", 5, ["start", "state", "stats"]),
      ("undisplay ", 10, ["1"]),
      ("set ", 4, ["color", "format", "identity", "list"]),
      ("set format n", 11, ["ndjson"]),
      ("catch r", 6, ["rejected", "rule"]),
      ("state > out", 8, ["out.json", "\"out put\""]),
      ("state | cat out", 12, ["out.json", "\"out put\""]),
      ("source o", 7, ["out.json", "\"out put\""]),
      ("types ", 6, []),
    ] as [(String, Int, [String])])
  func completions(line: String, start: Int, candidates: [String]) throws {
    var services = Services()
    services.files = NamedFiles()
    var inspection = try Inspection(services: services)
    #expect(inspection.stops(["goto 7", "bookmark here", "display todos"]) == [7, 7, 7])
    let found = inspection.console.completions(of: line)
    #expect(found.start == start)
    // Of long lists the first ones.
    #expect(Array(found.candidates.prefix(max(candidates.count, 1))) == candidates)
    #expect(found.candidates.count == candidates.count || line.hasSuffix(" ") || line.isEmpty)
  }

  @Test("What is behind the cursor does not count, and what is unknown has no candidates")
  func places() throws {
    var inspection = try Inspection(TodoLog.withDamage)
    #expect(
      inspection.console.completions(of: "state to | jq", cursor: 7)
        == LineCompletions(start: 6, candidates: ["todos"]))
    #expect(
      inspection.console.completions(of: "state", cursor: 99)
        == LineCompletions(start: 0, candidates: ["state"]))
    #expect(inspection.stops(["goto 5"]) == [5])
    #expect(
      inspection.console.completions(of: "print todos.i")
        == LineCompletions(start: 6, candidates: []))
    #expect(
      inspection.console.completions(of: "print t")
        == LineCompletions(start: 6, candidates: ["todos"]))
  }

  @Test("Names that cannot stand in a path or a word are quoted")
  func quoting() throws {
    let inspection = try Inspection([
      #"{"flux":"1.0","stores":{"my store":{"initial":{"a b":1,"it's":{"/":2}}}}}"#,
      #"{"n":1,"t":0,"action":{"type":"log in"}}"#,
    ])
    func candidates(_ line: String) -> [String] {
      inspection.console.completions(of: line).candidates
    }
    #expect(candidates("blame m") == ["$.state['my store']"])
    #expect(
      candidates("print $.state['my store'].") == [
        "$.state['my store']['a b']", #"$.state['my store']['it\'s']"#,
      ])
    #expect(candidates("print /my store/it's/") == [])
    #expect(candidates("state m") == ["\"my store\""])
    #expect(candidates("state 'my s") == ["\"my store\""])
    #expect(candidates("goto l") == ["\"log in#\""])
    #expect(candidates("break l") == ["\"log in\""])
    #expect(candidates("find l") == ["\"log in\"", "length("])
    #expect(candidates("find \"log i") == ["\"log in\""])
  }
}

/// Files that are only names.
private struct NamedFiles: FileService {
  func read(_ path: String) throws(CommandError) -> String {
    throw CommandError(.file, "\(path) is only a name")
  }

  func write(
    _ path: String, log: String, replacesExisting: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    throw CommandError(.file, "\(path) is only a name")
  }

  func exists(_ path: String) -> Bool { false }

  func isSameFile(_ path: String, _ other: String) -> Bool { path == other }

  func completions(of prefix: String) -> [String] {
    ["out.json", "out put"].filter { $0.hasPrefix(prefix) }
  }
}
