extension Report {
  /// All figures: a line for each, and one for each further rival.
  package var table: Table {
    var table = Table([
      ("figure", .left), ("unit", .left), ("median", .right), ("spread", .right),
      ("load", .right), ("repeated", .right), ("rival", .left), ("its median", .right),
      ("ratio", .right), ("cost", .right), ("target", .right),
      ("met", .left), ("limit", .right), ("input", .left),
    ])
    for row in rows {
      let own = [
        row.name, row.unit.rawValue, Readable.number(row.series.median),
        row.series.count > 1 ? "±\(Readable.percent(row.series.spread))" : "",
        row.rounds?.text ?? "",
        row.rounds.map { $0.repeated == 0 ? "" : Readable.grouped($0.repeated) } ?? "",
      ]
      let goal = [
        row.cost.map { Readable.number($0) } ?? "", row.target.map(\.description) ?? "",
        Self.verdict(row.isMet),
        row.limit.map { "\($0) \(Self.mark(row.reachesLimit))" } ?? "", row.input,
      ]
      table.add(own + Self.texts(of: row.rivals.first, in: row) + goal)
      for rival in row.rivals.dropFirst() {
        table.add(
          ["", "", "", "", "", ""] + Self.texts(of: rival, in: row) + ["", "", "", "", ""])
      }
    }
    return table
  }

  /// How many of the targets are met, in words.
  package var summary: String {
    let verdicts = rows.compactMap(\.isMet)
    let missed = rows.filter { $0.isMet == false }.map(\.name)
    let met = "\(verdicts.count - missed.count) of \(verdicts.count) targets met"
    return missed.isEmpty ? met : met + "; missed: " + missed.joined(separator: ", ")
  }

  private static func texts(of rival: Row.Rival?, in row: Row) -> [String] {
    guard let rival else { return ["", "", ""] }
    guard let series = rival.series else {
      return ["\(rival.name): \(rival.absence ?? "absent")", "", ""]
    }
    let ratio = row.ratio(to: rival).map { "\(Readable.number($0))×" } ?? ""
    let mark = rival.rounds?.isShared == true ? " shared" : ""
    return [rival.name, Readable.number(series.median) + mark, ratio]
  }

  private static func verdict(_ isMet: Bool?) -> String {
    switch isMet {
    case true?: "met"
    case false?: "MISSED"
    case nil: ""
    }
  }

  private static func mark(_ isReached: Bool?) -> String {
    switch isReached {
    case true?: "✓"
    case false?: "✗"
    case nil: "?"
    }
  }
}
