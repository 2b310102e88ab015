public import FluxCore
public import Foundation

/// The states that a test expects after a step, to be changed in place.
///
/// It begins with the states before the step.
public struct ExpectedModel {
  var model: Model
  private let seed: UInt64
  private let envelope: Envelope

  init(_ step: CollectedStep, seed: UInt64) {
    model = step.before
    envelope = step.envelope
    self.seed = seed
  }

  /// The state of a store.
  ///
  /// `id` is needed if the dispatcher has several stores of the type.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    get { model[copied: type, id] }
    set { model[copied: type, id] = newValue }
  }

  /// The time of the step.
  public var now: Date { envelope.time }

  /// Calls `body` with a preview of the step, to find out which identifiers its reducer made.
  ///
  /// - Throws: The error of `body`.
  public func preview<Result, Failure: Error>(
    _ body: (inout Step) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Step.preview(seed: seed, step: envelope.step, at: envelope.time, body)
  }
}

/// A step with the models around it.
struct CollectedStep: Sendable {
  let envelope: Envelope
  let before: Model
  let after: Model
  let outcome: Outcome
}

/// Keeps the steps of a dispatcher until they are asserted.
final class StepCollector: Middleware, @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = NSLock()
  private var before: Model?
  private var steps: [CollectedStep] = []

  func willDispatch(_ envelope: Envelope, _ model: Model) {
    lock.withLock { before = model }
  }

  func didDispatch(_ step: CompletedStep) {
    lock.withLock {
      guard let before else { return }
      steps.append(
        CollectedStep(
          envelope: step.envelope, before: before, after: step.model, outcome: step.outcome))
    }
  }

  var all: [CollectedStep] { lock.withLock { steps } }

  func takeFirst() -> CollectedStep? {
    lock.withLock { steps.isEmpty ? nil : steps.removeFirst() }
  }

  func take(_ number: UInt64) -> CollectedStep? {
    lock.withLock {
      steps.firstIndex { $0.envelope.step == number }.map { steps.remove(at: $0) }
    }
  }
}
