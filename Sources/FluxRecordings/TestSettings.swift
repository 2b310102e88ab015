package import Foundation

/// What the environment says about the run of tests.
package struct TestSettings: Sendable {
  /// Whether recordings must not be written: `CI` is set, to anything but nothing.
  package var isCI: Bool
  /// Whether recordings that replay otherwise now are made anew: `FLUX_UPDATE` is set, to anything but
  /// nothing and 0.
  package var updates: Bool
  /// Where the logs of failed tests are kept: `FLUX_RECORDINGS`, or a temporary folder of this process.
  package var folder: URL
  /// Tells people what was kept or written.
  package var say: @Sendable (String) -> Void

  /// Reads an environment.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    say: @escaping @Sendable (String) -> Void = { print($0) }
  ) {
    isCI = environment["CI"].map { !$0.isEmpty } ?? false
    updates = environment["FLUX_UPDATE"].map { !["", "0"].contains($0) } ?? false
    if let folder = environment["FLUX_RECORDINGS"], !folder.isEmpty {
      self.folder = URL(filePath: folder)
    } else {
      let process = ProcessInfo.processInfo.processIdentifier
      folder = FileManager.default.temporaryDirectory.appending(path: "flux-recordings-\(process)")
    }
    self.say = say
  }

  /// The settings of this run, unless a test of the tests has others.
  @TaskLocal package static var current = TestSettings()
}
