import Foundation

/// The steps that an app without a dispatcher records itself.
final class AppSteps: @unchecked Sendable {
  // Sendable: only the thread that holds `turn` accesses `nesting`; everything else is constant.

  /// The seed of the random numbers of all steps.
  let seed: UInt64
  let clock: @Sendable () -> Date
  /// Held from the beginning of a step to its end; recursive, to detect nested steps.
  private let turn = NSRecursiveLock()
  private var nesting = StepNesting()

  init(seed: UInt64, clock: @escaping @Sendable () -> Date) {
    self.seed = seed
    self.clock = clock
  }

  /// Waits for the turn.
  func enter() -> StepNesting.Entry {
    turn.lock()
    return nesting.enter()
  }

  func leave() {
    nesting.leave()
    turn.unlock()
  }
}

/// The numbers of steps, and the nesting of open ones, as a pure machine.
struct StepNesting: Equatable {
  private var number: UInt64 = 0
  private var depth = 0
  private var wasNested = false

  enum Entry: Equatable {
    /// A new step has this number.
    case step(UInt64)
    /// The step with this number is open; `isFirst` is `true` the first time that this happens.
    case nested(in: UInt64, isFirst: Bool)
  }

  mutating func enter() -> Entry {
    depth += 1
    guard depth > 1 else {
      number += 1
      return .step(number)
    }
    defer { wasNested = true }
    return .nested(in: number, isFirst: !wasNested)
  }

  mutating func leave() { depth -= 1 }
}
