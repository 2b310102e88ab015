public import Foundation

/// What a middleware is told about the dispatcher that it was added to.
public struct Attachment: Sendable {
  /// What is known of a store for good.
  public struct Store: Sendable {
    /// The store.
    public let id: StoreID
    /// The name of the state's type; of a feature's own type where it is one.
    public let typeName: String
    /// Whether it is a feature, which can be absent.
    public let isFeature: Bool
  }

  /// The stores, in the order of the dispatcher.
  public let stores: [Store]
  /// The seed of all random numbers that steps give out.
  public let seed: UInt64
  /// What is done with what a step asks for.
  public let mode: Dispatcher.Mode
  /// The number of the first step that the middleware will see.
  public let nextStep: UInt64
  /// The time by the dispatcher's clock, in whole microseconds; no later step has an earlier one.
  public let time: Date
  /// The dispatcher's clock, as it is: not quantised, and not kept from going back.
  public let clock: @Sendable () -> Date
  /// The states before that step.
  public let model: Model
}
