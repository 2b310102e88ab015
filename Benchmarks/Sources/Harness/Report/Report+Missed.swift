extension Report {
  /// A line of Markdown for each target that is missed, with what it is missed by.
  package var missed: String {
    let lines = rows.compactMap { row in
      row.isMet == false
        ? row.target.map { "- \(row.name): \(Self.distance(of: row, from: $0))\n" } : nil
    }
    return lines.isEmpty ? "All targets are met.\n" : lines.joined()
  }

  private static func distance(of row: Row, from target: Target) -> String {
    let ratio = row.rivals.first.flatMap { row.ratio(to: $0) } ?? 0
    let (value, share) =
      switch target.kind {
      case .atMost:
        (
          "\(Readable.number(row.series.median)) \(row.unit.rawValue)",
          row.series.median / target.number
        )
      case .yardsticks(let yardstick):
        (
          "\(Readable.number(row.cost ?? 0)) \(yardstick.plural)",
          (row.cost ?? 0) / target.number
        )
      case .timesRival: ("\(Readable.number(ratio))×", target.number / ratio)
      }
    let mark = row.rounds?.isShared == true ? ", on shared cores" : ""
    return "\(value), target \(target), missed by a factor of \(Readable.number(share))\(mark)"
  }
}
