import FluxLog
import Foundation
import Harness

let seed: UInt64 = 20_261_120
print("seed \(seed)")

let todos = Todos.random(1_000, seed: seed)
let sorted = JSONEncoder()
sorted.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
let state = [UInt8](try sorted.encode(todos))
let line = [UInt8](try sorted.encode(Todos(items: Array(todos.items.prefix(7)))))
print("state of 1,000 todos: \(state.count) bytes; line: \(line.count) bytes")

let parseState = try Measurement.measure("parse, state", bytes: state.count) {
  try JSON.parse(state)
}
print(parseState)
let parseLine = try Measurement.measure("parse, line", bytes: line.count) { try JSON.parse(line) }
print(parseLine)
