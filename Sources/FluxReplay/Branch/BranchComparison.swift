public import FluxLog

/// A branch beside the recording that it left.
public struct BranchComparison: Sendable, Equatable {
  /// The first step at which the branch comes to other states.
  public struct First: Sendable, Equatable {
    /// The number of the step on the branch.
    public var step: UInt64
    /// The number of the recorded step that it stands for.
    public var recordedStep: UInt64
    /// What turns the recorded states into those of the branch, with pointers from the model.
    public var changes: [ValueChange]
  }

  /// The first step that differs; nil where none does.
  public var first: First?
  /// The recorded step whose states the last ones of the branch are compared with.
  public var lastRecordedStep: UInt64
  /// What turns the recorded states there into those that the branch has come to.
  public var final: [ValueChange]

  /// Whether the branch has come to the recorded states at every step.
  public var isSame: Bool { first == nil && final.isEmpty }
}
