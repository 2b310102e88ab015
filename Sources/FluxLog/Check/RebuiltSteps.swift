/// Steps whose lines were never written, as a replay of their actions has made them.
package struct RebuiltSteps: Sendable {
  /// The states after the last step of the log, which the first of these steps begins in.
  package var states: StoreDictionary<JSON>
  /// The steps, in order.
  package var steps: [StepRecord]
  /// What kept the rest from being rebuilt.
  package var notes: [String]

  /// Makes a result of these steps.
  package init(states: StoreDictionary<JSON> = [:], steps: [StepRecord] = [], notes: [String] = [])
  {
    self.states = states
    self.steps = steps
    self.notes = notes
  }
}
