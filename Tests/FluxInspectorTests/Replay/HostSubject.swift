import FluxHost
import FluxReplay
import Foundation
import TestFixtures
import Testing

@testable import FluxInspector

/// The counter in a process of its own, whose reducer traps, hangs or leaves where an action says so.
enum HostSubject {
  /// A session on a log of the counter, with that process as its app.
  static func inspection(
    _ lines: [String], services: Services = Services()
  ) throws -> Inspection {
    var limits = HostApp.Limits()
    limits.start = 2
    limits.messageByteCount = 100_000
    var services = services
    services.app = HostApp(executable: BuiltProduct.path("CounterHost"), limits: limits)
    return try Inspection(lines, services: services)
  }
}
