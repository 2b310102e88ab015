/// The instructions of now beside those that are kept.
package struct InstructionGrowth {
  /// What became of a path.
  package enum Verdict: String, Sendable {
    case same = ""
    case grown = "GROWN"
    case shrunk
    /// It is counted, and nothing is kept of it.
    case new = "NEW"
    /// It is kept, and not counted any more.
    case gone = "GONE"

    /// Whether whoever changed the code has to look at it.
    var isFailure: Bool { self == .grown || self == .new || self == .gone }
  }

  /// The growth from which on a path has grown, as a share.
  package static let most = 0.05

  package let lines: [(name: String, kept: Int?, count: Int?, verdict: Verdict)]

  package init(kept: InstructionCounts, counted: InstructionCounts) {
    let known = Dictionary(kept.paths.map { ($0.name, $0.count) }, uniquingKeysWith: { $1 })
    let names = Set(counted.paths.map(\.name))
    lines =
      counted.paths.map { path in
        (path.name, known[path.name], path.count, Self.verdict(known[path.name], path.count))
      }
      + kept.paths.filter { !names.contains($0.name) }.map { ($0.name, $0.count, nil, .gone) }
  }

  private static func verdict(_ kept: Int?, _ count: Int) -> Verdict {
    guard let kept else { return .new }
    if Double(count) > Double(kept) * (1 + most) { return .grown }
    return Double(count) < Double(kept) * (1 - most) ? .shrunk : .same
  }

  /// The names of the paths that take more instructions than they may, or are not in both.
  package var failures: [String] { lines.filter(\.verdict.isFailure).map(\.name) }

  package var table: Table {
    var table = Table([
      ("path", .left), ("kept", .right), ("instructions", .right), ("change", .right),
      ("", .left),
    ])
    for line in lines {
      var change: Double?
      if let kept = line.kept, let count = line.count { change = Double(count) / Double(kept) - 1 }
      table.add([
        line.name, line.kept.map(Readable.grouped) ?? "",
        line.count.map(Readable.grouped) ?? "",
        change.map { "\($0 < 0 ? "" : "+")\(Readable.percent($0))" } ?? "", line.verdict.rawValue,
      ])
    }
    return table
  }
}
