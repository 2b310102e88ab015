import FluxJSON
import FluxLog
import TestFixtures

@testable import FluxCommands
@testable import FluxCorpus
@testable import FluxInspector

/// The output and the exit code of a subcommand.
struct SubcommandRun {
  let code: Int32
  /// Results.
  let results: String
  /// Everything else.
  let diagnostics: String

  init(
    _ subcommand: Subcommand, _ format: OutputFormatName = .text,
    services: Services = Services(),
    isTerminal: Bool = false, in folder: TemporaryFolder
  ) throws {
    var results: [UInt8] = []
    var diagnostics: [UInt8] = []
    var output = SubcommandOutput(
      format, results: ByteSink { results += $0 }, diagnostics: ByteSink { diagnostics += $0 },
      isTerminal: isTerminal)
    code = try subcommand.run(with: services, to: &output)
    func text(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self).replacing(folder.path(""), with: "")
    }
    self.results = text(results)
    self.diagnostics = text(diagnostics)
  }
}

extension TemporaryFolder {
  /// Writes a log; returns where it is.
  func log(_ lines: [String], _ name: String = "log.jsonl") throws -> String {
    try write(lines.map { $0 + "\n" }.joined().utf8, to: name)
  }
}
