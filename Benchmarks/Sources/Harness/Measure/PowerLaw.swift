import Foundation

/// The growth of a cost with a size, as a power of the size: a line through the logarithms, fitted by least squares.
///
/// An exponent of 0 is a cost that does not depend on the size, and 1 one in proportion to it. A cost that grows with the
/// logarithm of the size has an exponent near 0 over sizes that differ by powers of ten.
package struct PowerLaw: Equatable, Sendable {
  package let exponent: Double

  /// Fits the exponent; nil with fewer than two different sizes, or if a size or a cost is not above 0.
  package init?(_ points: [(size: Double, cost: Double)]) {
    guard points.allSatisfy({ $0.size > 0 && $0.cost > 0 }) else { return nil }
    let logarithms = points.map { (x: log($0.size), y: log($0.cost)) }
    let count = Double(points.count)
    let x = logarithms.reduce(0) { $0 + $1.x } / count
    let y = logarithms.reduce(0) { $0 + $1.y } / count
    let spread = logarithms.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    guard spread > 0 else { return nil }
    exponent = logarithms.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / spread
  }
}
