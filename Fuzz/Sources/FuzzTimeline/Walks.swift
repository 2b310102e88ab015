import FluxJSON
import FluxLog

/// More positions than that of one log are not walked over: each step of a walk takes all stores.
private let most = 200

/// Asks for the model at every position, forwards and backwards by one timeline, and by others that remember
/// nothing: the same every time, or an error.
func checkWalks(_ log: LogFile) {
  let walked = Timeline(log)
  let positions = walked.positions.prefix(most)
  let models = positions.map { model(walked, $0) }
  for (position, expected) in zip(positions, models).reversed() {
    precondition(
      model(walked, position) == expected, "another model on the way back to \(position)")
  }
  let forgetful = Timeline(log, cacheByteCount: 0)
  // 7 and the count have no divisor in common, or the walk is a short one.
  for step in positions.indices {
    let place = (step - positions.startIndex) * 7 % positions.count
    let position = positions[positions.startIndex + place]
    precondition(
      model(forgetful, position) == models[place], "another model after a jump to \(position)")
  }
}

/// The model at a position as text, or that it cannot be had: of several damaged steps on the way to it, any may be
/// named.
private func model(_ timeline: Timeline, _ position: Int) -> String {
  do throws(LogError) {
    let model = try timeline.model(at: position)
    precondition(Set(model.unknownStores).isSubset(of: Set(model.stores)))
    return "\(model.json.text) \(model.stores) \(model.unknownStores)"
  } catch {
    precondition(!error.message.isEmpty)
    return "none"
  }
}
