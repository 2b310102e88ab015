import FluxInspector
import Foundation
import ScriptCommands

/// The temporary log of a session of Redux DevTools that was opened directly.
struct ImportedLog {
  private let folder: URL

  /// The path of the log.
  let path: String

  /// Imports a file and writes a note about it; returns nil if the file is none of Redux DevTools.
  ///
  /// - Throws: ``CommandError`` if the file cannot be imported, `Errno` if the note cannot be written.
  init?(from file: String, _ printer: Printer) throws {
    guard ImportScript.mayImport(file) else { return nil }
    folder = FileManager.default.temporaryDirectory
      .appending(path: "flux-inspect-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError(
        .file, "cannot create a folder for the imported log: \(error.localizedDescription)")
    }
    let name = URL(filePath: file).deletingPathExtension().lastPathComponent
    path = folder.appending(path: "\(name).jsonl").path(percentEncoded: false)
    let report: ImportReport
    do {
      printer.command.begin()
      defer { printer.command.clear() }
      report = try ImportScript(file, to: path).report(with: Services(printer.command))
    } catch {
      remove()
      throw error
    }
    let steps = "\(report.steps) step\(report.steps == 1 ? "" : "s")"
    try printer.complain(
      "note",
      "\(file) is a session of Redux DevTools; its \(steps) are in a temporary log, \(path)")
    guard !report.lost.isEmpty else { return }
    try printer.complain(
      "note", "something in the file cannot be represented; flux-inspect import lists it")
  }

  /// Removes the log with the files beside it.
  func remove() {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      // The system empties the folder of temporary files.
    }
  }
}
