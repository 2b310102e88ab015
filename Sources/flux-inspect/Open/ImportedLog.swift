import FluxCorpus
import FluxExchange
import FluxInspector
import FluxSubcommands
import FluxSystem
import Foundation

/// The temporary log of a session of Redux DevTools that was opened directly.
struct ImportedLog {
  private let log: TemporaryLog

  /// The path of the log.
  var path: String { log.path }

  /// Imports a file and writes a note about it; returns nil if the file is none of Redux DevTools.
  ///
  /// - Throws: ``CommandError`` if the file cannot be imported, `LostOutput` if the note cannot be written.
  init?(from file: String, _ printer: Printer) throws {
    guard file != LogInput.standardInput, ReduxSession.isLikely(in: file) else { return nil }
    log = try TemporaryLog(
      "\(URL(filePath: file).deletingPathExtension().lastPathComponent).jsonl")
    let report: ImportReport
    do {
      printer.command.begin()
      defer { printer.command.clear() }
      report = try ImportSubcommand(file, to: log.path).report(with: Services(printer.command))
    }
    let steps = "\(report.steps.counted("step"))"
    try printer.complain(
      "note",
      "\(file) is a session of Redux DevTools; its \(steps) are in a temporary log, \(log.path)")
    guard !report.lost.isEmpty else { return }
    try printer.complain(
      "note", "something in the file cannot be represented; flux-inspect import lists it")
  }
}
