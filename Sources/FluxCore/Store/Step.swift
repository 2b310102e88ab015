public import Foundation

/// Gives a reducer everything it may use besides its state and its action.
///
/// A reducer borrows the step for one call and cannot keep it. The values of a step are the same when the
/// action is replayed. Its requests, follow-ups and effects, take effect after the step commits, or never.
@safe
public struct Step: ~Copyable {
  // Not reference-counted: the turn that lends a step keeps the engine alive, and counting costs a fifth of
  // a step that changes nothing.
  @usableFromInline unowned(unsafe) let lender: Engine
  @usableFromInline let slot: Int

  @inlinable
  init(engine: Engine, slot: Int) {
    unsafe lender = engine
    self.slot = slot
  }

  var engine: Engine { unsafe lender }

  /// The number of the step, counted from 1.
  public var number: UInt64 { engine.turn.value.stepNumber }

  /// The time of the step, in whole microseconds and never earlier than that of a previous step.
  ///
  /// If the system's clock is set back, the time stands still until that clock has caught up.
  public var now: Date {
    mutating get { engine.now() }
  }

  /// The random numbers of the step: one stream for all its reducers, in the order in which they run.
  public var random: SplitMix64 {
    mutating get { engine.random }
    mutating set { engine.random = newValue }
  }

  /// Makes a UUID from the step's random numbers.
  ///
  /// - Returns: A UUID of version 4 (RFC 9562, section 5.4).
  public mutating func uuid() -> UUID { random.uuid() }

  /// Makes a secret text from the system's random numbers, for a session token or a key.
  ///
  /// Unlike ``uuid()`` and ``random``, it cannot be computed from a log. The log has a token of it, and a replay gets
  /// a secret with that token.
  ///
  /// - Parameter bytes: The number of random bytes; the text has two hexadecimal digits for each.
  /// - Returns: The secret.
  public mutating func secret(bytes: Int = 32) -> Secret<String> {
    var draws = engine.turn.value.secrets ?? SecretDraws()
    defer { engine.turn.value.secrets = draws }
    return draws.draw(byteCount: bytes)
  }

  /// The state of another store after this step; if that store handles the action, it does so first.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The identifier of the store; needed if the dispatcher has several of the type.
  /// - Throws: A ``Rejection`` if there is no such store, if several match, if the other store rejects the
  ///   action, or if the two stores wait for each other. It rejects the step even if the reducer catches it.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    mutating get throws {
      let other = try engine.keepingFailedRead { () throws(Rejection) in
        let other = try engine.layout.index(of: type, id, for: engine.layout.ids[slot])
        try engine.runEarly(other, for: slot)
        return other
      }
      return engine.latestState(of: other, as: S.State.self)
    }
  }

  /// The state of a store before this step; nil if there is no such store.
  func committedState<S: Store>(of type: S.Type, _ id: StoreID) -> S.State? {
    guard let slot = engine.layout.indices[id] else { return nil }
    return engine.published.value.snapshots[slot].state(as: S.State.self)
  }

  /// Dispatches a follow-up: an action that runs after this step commits, with this step as its cause.
  ///
  /// Follow-ups run in the order of the calls. They join the queue after the observers of this step, so actions that
  /// were queued earlier run first: those of other threads, effects and observers.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store to send the action to; nil for every store that handles it. Without a target, an
  ///     own action of this store goes to this instance only.
  ///   - file: The calling file, which a log can name.
  ///   - line: The calling line.
  public mutating func dispatch(
    _ action: some Action, to target: StoreID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let target = target ?? engine.target(of: type(of: action), from: slot)
    engine.turn.value.followUps.append(
      (
        Outcome.FollowUp(action: action, target: target),
        Call(file: file, line: line, target: target)
      ))
  }
}
