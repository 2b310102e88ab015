/// The same figures at two commits.
package struct ReportComparison {
  /// What became of a figure.
  package enum Verdict: String, Sendable {
    case better, worse
    case same = ""
    case added, removed
  }

  /// A figure at both commits.
  package struct Line {
    package let name: String
    package let unit: Unit?
    package let before: Series?
    package let after: Series?
    package let verdict: Verdict

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
          verdict: Self.verdict(before.series, row.series, row.unit))
      } + removed
  }

  /// A change counts where it is larger than the spreads of both together.
  private static func verdict(_ before: Series, _ after: Series, _ unit: Unit) -> Verdict {
    guard before.median != 0 else { return after.median == 0 ? .same : .worse }
    let change = after.median / before.median - 1
    guard abs(change) > max(least, before.spread + after.spread) else { return .same }
    return (change < 0) == unit.isLessBetter ? .better : .worse
  }

  package var table: Table {
    var table = Table([
      ("figure", .left), ("unit", .left), ("before", .right), ("after", .right),
      ("change", .right), ("", .left),
    ])
    for line in lines {
      table.add([
        line.name, line.unit?.rawValue ?? "", line.before.map { Readable.number($0.median) } ?? "",
        line.after.map { Readable.number($0.median) } ?? "",
        line.change.map { "\($0 < 1 ? "" : "+")\(Readable.percent($0 - 1))" } ?? "",
        line.verdict.rawValue,
      ])
    }
    return table
  }
}
