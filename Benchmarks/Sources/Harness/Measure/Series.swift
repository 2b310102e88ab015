/// The values of repeated runs, summed up by their middle and by how far they lie apart.
package struct Series: Codable, Equatable, Sendable {
  /// The value that half of the runs stayed below.
  package let median: Double
  /// Half of the distance between the quartiles, as a share of the median.
  package let spread: Double
  /// How many runs there were.
  package let count: Int

  /// Sums up values, of which there has to be one at least.
  package init(_ values: [Double]) {
    precondition(!values.isEmpty, "a series needs a value")
    let sorted = values.sorted()
    let middle = sorted[sorted.count / 2]
    let distance = sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]
    median = middle
    spread = middle == 0 ? 0 : distance / 2 / abs(middle)
    count = sorted.count
  }
}
