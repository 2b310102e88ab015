package import Foundation

/// The figures of one commit on one machine, as they are kept in a file.
package struct Report: Codable, Equatable, Sendable {
  package var machine: Machine
  /// Whether fewer samples of smaller inputs were taken.
  package var isQuick: Bool
  /// What the inputs were generated from.
  package var seed: UInt64
  package var rows: [Row]

  package init(machine: Machine, isQuick: Bool, seed: UInt64, rows: [Row]) {
    self.machine = machine
    self.isQuick = isQuick
    self.seed = seed
    self.rows = rows
  }

  /// Takes in rows that were measured later: they replace those of the same names.
  ///
  /// - Parameters:
  ///   - later: The rows.
  ///   - order: The names of all figures in the order in which they are shown. What is not among
  ///     them is no figure any more, and goes.
  package mutating func merge(_ later: [Row], order: [String]) {
    var known: [String: Row] = [:]
    for row in rows + later { known[row.name] = row }
    rows = order.compactMap { known[$0] }
  }

  /// Those of the names that no row has, or only one that was measured on shared cores.
  package func unsettled(_ names: [String]) -> [String] {
    let settled = rows.filter { $0.rounds?.isShared != true }.map(\.name)
    return names.filter { !settled.contains($0) }
  }

  package init(contentsOf url: URL) throws {
    self = try JSONDecoder().decode(Report.self, from: Data(contentsOf: url))
  }

  package func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: url)
  }
}
