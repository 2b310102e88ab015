import FluxLog
import Foundation
import Harness

/// Decodes a state from its text, beside Foundation.
@MainActor
func decoding() throws -> [Bar] {
  let decoder = LogDecoder()
  let theirDecoder = JSONDecoder()
  let data = Data(state)
  let (ours, theirs) = try Measurement.compare(
    "parse and LogDecoder, state", with: "JSONDecoder, state", bytes: state.count
  ) {
    try decoder.decode(Todos.self, from: JSON.parse(state))
  } _: {
    try theirDecoder.decode(Todos.self, from: data)
  }
  print(ours, theirs, separator: "\n")
  return [Bar("decode a state, times JSONDecoder", ours.speedup(over: theirs), atLeast: 3)]
}
