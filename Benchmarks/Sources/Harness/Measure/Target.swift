/// What a figure has to reach.
package struct Target: Codable, Equatable, Sendable {
  /// What the number is compared with.
  package enum Kind: String, Codable, Sendable {
    /// The median is at most the number, in the figure's unit.
    case atMost
    /// The median is at least the number, in the figure's unit.
    case atLeast
    /// The median is at least so many times better than that of the first rival.
    case timesRival
  }

  package let kind: Kind
  package let number: Double

  package static func atMost(_ number: Double) -> Target { .init(kind: .atMost, number: number) }
  package static func atLeast(_ number: Double) -> Target { .init(kind: .atLeast, number: number) }
  package static func timesRival(_ number: Double) -> Target {
    .init(kind: .timesRival, number: number)
  }

  /// Tells whether a figure reaches it; nil where there is nothing to compare with.
  func isMet(median: Double, ratio: Double?) -> Bool? {
    switch kind {
    case .atMost: median <= number
    case .atLeast: median >= number
    case .timesRival: ratio.map { $0 >= number }
    }
  }
}

extension Target: CustomStringConvertible {
  package var description: String {
    switch kind {
    case .atMost: "≤ \(Readable.number(number))"
    case .atLeast: "≥ \(Readable.number(number))"
    case .timesRival: "≥ \(Readable.number(number))×"
    }
  }
}
