import FluxLog
import FluxReplay

// On a branch, the commands that look at the step here look at its newest one.
extension Session {
  /// Does something with the document of the step here, on a branch with that of its newest step.
  func withDocumentHere<Result: Sendable>(
    _ body: (QueryDocument) throws -> Result
  ) throws -> Result {
    guard let branch = branches.current else { return try body(timeline.document(at: position)) }
    return try branch.use { try body($0.document) }
  }

  /// The place in words, for messages: `at step 42`, `on fork 1`.
  var placeText: String {
    branches.current.map { "on fork \($0.number)" } ?? "at step \(stepText(at: position))"
  }

  /// The newest step of a branch.
  func newestStep(of branch: OpenBranch) throws(CommandError) -> BranchStep {
    guard let step = branch.use({ $0.steps.last }) else {
      throw CommandError(
        .badPosition, "fork \(branch.number) has no step yet", hint: "'dispatch' makes one")
    }
    return step
  }

  /// What the newest step of a branch changed.
  func difference(
    ofNewestStepOf branch: OpenBranch, store: String?, _ style: DifferenceAnswer.Style
  ) throws -> DifferenceAnswer {
    let step = try newestStep(of: branch)
    let (old, new) = branch.use { branch in
      (branch.model(afterSteps: branch.steps.count - 1), branch.model)
    }
    return DifferenceAnswer(
      from: step.number == 0 ? nil : step.number - 1, to: step.number,
      changes: ModelChange.changes(from: old, to: new).filter { store == nil || $0.store == store },
      style: style)
  }
}

extension ModelChange {
  /// What turns one model into another.
  static func changes(from old: JSON, to new: JSON) -> [ModelChange] {
    old.changes(to: new).map { ModelChange($0) }
  }

  /// A change with a pointer from the model.
  init(_ change: ValueChange) {
    self.init(
      store: change.path.tokens.first ?? "", path: change.path.description, kind: change.kind,
      old: change.old, new: change.new)
  }
}
