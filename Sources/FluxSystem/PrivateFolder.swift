/// Folders that only the user can access.
package enum PrivateFolder {
  /// Creates the missing folders of a path, each for the user alone; existing ones stay as they are.
  ///
  /// - Throws: ``SystemError`` if a folder cannot be created, or if another user's link leads to it.
  package static func create(_ path: String) throws(SystemError) {
    try SymbolicLink.checkFolder(path)
    try createMissing(path)
  }

  private static func createMissing(_ path: String) throws(SystemError) {
    guard try FileStatus(path: path) == nil else { return }
    if let slash = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try createMissing(String(path[..<slash]))
    }
    do throws(SystemError) {
      try createNew(path)
    } catch {
      // Somebody else was faster; a planted link is no folder.
      guard error.code == EEXIST, try FileStatus(path: path, followsLinks: false)?.isFolder == true
      else { throw error }
    }
  }

  /// Creates one folder for the user alone.
  ///
  /// - Throws: ``SystemError`` with EEXIST if the path is taken, also by a link.
  package static func createNew(_ path: String) throws(SystemError) {
    guard unsafe mkdir(path, 0o700) == 0 else { throw SystemError(lastOf: "make") }
  }
}
