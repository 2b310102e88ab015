extension RepairReport {
  /// Leaves out of a repaired log, too, what cannot be used without what was lost.
  ///
  /// A lost line of which no step is missing leaves no gap. What it has hidden in the damaged log is known in the
  /// copy, and changes are tried there that were not tried before; where one does not apply, its step is lost as
  /// well, and now leaves a gap.
  ///
  /// - Parameters:
  ///   - path: The repaired log.
  ///   - firstRebuilt: The number of the first step in it that was rebuilt.
  /// - Throws: ``LogError`` where it cannot be read or replaced.
  mutating func settle(_ path: String, firstRebuilt: UInt64?) throws {
    var leavesOut = true
    while leavesOut {
      var options = LogFile.Options()
      options.usesSidecar = false
      let copy = Timeline(try LogFile.open(path, options: options))
      let lost = try copy.check().filter(\.losesLine)
      guard let first = lost.first else { return }
      let replacement = try ReplacementFile(of: path, from: copy.log.file)
      let settled = try copy.writeRepaired(lost, RebuiltSteps(), to: replacement.file)
      try replacement.commit()
      leavesOut = settled.steps < steps + rebuiltSteps
      // One step can have several findings.
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
