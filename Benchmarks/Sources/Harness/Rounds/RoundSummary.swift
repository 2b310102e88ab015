/// What the rounds of a figure met on the machine.
package struct RoundSummary: Codable, Equatable, Sendable {
  /// What the control showed during the rounds that count, the middle one: 1 is a core that nobody else used.
  package let load: Double
  /// What the control reads of a whole core, as far as was known: the load is by this.
  package let whole: Double
  /// Whether the core was shared in every round, so that the figure is of shared ones.
  package let isShared: Bool
  /// How many rounds were measured again because the core was shared.
  package let repeated: Int
  /// The fresh pages of memory that an operation was given; nil where nobody counted them.
  ///
  /// An operation is a run of the work, or a step where steps are counted.
  package let faults: Double?

  package init(load: Double, whole: Double, isShared: Bool, repeated: Int, faults: Double?) {
    self.load = load
    self.whole = whole
    self.isShared = isShared
    self.repeated = repeated
    self.faults = faults
  }

  /// Whether two figures had the same share of their cores, so that they can be compared.
  package func isLike(_ other: RoundSummary) -> Bool {
    // By the readings themselves: what was known of a whole core may differ.
    let (own, theirs) = (load * whole, other.load * other.whole)
    return max(own, theirs) <= min(own, theirs) * Control.mostQuiet
  }

  /// The load as it is shown, with a mark where no round had a whole core.
  package var text: String { Readable.number(load) + (isShared ? " shared" : "") }
}
