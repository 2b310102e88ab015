extension Redaction {
  /// The contents of a log with this redaction, for a message that ends with them.
  ///
  /// Without redaction: `all actions and states in plain text, nothing redacted`.
  package var summary: String {
    let redacted = list(states, actions, circumstances)
    guard let allowed else {
      return "all actions and states in plain text, "
        + (redacted.isEmpty ? "nothing redacted" : "except at \(redacted)")
    }
    let kept = list(allowed.states, allowed.actions, allowed.circumstances)
    return (allowed.keepsTexts ? "names, times, messages, marks and labels" : "names and times")
      + " in plain text, and \(kept.isEmpty ? "no values" : "the values at \(kept)")"
      + (redacted.isEmpty ? "" : ", except at \(redacted)")
  }

  private func list(
    _ states: [String], _ actions: [String: [String]], _ circumstances: [String]
  ) -> String {
    let payloads = actions.sorted { $0.key < $1.key }.flatMap { type, pointers in
      pointers.map { $0.isEmpty ? type : "\(type) \($0)" }
    }
    return (states + payloads + circumstances.map { "circumstances \($0)" }).joined(separator: ", ")
  }
}
