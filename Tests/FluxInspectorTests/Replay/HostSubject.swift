import FluxReplay
import Foundation
import TemporaryFolders
import Testing

@testable import FluxInspector

/// The counter in a process of its own, whose reducer traps, hangs or leaves where an action says so.
enum HostSubject {
  /// A session on a log of the counter, with that process as its app.
  static func inspection(_ lines: [String]) throws -> Inspection {
    var limits = HostApp.Limits()
    limits.start = 2
    var services = Services()
    services.app = HostApp(executable: try executable("CounterHost"), limits: limits)
    return try Inspection(lines, services: services)
  }

  /// The path of an executable that was built beside the tests.
  private static func executable(_ name: String) throws -> String {
    var folder = URL(filePath: try #require(ProcessInfo.processInfo.arguments.first))
      .standardizedFileURL
    #if os(macOS)
      folder = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? folder
    #endif
    while folder.path() != "/" {
      folder.deleteLastPathComponent()
      let candidate = folder.appending(path: name).path()
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    throw MissingExecutable(name: name)
  }

  struct MissingExecutable: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is not beside the tests; build it first" }
  }
}
