/// The numbers of a session's steps, and the nesting of open ones, as a pure machine.
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
