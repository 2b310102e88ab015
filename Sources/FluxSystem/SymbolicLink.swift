/// The rule for symbolic links at a path that a user named.
///
/// In a folder that everybody may write to, such as `/tmp`, anybody can plant a link under a name that somebody else is
/// about to write. A link there is followed only if it belongs to the user or to the owner of the folder. Linux applies
/// this rule to opening (`protected_symlinks`), but not to reading a link and writing next to its target, and an
/// administrator can turn it off. So this checks the links itself, at the end of a path and among its folders.
package enum SymbolicLink {
  /// More links than the system itself follows.
  private static let mostLinks = 64

  /// Returns the path at the end of the links at `path`, if each may be followed; `path` itself if there is no link.
  ///
  /// - Throws: ``SystemError`` with EACCES for a link that may be planted, and with ELOOP for a circle.
  package static func target(of path: String) throws(SystemError) -> String {
    var path = path
    for _ in 0..<mostLinks {
      try checkFolder(folder(of: path))
      guard let link = try FileStatus(path: path, followsLinks: false), link.isSymbolicLink else {
        return path
      }
      let folder = folder(of: path)
      guard try mayFollow(link, in: FileStatus(path: folder.isEmpty ? "." : folder)) else {
        throw SystemError("follow the link of another user at", code: EACCES)
      }
      let target = try destination(of: path)
      path = target.hasPrefix("/") ? target : folder + target
    }
    throw SystemError("open", code: ELOOP)
  }

  /// Checks that each link at or on the way to a folder may be followed; folders that do not exist yet are fine.
  ///
  /// - Throws: ``SystemError`` with EACCES for a link that may be planted, and with ELOOP for a circle.
  package static func checkFolder(_ path: String) throws(SystemError) {
    var folder = path.hasPrefix("/") ? "/" : ""
    var names = Self.names(in: path)
    var linkCount = 0
    while let name = names.popLast() {
      let place = folder + name
      guard let status = FileStatus.known(at: place, followsLinks: false) else { return }
      guard status.isSymbolicLink else {
        folder = place + "/"
        continue
      }
      linkCount += 1
      guard linkCount <= mostLinks else { throw SystemError("open", code: ELOOP) }
      guard try mayFollow(status, in: FileStatus(path: folder.isEmpty ? "." : folder)) else {
        throw SystemError("follow the link of another user at", code: EACCES)
      }
      let target = try destination(of: place)
      if target.hasPrefix("/") { folder = "/" }
      names += Self.names(in: target)
    }
  }

  /// Returns the names in a path, the last one first.
  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { String(Substring($0)) }
  }

  private static func mayFollow(_ link: FileStatus, in folder: FileStatus?) -> Bool {
    guard let folder, folder.permissions & mode_t(S_IWOTH) != 0 else { return true }
    return link.owner == geteuid() || link.owner == folder.owner
  }

  /// Returns the folder of a path with its slash; empty if the path is only a name.
  package static func folder(of path: String) -> String {
    // A slash and a combining mark after it are one Character.
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(path.utf8[...$0])) } ?? ""
  }

  private static func destination(of link: String) throws(SystemError) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    // The system writes no more than the array has, and no zero.
    let count = unsafe readlink(link, &bytes, bytes.count)
    guard count >= 0 else { throw SystemError(lastOf: "read") }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
