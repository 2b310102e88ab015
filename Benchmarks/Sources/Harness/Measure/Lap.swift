/// What one run of work took.
package struct Lap: Equatable, Sendable {
  package var seconds: Double
  /// The fresh pages of memory that it was given; nil where nobody counted them, as in another program.
  package var faults: Double?

  package init(seconds: Double, faults: Double? = nil) {
    self.seconds = seconds
    self.faults = faults
  }
}
