import Foundation
import Testing

/// The project's folder, as these tests see it.
enum Project {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The pages for people who read the repository; those of the libraries are docc's to check.
  static let pages = [
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Examples/README.md", "Recordings/README.md",
    "docs/README.md", "docs/ci.md", "docs/commands.md", "docs/log-format.md", "docs/replay-host.md",
    "docs/performance.md", "docs/scale.md",
  ]

  static func document(_ path: String) throws -> Document {
    Document(path: path, text: try text(of: path))
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The paths of all files below a folder whose names end so, sorted.
  static func files(below folder: String, endingIn suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
      .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
  }
}
