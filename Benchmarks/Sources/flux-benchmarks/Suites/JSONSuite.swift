import FluxJSON
import FluxLog
import Foundation
import Harness
import Inputs

/// States of 1,000 todos and of few, as values and as text.
private struct JSONInputs {
  let todos: TodoStore.Todos
  let few: TodoStore.Todos
  let state: [UInt8]
  let line: [UInt8]
  let foundation = JSONEncoder()

  init(seed: UInt64) throws {
    todos = TodoStore(count: 1_000, seed: seed).initialState
    few = TodoStore.Todos(items: Array(todos.items.prefix(2)))
    foundation.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    state = [UInt8](try foundation.encode(todos))
    line = [UInt8](
      try foundation.encode(TodoStore.Todos(items: Array(todos.items.prefix(7)))))
    guard try LogEncoder().bytes(of: todos) == state else {
      throw ExternalProgram.Failure(description: "the two encoders write different texts")
    }
  }
}

/// Parsing, encoding and decoding.
func jsonSuite(_ conditions: Conditions) -> Suite {
  let inputs = Prepared { try JSONInputs(seed: conditions.seed) }
  return Suite("json", parsing(inputs, conditions) + encoding(inputs) + decoding(inputs))
}

private func parsing(_ inputs: Prepared<JSONInputs>, _ conditions: Conditions) -> [Figure] {
  [
    Figure(
      "validating parse, state", in: .gigabytesPerSecond, target: .atMost(3_600, .multiplication),
      limit: .atMost(2_400, .multiplication)
    ) {
      let state = try inputs.value().state
      let file = try conditions.file("state-1000.json") { try Data(state).write(to: $0) }
      let states = try conditions.file("states-1000.jsonl") { url in
        try Data((0..<100).flatMap { _ in state + [UInt8(ascii: "\n")] }).write(to: url)
      }
      return Contest(
        .repeated(amount: state.count) { try JSON.parse(state) },
        on: "\(state.count / 1_000) KB",
        beside: [
          SimdjsonRival.rival(state, readsStrings: false),
          SimdjsonRival.rival(state, readsStrings: true),
          Rival(
            "JSONSerialization",
            .repeated(amount: state.count) {
              try JSONSerialization.jsonObject(with: Data(state))
            }),
          PythonRival.rival(.orjson, [file.filePath], amount: state.count),
          try ExternalProgram.rival(
            "jq", ["empty", states.filePath], amount: states.byteCount()),
        ])
    },
    Figure(
      "validating parse, line", in: .gigabytesPerSecond, target: .atMost(3_600, .multiplication),
      limit: .atMost(2_100, .multiplication)
    ) {
      let line = try inputs.value().line
      let file = try conditions.file("line.json") { try Data(line).write(to: $0) }
      return Contest(
        .repeated(amount: line.count) { try JSON.parse(line) }, on: "\(line.count) B",
        beside: [
          SimdjsonRival.rival(line, readsStrings: false),
          Rival(
            "JSONSerialization",
            .repeated(amount: line.count) {
              try JSONSerialization.jsonObject(with: Data(line))
            }),
          PythonRival.rival(.orjson, [file.filePath], amount: line.count),
        ])
    },
  ]
}

private func encoding(_ inputs: Prepared<JSONInputs>) -> [Figure] {
  let encoder = LogEncoder()
  return [
    Figure("encode, state", in: .microseconds, target: .timesRival(6)) {
      let inputs = try inputs.value()
      return Contest(
        .repeated { try encoder.bytes(of: inputs.todos) }, on: "\(inputs.state.count / 1_000) KB",
        beside: [
          Rival("JSONEncoder", .repeated { try inputs.foundation.encode(inputs.todos) })
        ])
    },
    Figure(
      "encode with spans, state", in: .microseconds, limit: .timesRival(0.5)
    ) {
      let inputs = try inputs.value()
      return Contest(
        .repeated { try encoder.encode(inputs.todos) }, on: "\(inputs.state.count / 1_000) KB",
        beside: [
          Rival(
            "Codable, no output", .repeated { try inputs.todos.encode(to: DiscardingEncoder()) })
        ])
    },
    Figure("encode, two todos", in: .microseconds, target: .timesRival(3)) {
      let inputs = try inputs.value()
      return Contest(
        .repeated { try encoder.bytes(of: inputs.few) },
        beside: [
          Rival("JSONEncoder", .repeated { try inputs.foundation.encode(inputs.few) })
        ])
    },
  ]
}

private func decoding(_ inputs: Prepared<JSONInputs>) -> [Figure] {
  [
    Figure("parse and decode, state", in: .microseconds, target: .timesRival(3)) {
      let inputs = try inputs.value()
      let (ours, theirs) = (LogDecoder(), JSONDecoder())
      let data = Data(inputs.state)
      return Contest(
        .repeated { try ours.decode(TodoStore.Todos.self, from: JSON.parse(inputs.state)) },
        on: "\(data.count / 1_000) KB",
        beside: [
          Rival("JSONDecoder", .repeated { try theirs.decode(TodoStore.Todos.self, from: data) })
        ])
    }
  ]
}
