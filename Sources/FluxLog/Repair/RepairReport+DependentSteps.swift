extension RepairReport {
  /// Drops the steps of a repaired log that depend on lost lines.
  ///
  /// If no step number is missing for a lost line, it leaves no gap. The copy then tries patches
  /// that the damaged log did not, because the lost line hid their stores. If such a patch does not
  /// apply, its step is replaced by a gap.
  ///
  /// - Parameters:
  ///   - path: The repaired log.
  ///   - firstRebuilt: The number of the first rebuilt step in it; `nil` if there is none.
  /// - Throws: ``LogError`` if the repaired log cannot be read or replaced.
  mutating func dropDependentSteps(of path: String, firstRebuilt: UInt64?) throws {
    var needsAnotherPass = true
    while needsAnotherPass {
      var options = LogFile.Options()
      options.usesSidecar = false
      let copy = Timeline(try LogFile.open(path, options: options))
      let lost = try copy.check().filter(\.losesLine)
      guard let first = lost.first else { return }
      let replacement = try ReplacementFile(of: path, from: copy.log.file)
      let settled = try copy.writeRepaired(lost, RebuiltSteps(), to: replacement.file)
      try replacement.commit()
      needsAnotherPass = settled.steps < steps + rebuiltSteps
      // A step can have several findings.
      rebuiltSteps -= Set(lost.compactMap(\.step)).count { $0 >= firstRebuilt ?? .max }
      steps = settled.steps - rebuiltSteps
      droppedLines += settled.droppedLines
      gaps += settled.gaps
      let count = Set(lost.map(\.line)).count
      let dropped =
        count == 1
        ? "1 more step was dropped because it depends on lost lines"
        : "\(count) more steps were dropped because they depend on lost lines"
      notes.append(
        "\(dropped); the first is step \(first.step ?? 0): \(first.problem.message)")
    }
  }
}
