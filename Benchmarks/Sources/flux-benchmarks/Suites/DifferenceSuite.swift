import CustomDump
import FluxJSON
import FluxLog
import Foundation
import Harness
import Inputs

/// Comparing states of 1,000 todos, and applying what was found.
func differenceSuite(_ conditions: Conditions) -> Suite {
  let todos = Prepared { TodoStore(count: 1_000, seed: conditions.seed).initialState }
  return Suite(
    "difference",
    [
      comparing(
        "one change", todos, target: .atMost(8_000, .multiplication),
        limit: .atMost(4_000, .multiplication)
      ) { todos in
        todos.items[500].isDone = true
      },
      comparing("two changes, far apart", todos) { todos in
        todos.items[10].isDone = true
        todos.items[990].isDone = true
      },
      comparing("insertion at the head", todos) { todos in
        var random = SeededGenerator(seed: conditions.seed)
        todos.items.insert(.init(id: 1_000, random: &random), at: 0)
      },
      comparing("removal in the middle", todos) { todos in todos.items.remove(at: 500) },
      comparing("100 changes", todos) { todos in
        for index in 0..<100 { todos.items[index * 10].isDone = true }
      },
      fromBytes(todos, conditions),
    ] + patching(todos, conditions) + text())
}

/// Two known documents, beside Swift values that a test would compare.
private func comparing(
  _ name: String, _ todos: Prepared<TodoStore.Todos>, target: Target? = nil, limit: Target? = nil,
  _ edit: @escaping (inout TodoStore.Todos) -> Void
) -> Figure {
  Figure(name, in: .microseconds, target: target, limit: limit) {
    let before = try todos.value()
    var after = before
    edit(&after)
    let edited = after
    let encoder = LogEncoder()
    let (old, new) = (try encoder.encode(before), try encoder.encode(after))
    let patch = old.patch(to: new)
    return Contest(
      .repeated { old.patch(to: new) },
      on: "\(patch.operations.count) operations, \(patch.json().text.utf8.count) B",
      beside: [Rival("CustomDump.diff", .repeated { CustomDump.diff(before, edited) })])
  }
}

private func fromBytes(_ todos: Prepared<TodoStore.Todos>, _ conditions: Conditions) -> Figure {
  Figure(
    "one change, from bytes", in: .microseconds, target: .atMost(260_000, .multiplication),
    limit: .atMost(180_000, .multiplication)
  ) {
    var state = try todos.value()
    let encoder = LogEncoder()
    let old = try encoder.bytes(of: state)
    state.items[500].isDone = true
    let new = try encoder.bytes(of: state)
    let before = try conditions.file("before.json") { try Data(old).write(to: $0) }
    let after = try conditions.file("after.json") { try Data(new).write(to: $0) }
    // A program that compares lines needs a value on each.
    let lines = try [("before.txt", old), ("after.txt", new)].map { name, bytes in
      let text = try JSON.parse(bytes).pretty()
      return try conditions.file(name) { try Data(text.utf8).write(to: $0) }.filePath
    }
    return Contest(
      .repeated { try JSON.parse(old).patch(to: JSON.parse(new)) },
      on: "2 × \(old.count / 1_000) KB",
      beside: [
        PythonRival.rival(.jsonpatch, [before.filePath, after.filePath]),
        ExternalProgram.rival(
          "git", ["diff", "--no-index"] + lines, as: "git diff --no-index", endingWith: 1),
      ])
  }
}

/// Patches as a log has them: every second one replaces a flag, the others a title.
private func patches(_ count: Int, seed: UInt64) -> [[UInt8]] {
  var random = SeededGenerator(seed: seed)
  return (0..<count).map { step in
    let index = Int.random(in: 0..<1_000, using: &random)
    let change =
      step.isMultiple(of: 2) ? #"isDone","value":true"# : #"title","value":"title of \#(step)""#
    return Array(#"[{"op":"replace","path":"/items/\#(index)/\#(change)}]"#.utf8)
  }
}

private func patching(_ todos: Prepared<TodoStore.Todos>, _ conditions: Conditions) -> [Figure] {
  let steps = patches(500, seed: conditions.seed)
  return [
    Figure("apply one patch", in: .microseconds, target: .atMost(12_000, .multiplication)) {
      let state = try LogEncoder().encode(todos.value())
      let patch = try JSON.parse(steps[0])
      return Contest(.repeated { try state.applying([patch]) })
    },
    Figure(
      "parse the state, parse and apply 500 patches", in: .microseconds,
      target: .atMost(250_000, .multiplication)
    ) {
      let bytes = try LogEncoder().bytes(of: todos.value())
      return Contest(
        .repeated { try JSON.parse(bytes).applying(steps.map { try JSON.parse($0) }) })
    },
  ]
}

private func text() -> [Figure] {
  [
    Figure("1,000 keystrokes", in: .microseconds) {
      let letters = String(
        repeating: "the quick brown fox jumps over the lazy dog. ", count: 1_000)
      let document = try JSON.parse(#"{"text":"\#(letters)"}"#)
      let keystrokes = try (0..<1_000).map { step in
        try JSON.parse(
          #"[{"op":"splice","path":"/text","at":\#(20_000 + step),"del":0,"ins":"x"}]"#)
      }
      return Contest(.repeated { try document.applying(keystrokes) }, on: "45 KB of text")
    }
  ]
}
