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

if CommandLine.arguments.dropFirst().first == "loop" {
  for _ in 0..<3000 { _ = try LogEncoder().bytes(of: todos) }
  exit(0)
}

let parseState = try Measurement.measure("parse, state", bytes: state.count) {
  try JSON.parse(state)
}
print(parseState)
let parseLine = try Measurement.measure("parse, line", bytes: line.count) { try JSON.parse(line) }
print(parseLine)

let encoder = LogEncoder()
let written = try encoder.bytes(of: todos)
precondition(written == state, "both encoders write the same text")
let theirs = try Measurement.measure("JSONEncoder, state") { try sorted.encode(todos) }
print(theirs)
let ours = try Measurement.measure("LogEncoder, state", bytes: state.count) {
  try encoder.bytes(of: todos)
}
print(ours)
let parsed = try Measurement.measure("LogEncoder, state, as a value", bytes: state.count) {
  try encoder.encode(todos)
}
print(parsed)
let small = Todos(items: Array(todos.items.prefix(2)))
print(try Measurement.measure("JSONEncoder, two todos") { try sorted.encode(small) })
print(try Measurement.measure("LogEncoder, two todos") { try encoder.bytes(of: small) })
print(Bar("encode a state, times JSONEncoder", ours.speedup(over: theirs), atLeast: 6))
print(Bar("encode a state as a value", parsed.speedup(over: theirs), atLeast: 6))
