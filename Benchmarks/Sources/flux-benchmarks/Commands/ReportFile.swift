import Foundation
import Harness

/// The file that figures are kept in, over several runs.
struct ReportFile {
  /// A file that has figures which others cannot stand beside.
  struct Unlike: Error, CustomStringConvertible {
    let description: String
  }

  private let url: URL
  private let fresh: Report
  private let order: [String]

  /// Names a file.
  ///
  /// - Parameters:
  ///   - url: Where it is, or is to be.
  ///   - report: What is measured under now; the file has to have been measured under the same.
  ///   - order: The names of all figures, in the order in which they are kept.
  /// - Throws: ``Unlike``, and what reading the file throws.
  init(_ url: URL, like report: Report, order: [String]) throws {
    self.url = url
    self.order = order
    fresh = report
    _ = try current()
  }

  /// Takes in rows, which replace those of their names.
  func take(_ rows: [Row]) throws {
    var report = try current()
    report.merge(rows, order: order)
    try report.write(to: url)
  }

  /// Those of the names that the file has nothing of, or only what was measured on shared cores.
  func unsettled(_ names: [String]) throws -> [String] { try current().unsettled(names) }

  private func current() throws -> Report {
    guard FileManager.default.fileExists(atPath: url.filePath) else { return fresh }
    let kept: Report
    do {
      kept = try Report(contentsOf: url)
    } catch {
      throw Unlike(
        description:
          "\(url.filePath) has no figures that this version reads; name another file: \(error)")
    }
    guard kept.machine == fresh.machine, kept.isQuick == fresh.isQuick, kept.seed == fresh.seed
    else {
      throw Unlike(
        description: """
          \(url.filePath) has figures of another machine, of another seed, or of \
          \(kept.isQuick ? "a quick run" : "a thorough run"); name another file
          """)
    }
    return kept
  }
}
