import FluxLog
import Foundation
import Harness

/// Parses a state and a line, with everything checked, into values that keep their text.
@MainActor
func parsing() throws -> [Bar] {
  let (parseState, theirs) = try Measurement.compare(
    "parse, state", with: "JSONSerialization, state", bytes: state.count
  ) {
    try JSON.parse(state)
  } _: {
    try JSONSerialization.jsonObject(with: Data(state))
  }
  let parseLine = try Measurement.measure("parse, line", bytes: line.count) {
    try JSON.parse(line)
  }
  print(parseState, theirs, parseLine, separator: "\n")
  return [
    Bar("parse a state, GB/s", Double(state.count) / parseState.median / 1e9, atLeast: 1.5),
    Bar("parse a line, GB/s", Double(line.count) / parseLine.median / 1e9, atLeast: 1.5),
  ]
}
