/// The files that commands read and write.
public protocol FileService: Sendable {
  /// Reads a text file.
  ///
  /// - Throws: ``CommandError`` that names the file and says what is wrong with it.
  func read(_ path: String) throws(CommandError) -> String

  /// Writes a file anew.
  ///
  /// - Parameters:
  ///   - path: The file. It must not be `log`, by whatever name: a recording is never overwritten.
  ///   - log: The log that the session looks at.
  ///   - replacesExisting: Whether a file that is there already is overwritten.
  ///   - body: Is given what takes the bytes, piece by piece.
  /// - Throws: ``CommandError`` that names the file, and what `body` throws.
  func write(
    _ path: String, log: String, replacesExisting: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws

  /// Whether two paths lead to one file, by links too.
  func isSameFile(_ path: String, _ other: String) -> Bool

  /// The paths of files that begin with the text; folders end with `/`.
  func completions(of prefix: String) -> [String]
}

extension FileService {
  /// Refuses a file that is the log itself, which is never overwritten.
  package func protect(_ log: String, from path: String) throws(CommandError) {
    guard isSameFile(path, log) else { return }
    throw CommandError(.file, "\(path) is the log itself, which is never written")
  }
}

/// No files at all.
struct NoFiles: FileService {
  private func refusal(_ path: String) -> CommandError {
    CommandError(.file, "cannot open \(path): there are no files here")
  }

  func read(_ path: String) throws(CommandError) -> String { throw refusal(path) }

  func write(
    _ path: String, log: String, replacesExisting: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws { throw refusal(path) }

  func isSameFile(_ path: String, _ other: String) -> Bool { path == other }

  func completions(of prefix: String) -> [String] { [] }
}
