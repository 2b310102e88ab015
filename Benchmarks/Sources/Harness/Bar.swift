/// A figure that is claimed, beside what was measured.
public struct Bar: CustomStringConvertible, Sendable {
  /// What the figure is of.
  public let name: String
  /// What was measured.
  public let measured: Double
  /// The least that is claimed.
  public let atLeast: Double

  /// Creates a bar.
  public init(_ name: String, _ measured: Double, atLeast: Double) {
    self.name = name
    self.measured = measured
    self.atLeast = atLeast
  }

  /// Tells whether the claim holds.
  public var isMet: Bool { measured >= atLeast }

  /// One line of a report.
  public var description: String {
    "\(isMet ? "met   " : "MISSED") \(name): \(Measurement.rounded(measured)), bar \(atLeast)"
  }
}
