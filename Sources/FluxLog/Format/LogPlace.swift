/// The file with the bytes of a log, if that is not the file that the user named.
///
/// A compressed log is read from a decompressed copy. Messages and results name the log as the user did.
package struct LogPlace: Sendable {
  /// The path that the user named.
  package let path: String
  /// The path of the file to read.
  package let storedPath: String
  /// The owner of the stored file, which exists as long as its owner.
  private let owner: (any AnyObject & Sendable)?

  /// Makes the place of a log that is stored where the user says.
  package init(_ path: String) {
    (self.path, storedPath, owner) = (path, path, nil)
  }

  /// Makes the place of a log that is stored in another file, which `owner` keeps.
  package init(_ path: String, storedAt storedPath: String, keptBy owner: any AnyObject & Sendable)
  {
    (self.path, self.storedPath, self.owner) = (path, storedPath, owner)
  }

  /// `true` if the log is read from another file than the one that the user named.
  package var isElsewhere: Bool { owner != nil }
}
