import Foundation
import TestFixtures

/// Finds test data from other projects.
///
/// The data is at `$FLUX_CORPORA`, or in `../shared/corpora` beside the package. Tests that need it are
/// skipped if it is absent.
enum Corpora {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["FLUX_CORPORA"] {
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appending(path: "shared/corpora")
  }()

  static let isPresent = FileManager.default.fileExists(atPath: folder.path())
}
