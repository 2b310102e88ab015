/// The outcome of a dispatched action.
public struct Outcome: Sendable {
  /// The ways a dispatch can end.
  public enum Result: Sendable, Equatable {
    /// The step committed and changed at least one store.
    case changed
    /// The step committed without changing a store.
    case unchanged
    /// The step did not commit; see ``Outcome/rejection``.
    case rejected
    /// The call came from inside a turn; the action runs after the current step.
    case queued
    /// The action was dropped.
    ///
    /// It came from a cancelled effect, from a step that was undone by ``Dispatcher/restore(_:)``, from outside while
    /// an old model is presented with ``Dispatcher/PresentingMode/ignoring``, or from inside a replayed step. In the last
    /// case the log contains it as a separate step.
    case ignored
  }

  /// A follow-up that a step requested.
  public struct FollowUp: Sendable {
    /// The action.
    public let action: any Action
    /// The store that the action is sent to; nil if it goes to every store that handles it.
    public let target: StoreID?
  }

  /// A request of a step to start an effect, or to cancel the effects of a name.
  public struct RequestedEffect: Sendable, Equatable {
    /// The store that made the request; a child store's requests are its parent's.
    public let store: StoreID
    /// The name of the effect.
    public let name: String
    /// `true` if the step cancels the effects of the name, `false` if it starts one.
    public let isCancellation: Bool
    /// The effects that the request is about; nil for a request that no dispatcher has made.
    var target: EffectTarget?

    /// Compares what a log tells of two requests.
    public static func == (left: RequestedEffect, right: RequestedEffect) -> Bool {
      left.store == right.store && left.name == right.name
        && left.isCancellation == right.isCancellation
    }
  }

  /// The number of the step; nil if the action was queued or ignored.
  public let step: UInt64?
  /// The way the dispatch ended.
  public let result: Result
  /// The members that few outcomes have, in a separate object to keep the common outcome small.
  private let details: Details?

  private final class Details: Sendable {
    let rejection: Rejection?
    let followUps: [FollowUp]
    let requestedEffects: [RequestedEffect]
    let secrets: [Secret<String>]

    init(
      rejection: Rejection?, followUps: [FollowUp], requestedEffects: [RequestedEffect],
      secrets: [Secret<String>]
    ) {
      self.secrets = secrets
      self.rejection = rejection
      self.followUps = followUps
      self.requestedEffects = requestedEffects
    }
  }

  /// The reason why the step did not commit; nil if it did.
  public var rejection: Rejection? { details?.rejection }
  /// The actions that the step dispatches next, in order; in replay they are only listed.
  public var followUps: [FollowUp] { details?.followUps ?? [] }
  /// The names of the effects that the step starts, in order; outside of live mode they are only listed.
  public var effects: [String] {
    requestedEffects.filter { !$0.isCancellation }.map(\.name)
  }
  /// The effects that the step's reducers start and cancel, in order.
  ///
  /// These are requests: the policy of an effect may delay or drop it, a cancellation may
  /// find nothing to cancel, and outside of live mode requests are only listed.
  public var requestedEffects: [RequestedEffect] { details?.requestedEffects ?? [] }

  /// The secrets that the step has drawn with ``Step/secret(bytes:)``, in order; none if it was rejected.
  package var secrets: [Secret<String>] { details?.secrets ?? [] }
  /// `true` if the step has used ``Step/random`` or ``Step/uuid()``, whose values follow from the log's seed.
  package internal(set) var usesRandomNumbers = false

  static let queued = Outcome(nil, .queued)
  static let ignored = Outcome(nil, .ignored)

  /// The outcome of a step without follow-ups and effects.
  init(_ step: UInt64?, _ result: Result) {
    self.step = step
    self.result = result
    details = nil
  }

  /// The outcome of a step with a rejection, or with follow-ups, effects or secrets.
  init(
    _ step: UInt64, _ result: Result, rejection: Rejection?, followUps: [FollowUp] = [],
    requestedEffects: [RequestedEffect] = [], secrets: [Secret<String>] = []
  ) {
    self.step = step
    self.result = result
    details = Details(
      rejection: rejection, followUps: followUps, requestedEffects: requestedEffects,
      secrets: secrets)
  }
}

extension Outcome: CustomStringConvertible {
  /// The step, the result, the rejection, and what the step asks for, for example
  /// `step 7: changed; dispatches cart/checked; starts load`.
  public var description: String {
    var text = step.map { "step \($0): \(result)" } ?? "\(result)"
    if let rejection { text += ": \(rejection)" }
    if !followUps.isEmpty {
      text += "; dispatches \(followUps.map { describe($0.action) }.joined(separator: ", "))"
    }
    for (verb, isCancellation) in [("starts", false), ("cancels", true)] {
      let names = requestedEffects.filter { $0.isCancellation == isCancellation }.map(\.name)
      if !names.isEmpty { text += "; \(verb) \(names.joined(separator: ", "))" }
    }
    return text
  }
}

/// Identifies an effect: names are private to a store, to a child store, and to an element of a list.
struct EffectKey: Hashable, @unchecked Sendable {
  // Sendable: a scope consists of key paths and identifiers that are Sendable where it is made.

  let slot: Int
  /// The way to a child store or an element in the store's state; empty for the store itself.
  var scope: [AnyHashable] = []
  let name: String
}

/// The effects of one name that a request is about, without their operations, which an outcome must not keep alive.
struct EffectTarget: Sendable {
  let key: EffectKey
  /// `true` if the request ends the earlier effects.
  let replaces: Bool
  var isPresent: (@Sendable (Any) -> Bool)?
}
