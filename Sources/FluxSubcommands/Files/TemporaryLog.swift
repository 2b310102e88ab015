package import FluxInspector
import FluxJSON
import FluxSystem
import Foundation

/// A log in a separate temporary folder, which only the user can read.
///
/// The folder is removed with the last reference, or when the program ends, also by SIGTERM or SIGHUP.
package final class TemporaryLog: Sendable {
  private static let folders = Monitor<Set<String>>([])
  private static let advice = "TMPDIR names the folder of temporary files"

  package let path: String
  private let folder: String

  /// Creates the folder for a log of this name; the log in it does not exist yet.
  package init(_ name: String) throws(CommandError) {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "flux-inspect-\(UUID().uuidString)", directoryHint: .notDirectory)
      .path(percentEncoded: false)
    path = "\(folder)/\(name)"
    do throws(SystemError) {
      try PrivateFolder.create(folder)
    } catch {
      throw CommandError(
        .file, error.text(about: "the temporary folder \(folder)"), hint: Self.advice)
    }
    Self.folders.withLock { [folder] in _ = $0.insert(folder) }
  }

  deinit { Self.remove(folder) }

  /// Leaves the folder there for the user.
  package func keep() { _ = Self.folders.withLock { $0.remove(folder) } }

  /// Removes the folders of all logs that there still are.
  static func removeAll() {
    for folder in folders.withLock({ $0 }) { remove(folder) }
  }

  private static func remove(_ folder: String) {
    guard folders.withLock({ $0.remove(folder) }) != nil else { return }
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      // The system empties the folder of temporary files.
    }
  }

  /// Creates the log, and receives its bytes from `body`, piece by piece.
  ///
  /// - Throws: `CommandError` if they cannot be written, or are too many, and the errors of `body`.
  func fill(
    limit: TemporaryLimit, _ body: (@escaping (ArraySlice<UInt8>) throws -> Void) throws -> Void
  ) throws {
    let path = path
    func failure(_ error: SystemError) -> CommandError {
      CommandError(
        .file, error.text(about: "the temporary file \(path)"), hint: Self.advice)
    }
    let file: Descriptor
    do throws(SystemError) {
      file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    } catch {
      throw failure(error)
    }
    var (count, line) = (0, 1)
    try body { bytes in
      count += bytes.count
      guard count <= limit.byteCount else { throw limit.error(byteCount: count, line: line) }
      if let error = file.write(Array(bytes)).failure { throw failure(error) }
      line += bytes.count { $0 == UInt8(ascii: "\n") }
    }
  }
}

/// The largest size of a temporary file.
///
/// A few kilobytes of compressed data can make any number of gigabytes.
struct TemporaryLimit {
  let byteCount: Int
  /// The bytes that are free in the folder of temporary files, if they are the reason.
  private let freeByteCount: Int?

  /// Makes a limit: a number of bytes, or half of those that are free if that is less.
  init(_ byteCount: Int, free: Int) {
    self.byteCount = min(byteCount, free / 2)
    freeByteCount = free / 2 < byteCount ? free : nil
  }

  func error(byteCount found: Int, line: Int) -> CommandError {
    let size = "the log has \(found) bytes or more up to line \(line)"
    guard let freeByteCount else {
      return CommandError(
        .file, "\(size), and at most \(byteCount) are unpacked or copied to a temporary file",
        hint: "\(MemoryLimit.advice), or write the log to a file yourself, and open that")
    }
    return CommandError(
      .file,
      "\(size), and at most \(byteCount), half of the \(freeByteCount) free bytes, are put into a temporary file",
      hint: "TMPDIR names another folder of temporary files")
  }
}
