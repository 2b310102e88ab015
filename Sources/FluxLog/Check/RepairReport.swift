/// What a repair made of a log.
public struct RepairReport: Sendable, Equatable {
  /// The findings of the check that it went by.
  public let findings: [Finding]
  /// How many steps were kept.
  public internal(set) var steps = 0
  /// How many lines were left out.
  public internal(set) var droppedLines = 0
  /// The gaps that stand for what was lost.
  public internal(set) var gaps: [LogGap] = []
  /// How many steps, beside those that were kept, were rebuilt from actions in flight.
  public internal(set) var rebuiltSteps = 0
  /// What else is not in the repaired log, and why: actions in flight, and steps that need what was lost.
  public internal(set) var notes: [String] = []
}
