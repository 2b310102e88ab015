/// What a figure has to reach.
///
/// Times and speeds are compared with a rival or a yardstick that was measured in the same rounds, because an absolute one
/// would measure the machine. Sizes are the same on every machine, so their targets are absolute.
package struct Target: Codable, Equatable, Sendable {
  /// What the number is compared with.
  package enum Kind: Codable, Equatable, Sendable {
    /// The median is at most the number, in the figure's unit.
    case atMost
    /// The median is at least the number of times better than that of the first rival.
    case timesRival
    /// One operation costs at most the number of operations of the yardstick.
    case yardsticks(Yardstick)
  }

  package let kind: Kind
  package let number: Double

  /// A target for a size, which does not depend on the machine.
  package static func atMost(_ number: Double) -> Target { .init(kind: .atMost, number: number) }

  package static func atMost(_ number: Double, _ yardstick: Yardstick) -> Target {
    .init(kind: .yardsticks(yardstick), number: number)
  }

  package static func timesRival(_ number: Double) -> Target {
    .init(kind: .timesRival, number: number)
  }

  /// The yardstick that has to be measured with the figure.
  package var yardstick: Yardstick? {
    guard case .yardsticks(let yardstick) = kind else { return nil }
    return yardstick
  }

  /// Tells whether a figure reaches it; nil if there is nothing to compare with.
  ///
  /// - Parameters:
  ///   - median: The figure's median, in its unit.
  ///   - ratio: The number of times that the figure is better than its first rival.
  ///   - cost: The operations of the yardstick that one operation of the figure costs.
  /// - Returns: `true` if it does.
  func isMet(median: Double, ratio: Double?, cost: Double?) -> Bool? {
    switch kind {
    case .atMost: median <= number
    case .timesRival: ratio.map { $0 >= number }
    case .yardsticks: cost.map { $0 <= number }
    }
  }
}

extension Target: CustomStringConvertible {
  package var description: String {
    switch kind {
    case .atMost: "≤ \(Readable.number(number))"
    case .timesRival: "≥ \(Readable.number(number))×"
    case .yardsticks(let yardstick): "≤ \(Readable.number(number)) \(yardstick.plural)"
    }
  }
}
