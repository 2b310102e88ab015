import FluxSystem
import SystemPackage

/// A new file that takes its place when it is complete, so a failure leaves the old file as it was.
///
/// A pipe, a terminal or any other file that is not a regular one is written directly. A link stays one if it may be
/// followed: see `SymbolicLink`. A new file has the permissions that the user's mask gives, because the user named it to
/// have a report or an export of the log.
struct OutputFile {
  private enum Target {
    case direct(FileDescriptor)
    case unfinished(UnfinishedFile)
  }

  private let target: Target
  private let replacesExisting: Bool

  /// Creates the file.
  ///
  /// - Throws: `Errno`: `fileExists` if there is a regular one or a folder that must not be replaced, and `noSuchAddressOrDevice` if it is
  ///   a pipe that nobody reads from.
  init(_ path: String, replacesExisting: Bool) throws(Errno) {
    let status = try Self.status(of: path)
    let isReplaced = status.map { $0.isRegular || $0.isFolder } ?? false
    guard !isReplaced || replacesExisting else { throw .fileExists }
    self.replacesExisting = replacesExisting
    if let status, !status.isRegular {
      target = .direct(try Self.unwrap { try .openAtOnce(path, .writeOnly, .truncate) })
      return
    }
    target = .unfinished(
      try Self.unwrap {
        try UnfinishedFile(
          for: SymbolicLink.target(of: path), permissions: status.map(\.permissions))
      })
  }

  /// Appends bytes.
  ///
  /// - Throws: `Errno`.
  func write(_ bytes: [UInt8]) throws {
    switch target {
    case .direct(let descriptor): try descriptor.writeAll(bytes)
    case .unfinished(let file):
      if let failure = file.descriptor.write(bytes).failure { throw Errno(rawValue: failure.code) }
    }
  }

  /// Moves the file to its place once it is on the disk, or removes it if that fails.
  ///
  /// - Throws: `Errno`, `fileExists` if there is one by now that must not be replaced.
  func finish() throws(Errno) {
    try Self.unwrap {
      switch target {
      case .direct(let descriptor): try descriptor.close()
      case .unfinished(let file): try file.publish(replacesExisting: replacesExisting)
      }
    }
  }

  func abandon() {
    switch target {
    case .direct(let descriptor): descriptor.closeQuietly()
    case .unfinished(let file): file.discard()
    }
  }
}

extension OutputFile {
  /// The status of the file at a path, or at the end of its links; `nil` if there is none.
  private static func status(of path: String) throws(Errno) -> FileStatus? {
    try unwrap { try FileStatus(path: path) }
  }

  /// Calls `body`, and throws its errors as those of the system.
  private static func unwrap<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
    do {
      return try body()
    } catch let error as SystemError {
      throw Errno(rawValue: error.code)
    } catch {
      // The library's calls throw nothing else, and do not say so.
      throw error as? Errno ?? .ioError
    }
  }
}
