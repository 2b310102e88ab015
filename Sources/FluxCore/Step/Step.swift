public import Foundation

/// What a reducer may use besides its state and its action.
///
/// A step is lent to a reducer for one call and cannot be kept. Everything it gives is the same when the
/// action is run again, and everything it takes is done after the step has committed, or not at all.
@safe
public struct Step: ~Copyable {
  // Not counted: the turn that lends a step keeps the engine, and a count costs a fifth of a step that
  // changes nothing.
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

  /// The time of the step, in whole microseconds and never before that of an earlier step.
  public var now: Date {
    mutating get { engine.now() }
  }

  /// The random numbers of the step: a stream that all its reducers share, in the order in which they run.
  public var random: SplitMix64 {
    mutating get { engine.random }
    mutating set { engine.random = newValue }
  }

  /// Makes an identifier of the step's random numbers.
  ///
  /// - Returns: A UUID of version 4 (RFC 9562, section 5.4).
  public mutating func uuid() -> UUID {
    var generator = random
    let high = generator.next()
    let low = generator.next()
    random = generator
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
        byte(high, 4), byte(high, 5), byte(high, 6) & 0x0F | 0x40, byte(high, 7),
        byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }

  /// The state of another store as it is after this step: where it takes the action, it does so first.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The store, where there are several of the type.
  /// - Throws: A ``Rejection`` where there is no such store, where it cannot be told which is meant, where
  ///   the other store rejects, or where the two wait for each other. It rejects the step, also where the
  ///   reducer catches it.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    mutating get throws {
      let other = try engine.noting { () throws(Rejection) in
        let other = try lookUp(type, id)
        try engine.settle(other, for: slot)
        return other
      }
      return engine.latestState(of: other, as: S.State.self)
    }
  }

  /// The state of a store before this step; nil where there is no such store.
  func committedState<S: Store>(of type: S.Type, _ id: StoreID) -> S.State? {
    guard let slot = engine.layout.indices[id] else { return nil }
    return engine.published.value.snapshots[slot].state(as: S.State.self)
  }

  private func lookUp(_ type: any Store.Type, _ id: StoreID?) throws(Rejection) -> Int {
    do {
      return try engine.layout.index(of: type, id)
    } catch {
      throw Rejection(reason: .unknownStore, store: engine.layout.ids[slot], message: error.message)
    }
  }

  /// Dispatches an action after this step has committed, in the order of the calls, with this step as its cause.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that it is for; nil for all that take it, but an action of this store's own
  ///     is then for this instance alone.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
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
