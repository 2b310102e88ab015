import Foundation
import Testing

/// The project's folder.
enum Project {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The pages for people who read the repository.
  ///
  /// DocC checks the links of the libraries' pages.
  static let pages = [
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Examples/README.md",
    "Recordings/README.md",
    "docs/README.md", "docs/agents.md", "docs/app-protocol.md", "docs/bug-to-test.md",
    "docs/ci.md", "docs/command-line.md", "docs/commands.md",
    "docs/comparison.md", "docs/compatibility.md", "docs/editors.md", "docs/faq.md",
    "docs/how-it-works.md", "docs/install.md", "docs/log-format.md", "docs/page.md",
    "docs/performance.md", "docs/redux.md", "docs/reliability.md",
    "docs/rules.md", "docs/scale.md", "docs/terms.md", "docs/troubleshooting.md", "docs/xcode.md",
  ]

  /// All pages, including those of the libraries.
  static let allPages: [String] = {
    do {
      return pages + (try files(below: "Sources", endingIn: ".md"))
    } catch {
      Issue.record(error)
      return pages
    }
  }()

  static func document(_ path: String) throws -> Document {
    Document(path: path, text: try text(of: path))
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the sorted paths of all files below a folder whose names end in `suffix`.
  static func files(below folder: String, endingIn suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
      .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
  }
}
