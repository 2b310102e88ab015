import Foundation
import Harness

/// A process that measures a suite, and writes a row of JSON for each figure when it has it.
struct MeasuringProcess {
  private let arguments: [String]
  private let program: URL?

  /// Names the arguments, and the program where it is not this one.
  init(_ arguments: [String], of program: URL? = Bundle.main.executableURL) {
    self.arguments = arguments
    self.program = program
  }

  /// Runs it, and returns the rows that it came to.
  func rows() throws -> [Row] {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let written = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try written.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Row.self, from: $0)
    }
  }
}
