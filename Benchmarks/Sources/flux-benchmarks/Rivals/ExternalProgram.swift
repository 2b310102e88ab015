import Foundation
import Harness

/// A program that is not ours, where it is installed.
struct ExternalProgram {
  /// What a program said when it failed.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let name: String
  let url: URL

  /// Finds a program by its name; nil where it is not on the path.
  init?(_ name: String) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let candidates = path.split(separator: ":").map {
      URL(filePath: String($0)).appending(path: name)
    }
    guard
      let found = candidates.first(where: {
        FileManager.default.isExecutableFile(atPath: $0.filePath)
      })
    else { return nil }
    self.name = name
    url = found
  }

  /// This program itself.
  static func own() throws -> ExternalProgram {
    guard let url = Bundle.main.executableURL else {
      throw Failure(description: "the system does not tell where this program is")
    }
    return ExternalProgram(name: "flux-benchmarks", url: url)
  }

  /// The `flux-inspect` in the folder of this program.
  static func inspector() throws -> ExternalProgram {
    let url = try own().url.deletingLastPathComponent().appending(path: "flux-inspect")
    guard FileManager.default.isExecutableFile(atPath: url.filePath) else {
      throw Failure(description: "no \(url.filePath); 'make bench-page-program' builds it")
    }
    return ExternalProgram(name: "flux-inspect", url: url)
  }

  init(name: String, url: URL) {
    self.name = name
    self.url = url
  }

  /// Runs it, and returns what it wrote.
  @discardableResult
  func run(_ arguments: [String]) throws -> Data {
    try run(arguments, environment: [:]).output
  }

  /// Runs it with more in its environment, and returns what it wrote to its two outputs.
  ///
  /// - Throws: ``Failure`` if it ends with another status than `status`.
  func run(
    _ arguments: [String], environment: [String: String], endingWith status: Int32 = 0
  ) throws -> (output: Data, messages: String) {
    // Messages go to a file: a pipe that nobody reads yet would stop a program that has much to say.
    let messages = FileManager.default.temporaryDirectory.appending(
      path: "messages-\(UUID().uuidString)")
    try Data().write(to: messages)
    let process = Process()
    let output = Pipe()
    process.executableURL = url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: messages)
    try process.run()
    let written = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let said = try String(contentsOf: messages, encoding: .utf8)
    try FileManager.default.removeItem(at: messages)
    guard process.terminationStatus == status else {
      throw Failure(description: "\(name): \(said)")
    }
    return (written, said)
  }

  /// A rival that is timed as a whole, its start included, and that ends with `status`.
  static func rival(
    _ name: String, _ arguments: [String], as title: String? = nil, amount: Int = 1,
    endingWith status: Int32 = 0
  ) -> Rival {
    guard let program = ExternalProgram(name) else {
      return Rival(name, absent: "not installed")
    }
    return Rival(
      title ?? ([name] + arguments.prefix { $0.hasPrefix("-") }).joined(separator: " "),
      .repeated(amount: amount) {
        try program.run(arguments, environment: [:], endingWith: status)
      })
  }
}
