/// The instructions of now beside those that are kept.
package struct InstructionGrowth {
  /// What became of a path.
  package enum Verdict: String, Sendable {
    case same = ""
    case grown = "GROWN"
    case shrunk
    case new
  }

  /// The growth from which on a path has grown, as a share.
  package static let most = 0.05

  package let lines: [(name: String, kept: Int?, count: Int, verdict: Verdict)]

  package init(kept: InstructionCounts, counted: InstructionCounts) {
    let known = Dictionary(kept.paths.map { ($0.name, $0.count) }, uniquingKeysWith: { $1 })
    lines = counted.paths.map { path in
      (path.name, known[path.name], path.count, Self.verdict(known[path.name], path.count))
    }
  }

  private static func verdict(_ kept: Int?, _ count: Int) -> Verdict {
    guard let kept else { return .new }
    if Double(count) > Double(kept) * (1 + most) { return .grown }
    return Double(count) < Double(kept) * (1 - most) ? .shrunk : .same
  }

  /// The names of the paths that take more instructions than they may.
  package var grown: [String] { lines.filter { $0.verdict == .grown }.map(\.name) }

  package var table: Table {
    var table = Table([
      ("path", .left), ("kept", .right), ("instructions", .right), ("change", .right),
      ("", .left),
    ])
    for line in lines {
      let change = line.kept.map { Double(line.count) / Double($0) - 1 }
      table.add([
        line.name, line.kept.map(Readable.grouped) ?? "", Readable.grouped(line.count),
        change.map { "\($0 < 0 ? "" : "+")\(Readable.percent($0))" } ?? "", line.verdict.rawValue,
      ])
    }
    return table
  }
}
