package import FluxInspector
import FluxJSON
import FluxSystem
import Foundation
import SystemPackage

/// The files of the machine.
package struct SystemFiles: FileService {
  private let limit: Int

  /// - Parameter limit: The bytes that a file with commands or rules may have.
  package init(limit: Int = MemoryLimit.standard.scriptByteCount) { self.limit = limit }

  package func read(_ path: String) throws(CommandError) -> String {
    let bytes: [UInt8]
    do {
      let descriptor = try FileDescriptor.openAtOnce(path.expandingHome, .readOnly)
      bytes = try descriptor.closeAfter { try descriptor.read(upTo: limit + 1) }
    } catch {
      throw CommandError(.file, "cannot read \(path): \(error.reason)")
    }
    guard bytes.count <= limit else { throw tooLong(path, bytes) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.file, "cannot read \(path): it is not UTF-8")
    }
    return text
  }

  private func tooLong(_ path: String, _ beginning: [UInt8]) -> CommandError {
    var size = "more than \(limit)"
    do throws(SystemError) {
      if let status = try FileStatus(path: path.expandingHome), status.isRegular {
        size = "\(status.byteCount)"
      }
    } catch {
      // The file was removed meanwhile; the bytes that were read tell enough.
    }
    let line = beginning.count { $0 == UInt8(ascii: "\n") } + 1
    return CommandError(
      .usage,
      "\(path) has \(size) bytes, and at most \(limit) of commands or rules are read, which end in line \(line)",
      hint: MemoryLimit.advice)
  }

  package func write(
    _ path: String, log: String, replacesExisting: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try protect(log, from: path)
    let file = try naming(path) {
      try OutputFile(path.expandingHome, replacesExisting: replacesExisting)
    }
    do {
      try body { bytes in try naming(path) { try file.write(bytes) } }
    } catch {
      file.abandon()
      throw error
    }
    try naming(path) { try file.finish() }
  }

  /// Calls `body`, and turns its error into one that names the file.
  private func naming<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(CommandError) -> Result {
    do {
      return try body()
    } catch Errno.fileExists {
      throw CommandError.exists(path)
    } catch Errno.noSuchAddressOrDevice {
      throw CommandError(
        .file, "cannot write \(path): nobody reads from it",
        hint: "start what is to read from it first")
    } catch {
      throw CommandError(.file, "cannot write \(path): \(error.reason)")
    }
  }

  package func completions(of prefix: String) -> [String] {
    let slash = prefix.lastIndex(of: "/")
    let folder = slash.map { String(prefix[...$0]) } ?? ""
    let start = slash.map { prefix[prefix.index(after: $0)...] } ?? prefix[...]
    let place = folder.isEmpty ? "." : folder.expandingHome
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: place)
    } catch {
      // A folder that cannot be listed completes nothing.
      return []
    }
    return names.filter { $0.hasPrefix(start) && (!$0.hasPrefix(".") || start.hasPrefix(".")) }
      .sorted()
      .map { name in
        var isFolder: ObjCBool = false
        // The flag is a local that outlives the call.
        _ = unsafe FileManager.default.fileExists(
          atPath: "\(place)/\(name)", isDirectory: &isFolder)
        return folder + name + (isFolder.boolValue ? "/" : "")
      }
  }

  package func exists(_ path: String) -> Bool {
    do throws(SystemError) {
      guard let file = try FileStatus(path: path.expandingHome) else { return false }
      return file.isRegular || file.isFolder
    } catch {
      // Writing to it fails with the reason.
      return false
    }
  }

  package func isSameFile(_ path: String, _ other: String) -> Bool {
    do throws(SystemError) {
      guard let file = try FileStatus(path: path.expandingHome) else { return false }
      return try FileStatus(path: other.expandingHome)?.place == file.place
    } catch {
      // A file that cannot be examined is not known to be the same.
      return false
    }
  }
}

extension FileDescriptor {
  /// Opens a file without waiting for the other end of a pipe, because Ctrl-C would not end such a wait.
  ///
  /// Reads and writes wait as usual.
  ///
  /// - Throws: `Errno`; `noSuchAddressOrDevice` if nobody reads from a pipe that is opened for writing.
  static func openAtOnce(
    _ path: String, _ mode: AccessMode, _ options: OpenOptions = []
  ) throws -> FileDescriptor {
    let descriptor = try open(
      FilePath(path), mode, options: options.union([.nonBlocking, .closeOnExec]))
    let flags = fcntl(descriptor.rawValue, F_GETFL)
    guard flags >= 0, fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK) >= 0 else {
      let error = Errno(rawValue: errno)
      descriptor.closeQuietly()
      throw error
    }
    return descriptor
  }

  /// Reads to the end, or until there are `limit` bytes.
  ///
  /// - Throws: `Errno`.
  func read(upTo limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      // The system writes no more than the array has.
      let count = try unsafe part.withUnsafeMutableBytes { try unsafe read(into: $0) }
      guard count > 0 else { break }
      bytes += part.prefix(min(count, limit - bytes.count))
    }
    return bytes
  }

  /// Closes a descriptor whose last writes do not matter.
  func closeQuietly() {
    do { try close() } catch {
      // It is closed all the same.
    }
  }
}

extension String {
  /// The path with `~` for the user's home.
  var expandingHome: String {
    guard self == "~" || hasPrefix("~/") else { return self }
    guard let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty else { return self }
    return home + dropFirst()
  }
}

extension Error {
  /// The reason, in the words of the system.
  fileprivate var reason: String { (self as? Errno)?.description ?? localizedDescription }
}
