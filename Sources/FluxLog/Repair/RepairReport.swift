/// The result of a repair.
public struct RepairReport: Sendable, Equatable {
  /// The findings that the repair started from.
  public let findings: [Finding]
  /// The number of steps that were kept.
  public internal(set) var steps = 0
  /// The number of lines that were dropped.
  public internal(set) var droppedLines = 0
  /// The gaps that replace lost steps.
  public internal(set) var gaps: [LogGap] = []
  /// The number of steps that were rebuilt from actions in flight, in addition to the steps that
  /// were kept.
  public internal(set) var rebuiltSteps = 0
  /// Everything else that the repaired log lacks, and why: actions in flight, and steps that depend
  /// on lost lines.
  public internal(set) var notes: [String] = []
}
