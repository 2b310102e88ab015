import FluxInspector
import FluxSubcommands
import FluxSystem

/// The project files that the user trusts.
///
/// Each has a file in the folder for what lasts between sessions. Its name is the SHA-256 of the path, so a file that
/// moves is not trusted, and only the content that was trusted last is. It contains the SHA-256 of that content, and the
/// path.
struct TrustedFiles {
  /// The folder; nil if the environment names none, and then no file is trusted.
  private let folder: String?

  init(_ environment: [String: String]) { folder = UserFolders(environment).trusted }

  func contains(_ file: ProjectFile) -> Bool {
    do {
      let mark = try mark(of: file.path)
      guard let status = try FileStatus(path: mark, followsLinks: false), status.isRegular,
        status.owner == geteuid()
      else { return false }
      return try SystemFiles().read(mark) == Self.text(of: file)
    } catch {
      // Without a mark that can be read, the file is not trusted.
      return false
    }
  }

  /// Trusts a file as it is now, and not as it was before.
  ///
  /// - Throws: `CommandError` if that cannot be written down.
  func insert(_ file: ProjectFile) throws(CommandError) {
    let path = try mark(of: file.path)
    do throws(SystemError) {
      try PrivateFolder.create(SymbolicLink.folder(of: path))
      let mark = try UnfinishedFile(for: path)
      if let failure = mark.descriptor.write(Array(Self.text(of: file).utf8)).failure {
        mark.discard()
        throw failure
      }
      try mark.publish(replacesExisting: true)
    } catch {
      throw CommandError(error, at: path)
    }
  }

  /// Withdraws the trust in the file with a real path, whatever its content is; returns `false` if none was trusted.
  ///
  /// - Throws: `CommandError` if that cannot be written down.
  func remove(_ file: String) throws(CommandError) -> Bool {
    let path = try mark(of: file)
    guard unsafe unlink(path) != 0 else { return true }
    let error = SystemError(lastOf: "remove")
    guard error.code == ENOENT else { throw CommandError(error, at: path) }
    return false
  }

  private func mark(of file: String) throws(CommandError) -> String {
    guard let folder else {
      throw CommandError(
        .file, "there is no place for the mark of a trusted file",
        hint: "set HOME to the path of your home folder")
    }
    return "\(folder)/\(Self.sum(file))"
  }

  private static func text(of file: ProjectFile) -> String { "\(sum(file.text)) \(file.path)\n" }

  private static func sum(_ text: String) -> String {
    Hexadecimal.text(SHA256.sum(Array(text.utf8))[...])
  }
}
