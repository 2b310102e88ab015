import Foundation
import Harness

/// A process that measures a suite, and writes a row of JSON for each figure when it has it.
struct MeasuringProcess {
  private let arguments: [String]

  init(_ arguments: [String]) { self.arguments = arguments }

  /// Runs it, and returns the rows that it came to.
  func rows() throws -> [Row] {
    let process = Process()
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
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
