import FluxLog
import Foundation
import Harness

/// Encodes a state, beside Foundation and beside an encoder that throws everything away.
@MainActor
func encoding() throws -> [Bar] {
  let encoder = LogEncoder()
  let written = try encoder.bytes(of: todos)
  precondition(written == state, "both encoders have to write the same text")
  let (ours, theirs) = try Measurement.compare(
    "LogEncoder, state", with: "JSONEncoder, state", bytes: state.count
  ) {
    try encoder.bytes(of: todos)
  } _: {
    try foundation.encode(todos)
  }
  let (parsed, floor) = try Measurement.compare(
    "LogEncoder, state, as a value", with: "Codable alone, state"
  ) {
    try encoder.encode(todos)
  } _: {
    try todos.encode(to: DiscardingEncoder())
  }
  let small = Todos(items: Array(todos.items.prefix(2)))
  let (oursSmall, theirsSmall) = try Measurement.compare(
    "LogEncoder, two todos", with: "JSONEncoder, two todos"
  ) {
    try encoder.bytes(of: small)
  } _: {
    try foundation.encode(small)
  }
  print(ours, theirs, parsed, floor, oursSmall, theirsSmall, separator: "\n")
  return [
    Bar("encode a state, times JSONEncoder", ours.speedup(over: theirs), atLeast: 6),
    Bar("encode two todos, times JSONEncoder", oursSmall.speedup(over: theirsSmall), atLeast: 3),
  ]
}
