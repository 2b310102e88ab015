import Foundation
import TerminalTesting
import TestFixtures

/// A run of the program without a terminal: what it wrote, and the code that it ended with.
struct ProgramRun: Equatable {
  var code: Int32
  /// Standard output.
  var output: String
  /// Standard error.
  var errors: String

  /// `true` if the programs are built with the Thread Sanitizer, which writes a large file at their start.
  static let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

  init(_ code: Int32, _ output: String = "", errors: String = "") {
    self.code = code
    self.output = output
    self.errors = errors
  }

  /// Runs the program in a folder.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - input: All of its standard input.
  ///   - environment: All of its environment beside the folders of the user, which are in the folder.
  ///   - starter: A program that starts it, with its arguments; empty for none.
  ///   - folder: Where it runs.
  /// - Throws: What keeps it from running, or its output from being read.
  init(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    through starter: [String] = [], in folder: TemporaryFolder
  ) throws {
    let process = Process()
    let command = starter + [BuiltProduct.path("flux-inspect")] + arguments
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path(""))
    process.environment = folder.userFolders.merging(environment) { _, given in given }
    // Files, as nobody has to read them while the program writes.
    try folder.replace("input", with: input.utf8)
    try folder.replace("output", with: [])
    try folder.replace("errors", with: [])
    process.standardInput = try FileHandle(forReadingFrom: folder.url("input"))
    process.standardOutput = try FileHandle(forWritingTo: folder.url("output"))
    process.standardError = try FileHandle(forWritingTo: folder.url("errors"))
    try process.run()
    process.waitUntilExit()
    code = process.terminationReason == .exit ? process.terminationStatus : -1
    output = try folder.text(of: "output")
    errors = try folder.text(of: "errors")
  }
}

extension TemporaryFolder {
  /// An environment in which the user's own files are in the folder.
  var userFolders: [String: String] {
    ["HOME": path("home"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
  }

  /// Writes what is run at every start.
  func writeInitFile(_ text: String) throws {
    try FileManager.default.createDirectory(
      at: url("home/.config/flux-inspect"), withIntermediateDirectories: true)
    try write(text, to: "home/.config/flux-inspect/init")
  }
}
