import Foundation
import TestFixtures

/// The example app that crashes, which is built beside the tests.
enum CrashExample {
  /// Starts it in a mode: `trap`, or `load`.
  static func start(_ mode: String, _ log: URL, output: Pipe = Pipe()) throws -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = [mode, log.path]
    // The trap's own report is of no use here. Its backtracer would also end a program under the Thread
    // Sanitizer with the sanitizer's exit code in place of the signal.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]
    ) { _, ours in ours }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  static var program: URL { URL(filePath: BuiltProduct.path("crash-example")) }
}
