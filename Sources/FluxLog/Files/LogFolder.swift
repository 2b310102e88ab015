import FluxSystem
import Foundation

/// A folder that contains logs: recordings of tests, logs to verify, a corpus.
///
/// The files of one launch or of one flight recorder are found by their names instead, see ``LaunchFolder`` and
/// ``LogFileNames``.
package enum LogFolder {
  /// The extensions of logs, in the names of files.
  package static let extensions = ["jsonl", "jsonl.gz", "jsonl.zst"]

  /// Returns the paths of the logs in a folder and its subfolders, from the folder on, in the order of their bytes.
  ///
  /// A folder that is named like a log is none.
  package static func logs(
    in path: String, extensions: [String] = LogFolder.extensions
  ) throws -> [String] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    return try FileManager.default.subpathsOfDirectory(atPath: path)
      .filter { name in extensions.contains { name.hasSuffix("." + $0) } }
      .filter { !FileStatus.isFolder(at: folder + $0) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
