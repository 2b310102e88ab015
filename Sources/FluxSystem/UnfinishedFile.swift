import CPlatform
import Foundation

/// A new file next to its destination, which takes the destination's place when it is complete.
///
/// Life cycle: created empty under a name that nobody can predict, for the user alone, and locked. It is written,
/// and then published or discarded. A killed process leaves an unlocked file. The next file for the same
/// destination removes it.
package struct UnfinishedFile: Sendable {
  private static let ending = ".unfinished"

  package let path: String
  package let destination: String
  package let descriptor: Descriptor
  /// The permissions of the published file.
  private let permissions: mode_t

  /// Creates and locks the file, and removes those that killed processes left for the destination.
  ///
  /// - Parameters:
  ///   - destination: The path to publish at. A symbolic link there is replaced, and not followed.
  ///   - permissions: The permissions of the published file, by default for the user alone; `nil` for those that the
  ///     user's mask gives to any new file.
  /// - Throws: ``SystemError`` if the file cannot be created or locked, or if another user's link leads to its folder.
  package init(for destination: String, permissions: mode_t? = 0o600) throws(SystemError) {
    try SymbolicLink.checkFolder(SymbolicLink.folder(of: destination))
    let stem = Self.stem(of: destination)
    Self.removeLeftovers(of: stem)
    while true {
      let path = "\(stem).\(UInt64.random(in: 0 ... .max).hexDigits)\(Self.ending)"
      let descriptor: Descriptor
      do throws(SystemError) {
        descriptor = try Descriptor(
          opening: path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND,
          permissions: permissions == nil ? 0o644 : 0o600)
      } catch {
        guard error.code == EEXIST else { throw error }
        continue
      }
      // Before it was locked, another process may have removed it as left over.
      guard try descriptor.lock(), try descriptor.status().isLinked else { continue }
      self.path = path
      self.destination = destination
      self.descriptor = descriptor
      // Without a choice of the caller, the system has applied the user's mask.
      self.permissions =
        if let permissions { permissions } else { try descriptor.status().permissions }
      try descriptor.setPermissions(0o600)
      return
    }
  }

  /// Returns the beginning of the paths of unfinished files for a destination.
  ///
  /// A name that would become too long for a file is cut.
  private static func stem(of destination: String) -> String {
    let longestName = 255
    // The rest is a point, the digits and the ending.
    let room = longestName - 17 - ending.utf8.count
    let folder = SymbolicLink.folder(of: destination)
    var name = Substring(destination.utf8.dropFirst(folder.utf8.count))
    while name.utf8.count > room { name.removeLast() }
    return folder + name
  }

  /// Moves the file to its destination, or removes it if that fails.
  ///
  /// - Parameters:
  ///   - replacesExisting: `false` to fail with EEXIST if the destination has a file by now.
  ///   - isDurable: `true` to wait until the file and its name are on the disk.
  /// - Throws: ``SystemError`` of the operation that failed.
  package func publish(replacesExisting: Bool, isDurable: Bool = true) throws(SystemError) {
    do throws(SystemError) {
      try descriptor.setPermissions(permissions)
      if isDurable { try descriptor.synchronize() }
      try move(replacesExisting: replacesExisting)
      if isDurable { try synchronizeName() }
    } catch {
      discard()
      throw error
    }
  }

  /// Removes the file, unless it is published.
  package func discard() {
    // A file that cannot be removed is left over, and removed with the next one.
    unsafe unlink(path)
  }

  private func move(replacesExisting: Bool) throws(SystemError) {
    if !replacesExisting {
      // Unlike a rename, these never replace a file that was created meanwhile. Some file systems have neither, and
      // the sandbox of Apple's systems denies links.
      if unsafe flux_rename_exclusively(path, destination) == 0 { return }
      try checkIsUnsupported(SystemError(lastOf: "create"))
      if unsafe link(path, destination) == 0 { return discard() }
      try checkIsUnsupported(SystemError(lastOf: "create"))
      guard try FileStatus(path: destination) == nil else {
        throw SystemError("create", code: EEXIST)
      }
    }
    guard unsafe rename(path, destination) == 0 else { throw SystemError(lastOf: "rename") }
  }

  /// Throws an error other than that the system or the file system cannot do it.
  private func checkIsUnsupported(_ error: SystemError) throws(SystemError) {
    let codes = [EINVAL, EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK]
    guard codes.contains(error.code) else { throw error }
  }

  private func synchronizeName() throws(SystemError) {
    let folder = SymbolicLink.folder(of: destination)
    try Descriptor(opening: folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY)
      .synchronizeFolder()
  }
}

// MARK: Left-over files

extension UnfinishedFile {
  /// Removes the unlocked files whose paths begin with `stem`.
  private static func removeLeftovers(of stem: String) {
    let folder = SymbolicLink.folder(of: stem)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    } catch {
      // If the folder cannot be listed, the files stay.
      return
    }
    let prefix = "\(Substring(stem.utf8.dropFirst(folder.utf8.count)))."
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(ending) {
      guard isNumber(name.dropFirst(prefix.count).dropLast(ending.count)) else { continue }
      removeLeftover(folder + name)
    }
  }

  private static func isNumber(_ digits: Substring) -> Bool {
    digits.utf8.count == 16
      && digits.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  private static func removeLeftover(_ path: String) {
    do throws(SystemError) {
      let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard try file.status().isRegular, try file.lock() else { return }
      unsafe unlink(path)
    } catch {
      // A file that cannot be opened, or is gone, is not in the way.
    }
  }
}
