package import FluxJSON

/// Steps whose lines were never written, rebuilt by a replay of their actions.
package struct RebuiltSteps: Sendable {
  /// The states after the last step of the log, in which the first of these steps starts.
  package var states: StoreDictionary<JSON>
  /// The steps, in order.
  package var steps: [StepRecord]
  /// The reasons why other steps could not be rebuilt.
  package var notes: [String]

  /// Makes a result from its steps.
  package init(states: StoreDictionary<JSON> = [:], steps: [StepRecord] = [], notes: [String] = [])
  {
    self.states = states
    self.steps = steps
    self.notes = notes
  }
}
