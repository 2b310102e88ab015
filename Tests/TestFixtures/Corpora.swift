package import FluxJSON
package import Foundation

/// Finds test data from other projects.
///
/// The data is at `$FLUX_CORPORA`, or in `../shared/corpora` beside the package. Tests that need it are
/// skipped if it is absent.
package enum Corpora {
  package static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["FLUX_CORPORA"] {
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appending(path: "shared/corpora")
  }()

  package static let isPresent = FileManager.default.fileExists(atPath: folder.path())

  /// Parses a file of the corpora.
  package static func json(_ path: String) throws -> JSON {
    try JSON.parse([UInt8](Data(contentsOf: folder.appending(path: path))))
  }
}
