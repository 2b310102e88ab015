import FluxReplay
package import Foundation

/// The settings of a test run, from the environment.
package struct TestSettings: Sendable {
  /// `true` if recordings must not be written.
  package var isCI: Bool
  /// `true` if diverging recordings are updated: `FLUX_UPDATE` is set, not empty and not 0.
  package var updates: Bool
  /// The folder for logs of failed tests: `FLUX_RECORDINGS`, or a temporary folder of this process.
  package var folder: URL
  /// Prints a message about files that were kept or written.
  package var say: @Sendable (String) -> Void

  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    say: @escaping @Sendable (String) -> Void = { print($0) }
  ) {
    isCI = Verification.Options(environment: environment).isCI
    updates = environment["FLUX_UPDATE"].map { !["", "0"].contains($0) } ?? false
    if let folder = environment["FLUX_RECORDINGS"], !folder.isEmpty {
      self.folder = URL(filePath: folder)
    } else {
      // A name that somebody else could predict might be taken.
      folder = FileManager.default.temporaryDirectory.appending(
        path: "flux-recordings-\(UUID().uuidString.lowercased())")
    }
    self.say = say
  }

  /// The settings of this run; only this package's own tests replace them.
  @TaskLocal package static var current = TestSettings()
}
