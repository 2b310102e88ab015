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
  /// A folder that is named like a log is none. A subfolder that cannot be listed stands for its logs, so opening it as a
  /// log says why.
  ///
  /// - Throws: The error of listing the folder itself.
  package static func logs(
    in path: String, extensions: [String] = LogFolder.extensions
  ) throws -> [String] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    var found: [String] = []
    func list(_ subfolder: String) throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder + subfolder) {
        let name = subfolder + name
        // Links to folders are not followed.
        if try FileStatus(path: folder + name, followsLinks: false)?.isFolder == true {
          do {
            try list(name + "/")
          } catch {
            found.append(name)
          }
        } else if extensions.contains(where: { name.hasSuffix("." + $0) }),
          !FileStatus.isFolder(at: folder + name)
        {
          found.append(name)
        }
      }
    }
    try list("")
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
