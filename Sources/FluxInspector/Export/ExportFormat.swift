/// The forms in which other tools take a recording.
enum ExportFormat: String, CaseIterable {
  /// The lifted state of Redux DevTools: actions with their states.
  case redux
  /// The actions alone, as a JSON array.
  case actions
  /// A table of the steps.
  case csv

  /// Writes the steps.
  ///
  /// They are handed on piece by piece: no more than one step and its states are held at a time.
  ///
  /// - Throws: `LogError` where a step cannot be read, and what the sink throws.
  func write(_ steps: ExportedSteps, to sink: inout ByteSink) throws {
    switch self {
    case .redux: try steps.writeLiftedState(to: &sink)
    case .actions: try steps.writeActions(to: &sink)
    case .csv: try steps.writeTable(to: &sink)
    }
    try sink.flush()
  }

  /// The names of all forms: `redux, actions or csv`.
  static var names: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
  }
}
