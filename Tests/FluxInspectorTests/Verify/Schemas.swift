import Foundation
import TestFixtures

/// Schemas of XML that are not part of the project, and the tool that checks by them.
enum Schemas {
  private static let folder: URL = {
    let environment = ProcessInfo.processInfo.environment
    if let corpora = environment["FLUX_CORPORA"] {
      return URL(fileURLWithPath: corpora).appending(path: "schemas")
    }
    return URL(fileURLWithPath: #filePath).appending(path: "../../../../../shared/corpora/schemas")
      .standardizedFileURL
  }()
  private static let tool = URL(fileURLWithPath: "/usr/bin/xmllint")

  static var areAvailable: Bool {
    [folder, tool].allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// The errors that the tool finds in a document; empty if it is valid.
  static func complaints(about document: String, _ schema: String) throws -> String {
    let temporary = try TemporaryFolder()
    let file = temporary.path("report.xml")
    try Data(document.utf8).write(to: URL(fileURLWithPath: file))
    let process = Process()
    let pipe = Pipe()
    process.executableURL = tool
    process.arguments = ["--noout", "--schema", folder.appending(path: schema).path, file]
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : String(decoding: output, as: UTF8.self)
  }
}
