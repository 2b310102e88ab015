import FluxJSON

extension CircumstanceDifference {
  /// Returns the circumstances that differ between a recording and an app, sorted by name.
  ///
  /// Nothing differs if either of the two tells none. Redacted values are not compared; `redacted` are the
  /// circumstances that have some.
  static func all(
    _ recorded: [String: JSON], _ today: [String: JSON]
  ) -> (different: [CircumstanceDifference], redacted: [String]) {
    guard !recorded.isEmpty, !today.isEmpty else { return ([], []) }
    var different: [CircumstanceDifference] = []
    var redacted: [String] = []
    let comparison = StateComparison(tolerance: 0, ignored: nil)
    for name in Set(recorded.keys).union(today.keys).sorted() {
      let result = comparison.compare(recorded[name], today[name], at: [name])
      if result.redactedValues > 0 { redacted.append(name) }
      guard !result.places.isEmpty else { continue }
      different.append(CircumstanceDifference(name, recorded: recorded[name], today: today[name]))
    }
    return (different, redacted)
  }
}
