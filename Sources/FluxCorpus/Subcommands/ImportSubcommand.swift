import FluxCommands
package import FluxExchange
package import FluxInspector
package import FluxLog
import FluxSystem

/// `import FILE [-o LOG]`: a session of Redux DevTools as a log.
package struct ImportSubcommand: Sendable {
  private let path: String
  private let log: String
  private let usesSlices: Bool
  private let isStrict: Bool
  private let replacesExisting: Bool
  /// Returns the file to read for the path that the user named.
  package var place: @Sendable (_ path: String, Services) throws -> LogPlace = { path, _ in
    LogPlace(path)
  }

  /// Makes the subcommand; the log is one next to the file if it is nil.
  ///
  /// With slices, there is one store for each member of the root state. A strict import fails if something is lost.
  package init(
    _ path: String, to log: String?, usesSlices: Bool = false, isStrict: Bool = false,
    replacesExisting: Bool = false
  ) {
    self.path = path
    self.log = log ?? Self.log(for: path)
    (self.usesSlices, self.isStrict) = (usesSlices, isStrict)
    self.replacesExisting = replacesExisting
  }

  /// The path of the log next to a file: `session.jsonl` for `session.json`.
  private static func log(for path: String) -> String {
    for ending in [".gz", ".zst"] where path.hasSuffix(ending) {
      return log(for: String(path.dropLast(ending.count)))
    }
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return path + ".jsonl" }
    return path[..<dot] + ".jsonl"
  }

  /// Imports the file, and writes the report.
  package var subcommand: Subcommand {
    Subcommand { services, output in
      try output.write(.imported(report(with: services), from: path))
    }
  }

  /// Imports the file.
  ///
  /// - Throws: `CommandError` that names the place of a fault.
  package func report(with services: Services) throws -> ImportReport {
    guard !replacesExisting || !services.files.isSameFile(log, path) else {
      throw CommandError(
        .file, "\(log) is the session itself, which is never overwritten",
        hint: "-o names another log")
    }
    let report = services.work.reporting("importing")
    var importer = ReduxImporter(
      try ReduxSession.find(in: place(path, services)), usesSlices: usesSlices)
    do {
      var result = try importer.write(to: log, replacesExisting: replacesExisting) { done, total in
        if done % 64 == 0 { try report(done, total) }
      }
      result.isStrict = isStrict
      return result
    } catch let error as LogError where error.path == log {
      guard error.reason == .exists else { throw CommandError(.file, error.message) }
      throw CommandError(
        .exists, "\(log) already exists", hint: "-o names another log; --force replaces this one")
    }
  }
}

extension Reply {
  static func imported(_ report: ImportReport, from path: String) -> Reply {
    Reply(report) { report, text in
      try text.line("\(report.steps.counted("step")) imported from \(path) to \(report.log)")
      for loss in report.lost {
        try text.line("  \(loss.sentence)", .dim)
      }
    }
  }
}
