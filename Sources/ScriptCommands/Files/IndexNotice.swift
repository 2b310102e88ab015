import FluxLog
import FluxSystem
import Foundation
import SystemPackage

/// The note about index files, which each user sees once, at a terminal.
package struct IndexNotice {
  private let folder: String
  private let isWanted: Bool

  /// Makes a notice.
  ///
  /// - Parameters:
  ///   - environment: The environment, which says where the user's files are. In CI nobody reads the note.
  ///   - isTerminal: `true` if standard error goes to a terminal.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    isTerminal: Bool = isatty(2) == 1
  ) {
    folder = UserFolders(environment).state
    isWanted = isTerminal && environment["CI", default: ""].isEmpty
  }

  /// Returns the note, if this process has written index files and the user has never seen it.
  ///
  /// A file in the user's folder remembers that. Without that file there is no note: it would come again and again.
  package func take(for paths: [String] = LogFile.savedIndexes) -> String? {
    guard isWanted, let path = paths.first else { return nil }
    do throws(SystemError) {
      try PrivateFolder.create(folder)
      _ = try Descriptor(opening: "\(folder)/index-note", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    } catch {
      return nil
    }
    return """
      note: wrote \(path.printable), an index with which this large log opens faster; \
      \(IndexSwitch.variable)=off turns indexes off (this note appears once)
      """
  }

  /// Writes the note to standard error, if it is due.
  func write() {
    guard let note = take() else { return }
    do {
      try FileDescriptor.standardError.writeAll("\(note)\n".utf8)
    } catch {
      // The note is not a result.
    }
  }
}
