import FluxCorpus
import FluxInspector
import FluxLog
import FluxPage
import FluxReplay
import FluxSystem
import Foundation

/// The HTML reports of the logs that did not pass.
struct ReportFolder {
  let path: String
  let app: any ReplayApp

  /// Writes a report for each log of a run that did not pass, and says how many there are.
  ///
  /// - Throws: `CommandError` if the folder or a report cannot be written.
  func write(_ suite: VerifiedSuite, _ printer: Printer) throws {
    do {
      try SymbolicLink.checkFolder(path)
      if let status = try FileStatus(path: path), !status.isFolder {
        throw CommandError(.file, "cannot make the folder \(path): a file has this name")
      }
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch let error as SystemError {
      throw CommandError(error, at: path)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(.file, "cannot make the folder \(path): \(error.localizedDescription)")
    }
    var names: Set<String> = []
    for log in suite.failing {
      let page: PageLog
      do {
        page = try self.page(of: log)
      } catch let error as LogError {
        // Its result says why as well.
        try printer.complain("note", "there is no report of \(log.log): \(error.message)")
        continue
      }
      try write(page, of: log, to: path + "/" + Self.name(of: log.log, besides: &names))
    }
    try printer.complain("note", "\(names.count.counted("report")) in \(path)")
  }

  private func page(of log: VerifiedLog) throws -> PageLog {
    let file = try LogInput().opened(log.log)
    try file.waitForIndex()
    let page = PageLog(file)
    if case .report(let report) = log.outcome { page.note(report, of: app) }
    return page
  }

  private func write(_ page: PageLog, of log: VerifiedLog, to file: String) throws {
    var options = ReportBuilder.Options()
    options.program = ProgramVersion.name
    if case .failure(let failure) = log.outcome { options.step = failure.step }
    let bytes: [UInt8]
    do {
      bytes = try ReportBuilder(page, options: options).build()
    } catch {
      throw CommandError(error, in: page.timeline)
    }
    try SystemFiles().write(file, log: log.log, replacesExisting: true) { try $0(bytes) }
  }

  /// Returns the name of a log's report: that of the log, with a number if another log has the same.
  private static func name(of log: String, besides names: inout Set<String>) -> String {
    let base = URL(filePath: log).deletingPathExtension().lastPathComponent
    var name = base + ".html"
    var number = 2
    while !names.insert(name).inserted {
      name = "\(base)-\(number).html"
      number += 1
    }
    return name
  }
}
