import FluxLog
import FluxSystem
import Foundation

/// The folders of single tests, in a folder that the tests of a process share.
enum TestFolder {
  /// The shared folders that this process has made, which are removed with the last folder in them.
  private static let made = Monitor<Set<String>>([])

  /// Makes a folder for the user alone; a number distinguishes those of one name.
  static func make(_ name: String, in shared: URL) throws(LogError) -> URL {
    var number = 1
    var folder = shared.appending(path: name)
    do throws(SystemError) {
      return try made.withLock { made throws(SystemError) in
        if try FileStatus(path: shared.path) == nil { made.insert(shared.path) }
        try PrivateFolder.create(shared.path)
        while true {
          do throws(SystemError) {
            try PrivateFolder.createNew(folder.path)
            return folder
          } catch {
            guard error.code == EEXIST else { throw error }
            number += 1
            folder = shared.appending(path: "\(name)-\(number)")
          }
        }
      }
    } catch {
      throw LogError(error, path: folder.path)
    }
  }

  /// Removes a folder with everything in it.
  static func remove(_ folder: URL) throws {
    try FileManager.default.removeItem(at: folder)
    let shared = folder.deletingLastPathComponent().path
    // It stays if another test has a folder in it.
    made.withLock { made in
      if made.contains(shared), unsafe rmdir(shared) == 0 { made.remove(shared) }
    }
  }
}
