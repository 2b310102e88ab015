package import FluxInspector
import FluxJSON
package import FluxSystem
import Foundation

/// The files of the machine.
package struct SystemFiles: FileService {
  private let limit: Int

  /// - Parameter limit: The bytes that a file with commands or rules may have.
  package init(limit: Int = MemoryLimit.standard.commandFileByteCount) { self.limit = limit }

  package func read(_ path: String) throws(CommandError) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Descriptor(openingAtOnce: path.expandingHome, O_RDONLY).read(upTo: limit + 1)
    } catch {
      throw CommandError(error, "cannot read \(path)")
    }
    guard bytes.count <= limit else { throw tooLong(path, bytes) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.file, "cannot read \(path): it is not UTF-8")
    }
    return text
  }

  private func tooLong(_ path: String, _ beginning: [UInt8]) -> CommandError {
    var size = "more than \(limit)"
    // A file that was removed meanwhile has none; the bytes that were read tell enough.
    if let status = FileStatus.known(at: path.expandingHome), status.isRegular {
      size = "\(status.byteCount)"
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
    let file = try naming(path) { () throws(SystemError) in
      try OutputFile(path.expandingHome, replacesExisting: replacesExisting)
    }
    do {
      try body { bytes in try naming(path) { () throws(SystemError) in try file.write(bytes) } }
    } catch {
      file.abandon()
      throw error
    }
    try naming(path) { () throws(SystemError) in try file.finish() }
  }

  /// Calls `body`, and turns its error into one that names the file.
  private func naming<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(CommandError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      switch error.code {
      case EEXIST: throw CommandError.exists(path)
      case ENXIO:
        throw CommandError(
          .file, "cannot write \(path): nobody reads from it",
          hint: "start the program that reads it first")
      default: throw CommandError(error, "cannot write \(path)")
      }
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
      .map { folder + $0 + (FileStatus.isFolder(at: "\(place)/\($0)") ? "/" : "") }
  }

  package func exists(_ path: String) -> Bool {
    FileStatus.known(at: path.expandingHome).map { $0.isRegular || $0.isFolder } ?? false
  }

  package func isSameFile(_ path: String, _ other: String) -> Bool {
    guard let file = FileStatus.known(at: path.expandingHome) else { return false }
    return FileStatus.known(at: other.expandingHome)?.identity == file.identity
  }
}

extension String {
  /// The path with `~` for the user's home.
  var expandingHome: String {
    guard self == "~" || hasPrefix("~/") else { return self }
    guard let home = ProcessInfo.processInfo.environment.baseFolder("HOME") else { return self }
    return home + dropFirst()
  }
}

extension CommandError {
  /// Makes the error of a call of the system: what could not be done, and why.
  package init(_ error: SystemError, _ what: String) {
    self.init(.file, "\(what): \(systemMessage(error.code))")
  }

  /// Makes the error of a call of the system that concerns a file.
  package init(_ error: SystemError, at path: String) {
    self.init(.file, error.text(about: path))
  }
}
