import ArgumentParser
import FluxInspector
import FluxSystem

/// A new file that takes its place when it is complete, so a failure leaves the old file as it was.
///
/// A pipe, a terminal or any other file that is not a regular one is written directly. A link stays one if it may be
/// followed: see `SymbolicLink`. A new file has the permissions that the user's mask gives, because the user named it to
/// have a report or an export of the log.
struct OutputFile {
  private let descriptor: Descriptor
  /// The file until it takes its place; nil if it is written directly.
  private let unfinished: UnfinishedFile?
  private let replacesExisting: Bool

  /// Creates the file.
  ///
  /// - Throws: `SystemError`: with EEXIST if there is a regular one or a folder that must not be replaced, and with ENXIO
  ///   if it is a pipe that nobody reads from.
  init(_ path: String, replacesExisting: Bool) throws(SystemError) {
    let status = try FileStatus(path: path)
    let isReplaced = status.map { $0.isRegular || $0.isFolder } ?? false
    guard !isReplaced || replacesExisting else { throw SystemError("create", code: EEXIST) }
    self.replacesExisting = replacesExisting
    if let status, !status.isRegular {
      descriptor = try Descriptor(openingAtOnce: path, O_WRONLY | O_TRUNC)
      unfinished = nil
      return
    }
    let file = try UnfinishedFile(
      for: SymbolicLink.target(of: path), permissions: status.map(\.permissions))
    (descriptor, unfinished) = (file.descriptor, file)
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    if let failure = descriptor.write(bytes).failure { throw failure }
  }

  /// Moves the file to its place once it is on the disk, or removes it if that fails.
  ///
  /// - Throws: `SystemError`, with EEXIST if there is one by now that must not be replaced.
  func finish() throws(SystemError) {
    try unfinished?.publish(replacesExisting: replacesExisting)
  }

  func abandon() { unfinished?.discard() }

  /// Refuses `-` as the file of an option.
  ///
  /// - Throws: `ValidationError` that names the option.
  static func validate(_ path: String?, of option: String) throws {
    guard let path, let problem = CommandError.notFile(path) else { return }
    throw ValidationError("\(option): \(problem.message)")
  }
}

extension Descriptor {
  /// Opens a file without waiting for the other end of a pipe, because Ctrl-C would not end such a wait.
  ///
  /// Reads and writes wait as usual.
  ///
  /// - Throws: ``SystemError``, with ENXIO if nobody reads from a pipe that is opened for writing.
  convenience init(openingAtOnce path: String, _ flags: Int32) throws(SystemError) {
    try self.init(opening: path, flags | O_NONBLOCK)
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags & ~O_NONBLOCK) >= 0 else {
      throw SystemError(lastOf: "open")
    }
  }
}
