/// The same figures at two commits.
package struct ReportComparison {
  /// What became of a figure.
  package enum Verdict: String, Sendable {
    case better, worse
    case same = ""
    case added, removed
    /// The control showed another share of the cores in the one than in the other.
    case unlike = "NOT COMPARABLE"

    /// What a change by a share means, where smaller ones than the least are chance.
    init(change: Double, least: Double, in unit: Unit) {
      guard abs(change) > max(ReportComparison.least, least) else {
        self = .same
        return
      }
      self = (change < 0) == unit.isLessBetter ? .better : .worse
    }
  }

  /// A figure at both commits.
  package struct Line {
    package let name: String
    package let unit: Unit?
    package let before: Series?
    package let after: Series?
    package let verdict: Verdict
    /// What the control showed of the cores, before and after.
    package var loads = ""

    /// How many times the value before the value after is; nil where there is one only.
    package var change: Double? {
      guard let before, let after, before.median != 0 else { return nil }
      return after.median / before.median
    }
  }

  /// Changes below this share are taken for chance, however small the spreads are.
  static let least = 0.03

  package let lines: [Line]

  package init(_ before: Report, _ after: Report) {
    let earlier = Dictionary(before.rows.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let later = Set(after.rows.map(\.name))
    let removed = before.rows.filter { !later.contains($0.name) }.map { row in
      Line(name: row.name, unit: row.unit, before: row.series, after: nil, verdict: .removed)
    }
    lines =
      after.rows.map { row in
        guard let before = earlier[row.name], before.unit == row.unit else {
          return Line(
            name: row.name, unit: row.unit, before: nil, after: row.series, verdict: .added)
        }
        return Line(
          name: row.name, unit: row.unit, before: before.series, after: row.series,
          verdict: Self.verdict(before, row), loads: Self.loads(before.rounds, row.rounds))
      } + removed
  }

  /// A change counts where it is larger than the spreads of both together, and where both had as much of the cores.
  private static func verdict(_ before: Row, _ after: Row) -> Verdict {
    if let before = before.rounds, let after = after.rounds, !before.isLike(after) {
      return .unlike
    }
    let (before, after, unit) = (before.series, after.series, after.unit)
    guard before.median != 0 else { return after.median == 0 ? .same : .worse }
    return Verdict(
      change: after.median / before.median - 1, least: before.spread + after.spread, in: unit)
  }

  private static func loads(_ before: RoundSummary?, _ after: RoundSummary?) -> String {
    guard before != nil || after != nil else { return "" }
    return [before, after].map { $0?.text ?? "?" }.joined(separator: ", ")
  }

  package var table: Table {
    var table = Table([
      ("figure", .left), ("unit", .left), ("before", .right), ("after", .right),
      ("change", .right), ("", .left), ("loads", .left),
    ])
    for line in lines {
      table.add([
        line.name, line.unit?.rawValue ?? "", line.before.map { Readable.number($0.median) } ?? "",
        line.after.map { Readable.number($0.median) } ?? "",
        line.change.map { "\($0 < 1 ? "" : "+")\(Readable.percent($0 - 1))" } ?? "",
        line.verdict.rawValue, line.loads,
      ])
    }
    return table
  }
}
