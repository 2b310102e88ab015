/// The same figures of two programs that were measured in turns, many times.
///
/// Only those pairs count in which both had as much of the cores: what the machine did meanwhile is not in them.
package struct PairedComparison {
  /// What two programs came to for the same figures, one right after the other.
  package typealias Pair = (before: [Row], after: [Row])

  package struct Line {
    package let name: String
    package let unit: Unit
    /// How many pairs there are, with those that do not count.
    package let pairs: Int
    /// The medians of the pairs that count; nil where none does.
    package let before: Series?
    package let after: Series?
    /// How many times the value before the value after is, over the pairs that count.
    package let change: Series?

    /// A change counts where it is larger than the changes of the pairs lie apart.
    package var verdict: ReportComparison.Verdict {
      guard let change else { return .unlike }
      return .init(change: change.median - 1, least: change.spread * change.median, in: unit)
    }
  }

  package let lines: [Line]

  package init(lines: [Line]) { self.lines = lines }

  package init(_ pairs: [Pair]) {
    var names: [String] = []
    for row in pairs.flatMap(\.after) where !names.contains(row.name) { names.append(row.name) }
    lines = names.compactMap { Self.line($0, of: pairs) }
  }

  private static func line(_ name: String, of pairs: [Pair]) -> Line? {
    let rows = pairs.compactMap { pair -> (before: Row, after: Row)? in
      guard let before = pair.before.first(where: { $0.name == name }),
        let after = pair.after.first(where: { $0.name == name }), before.unit == after.unit
      else { return nil }
      return (before, after)
    }
    guard let unit = rows.first?.after.unit else { return nil }
    let alike = rows.filter { row in
      guard let before = row.before.rounds, let after = row.after.rounds else { return true }
      return before.isLike(after)
    }
    func series(_ value: ((before: Row, after: Row)) -> Double) -> Series? {
      alike.isEmpty ? nil : Series(alike.map(value))
    }
    return Line(
      name: name, unit: unit, pairs: rows.count, before: series { $0.before.series.median },
      after: series { $0.after.series.median },
      change: series { $0.after.series.median / $0.before.series.median })
  }

  package var table: Table {
    var table = Table([
      ("figure", .left), ("unit", .left), ("before", .right), ("after", .right),
      ("change", .right), ("spread", .right), ("pairs", .right), ("", .left),
    ])
    for line in lines {
      table.add([
        line.name, line.unit.rawValue, line.before.map { Readable.number($0.median) } ?? "",
        line.after.map { Readable.number($0.median) } ?? "",
        line.change.map { "\($0.median < 1 ? "" : "+")\(Readable.percent($0.median - 1))" } ?? "",
        line.change.map { "±\(Readable.percent($0.spread))" } ?? "",
        "\(line.change?.count ?? 0) of \(line.pairs)", line.verdict.rawValue,
      ])
    }
    return table
  }
}
