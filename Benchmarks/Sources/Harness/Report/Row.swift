/// What was measured for one figure.
package struct Row: Codable, Equatable, Sendable {
  /// What a rival took for the same.
  package struct Rival: Codable, Equatable, Sendable {
    package let name: String
    /// Its values, in the figure's unit; nil where it is absent.
    package let series: Series?
    /// Why it is absent.
    package let absence: String?
    /// What its rounds met; nil where it is absent, and where no time is measured.
    package let rounds: RoundSummary?

    package init(
      name: String, series: Series?, absence: String?, rounds: RoundSummary? = nil
    ) {
      self.name = name
      self.series = series
      self.absence = absence
      self.rounds = rounds
    }
  }

  package let name: String
  /// What was worked on, in a few words.
  package let input: String
  package let unit: Unit
  package let series: Series
  package let rivals: [Rival]
  /// The yardstick of the target; nil if that has none.
  package let yardstick: Rival?
  package let target: Target?
  package let limit: Target?
  /// What its rounds met; nil where no time is measured.
  package let rounds: RoundSummary?

  package init(
    name: String, input: String, unit: Unit, series: Series, rivals: [Rival],
    yardstick: Rival? = nil, target: Target?, limit: Target?, rounds: RoundSummary? = nil
  ) {
    self.name = name
    self.input = input
    self.unit = unit
    self.series = series
    self.rivals = rivals
    self.yardstick = yardstick
    self.target = target
    self.limit = limit
    self.rounds = rounds
  }

  /// How many times better than a rival the figure is: below 1, the rival wins.
  package func ratio(to rival: Rival) -> Double? {
    guard let theirs = rival.series, theirs.median != 0, series.median != 0 else { return nil }
    return unit.isLessBetter ? theirs.median / series.median : series.median / theirs.median
  }

  /// The operations of the yardstick that one operation of the figure costs; nil without a yardstick.
  package var cost: Double? { yardstick.flatMap { ratio(to: $0) }.map { 1 / $0 } }

  /// Whether the target is met; nil where there is none, or nothing to compare with.
  package var isMet: Bool? { meets(target) }

  /// Whether what is worth reaching beyond the target is reached.
  package var reachesLimit: Bool? { meets(limit) }

  private func meets(_ target: Target?) -> Bool? {
    target?.isMet(
      median: series.median, ratio: rivals.first.flatMap { ratio(to: $0) }, cost: cost)
  }
}
