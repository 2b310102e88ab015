/// The steps whose random numbers a step and its follow-ups draw.
///
/// A step draws its own, unless it repeats a step of a recording under another number: a fork leaves out steps, and actions
/// after them name ids that were drawn.
package struct RandomSource: Sendable, Equatable {
  /// Each step draws its own numbers.
  static let own = RandomSource(0, count: nil, from: 0)

  /// The distance to the numbers of steps that no recording reaches.
  private static let beyond: UInt64 = 1 << 32

  /// The distance from a step to the step whose numbers it draws.
  private let shift: UInt64
  /// The last step for which that is so.
  private let last: UInt64

  /// Makes a source with which the steps from `first` on draw the numbers of those from `other` on.
  ///
  /// It has the numbers of `count` steps; nil for all. Later steps draw numbers that no step of a recording has drawn,
  /// because those of the next step are drawn by what repeats it.
  private init(_ other: UInt64, count: UInt64?, from first: UInt64) {
    shift = other &- first
    last = count.map { first &+ max($0, 1) &- 1 } ?? .max
  }

  /// Makes the source of an action whose step has a number.
  package init(of action: ReplayAction, in step: UInt64) {
    self.init(
      action.randomStep ?? step, count: action.followUpTimes.map { UInt64($0.count) + 1 },
      from: step)
  }

  /// Returns the step whose random numbers a step draws.
  package func step(for number: UInt64) -> UInt64 {
    number &+ (number <= last ? shift : Self.beyond)
  }
}
