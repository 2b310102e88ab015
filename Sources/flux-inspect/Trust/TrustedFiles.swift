import FluxInspector
import FluxSubcommands
import FluxSystem

/// The project files that the user trusts.
///
/// Each has a file in the folder for what lasts between sessions. Its name is the SHA-256 of path and content, so a file
/// that changes or moves is not trusted; it contains the path.
struct TrustedFiles {
  private let folder: String

  init(_ environment: [String: String]) { folder = UserFolders(environment).trusted }

  func contains(_ file: ProjectFile) -> Bool {
    do throws(SystemError) {
      let status = try FileStatus(path: mark(of: file), followsLinks: false)
      return status.map { $0.isRegular && $0.owner == geteuid() } ?? false
    } catch {
      // Without a mark that can be examined, the file is not trusted.
      return false
    }
  }

  /// Trusts a file as it is now.
  ///
  /// - Throws: `CommandError` if that cannot be written down.
  func insert(_ file: ProjectFile) throws(CommandError) {
    let path = mark(of: file)
    do throws(SystemError) {
      try PrivateFolder.create(folder)
      let mark = try UnfinishedFile(for: path)
      if let failure = mark.descriptor.write(Array("\(file.path)\n".utf8)).failure {
        mark.discard()
        throw failure
      }
      try mark.publish(replacesExisting: true)
    } catch {
      throw CommandError(error, at: path)
    }
  }

  /// Withdraws the trust in a file; returns `false` if it was not trusted.
  ///
  /// - Throws: `CommandError` if that cannot be written down.
  func remove(_ file: ProjectFile) throws(CommandError) -> Bool {
    guard contains(file) else { return false }
    let path = mark(of: file)
    guard unsafe unlink(path) == 0 else {
      throw CommandError(SystemError(lastOf: "remove"), at: path)
    }
    return true
  }

  private func mark(of file: ProjectFile) -> String {
    let sum = SHA256.sum(Array(file.path.utf8) + [0] + Array(file.text.utf8))
    return "\(folder)/\(Hexadecimal.text(sum[...]))"
  }
}
