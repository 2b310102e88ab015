public import FluxCore
public import Foundation

/// The states that a test expects after a step, to be changed in place.
///
/// It begins with the states before the step.
public struct ExpectedModel {
  var model: Model
  let envelope: Envelope
  let seed: UInt64

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
