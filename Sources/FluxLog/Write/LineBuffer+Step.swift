import FluxJSON

extension LineBuffer {
  /// Appends a step line: the members in the order of docs/log-format.md, "Steps".
  @inline(__always)
  mutating func step(
    _ step: StepRecord, action: [UInt8], _ changes: StepChanges,
    secrets: [String], _ rejection: LogRejection?
  ) {
    line { line in
      line.member("n", step.number)
      line.member("t", step.time)
      line.member("action", text: action)
      line.member("target", ifPresent: step.target)
      line.member("cause", ifPresent: step.cause)
      line.member("effect", ifPresent: step.effect)
      line.member("from", ifPresent: step.from)
      step.effects.write(to: &line)
      line.member("at", ifPresent: step.source)
      line.member("took", ifPresent: step.took)
      changes.write(to: &line)
      line.member("secrets", unlessEmpty: secrets)
      rejection?.write(to: &line)
      line.member("x", ifPresent: step.external)
    }
  }
}

extension LogStep {
  /// The members with the outcome of the action, and the sum.
  static let outcomeNames: Set = ["states", "patches", "removed", "unwritten", "rejected", "sum"]
  /// The members before the effects.
  static let originNames: Set = ["n", "t", "action", "target", "cause", "effect", "from"]

  func write(to lines: inout LineBuffer) {
    let changes = StepChanges(
      whole: states?.members.map { ($0.name, $0.value) } ?? [],
      patches: patches?.members.map { ($0.name, Array($0.value.text.utf8)) } ?? [],
      removed: removed, unwritten: unwritten)
    lines.step(
      StepRecord(self), action: Array(action.text.utf8), changes, secrets: secrets, rejection)
  }
}
