package import FluxInspector
import Foundation
import SystemPackage

/// The files of the machine.
package struct SystemFiles: FileService {
  package init() {}

  package func read(_ path: String) throws(CommandError) -> String {
    let bytes: [UInt8]
    do {
      let descriptor = try FileDescriptor.openAtOnce(path.expandingHome, .readOnly)
      bytes = try descriptor.closeAfter { try descriptor.readAll() }
    } catch {
      throw CommandError(.file, "cannot read \(path): \(error.reason)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.file, "cannot read \(path): it is not UTF-8")
    }
    return text
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

  /// Does something with a file, and says which file it is where that fails.
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
          atPath: URL(fileURLWithPath: place).appending(path: name).path, isDirectory: &isFolder)
        return folder + name + (isFolder.boolValue ? "/" : "")
      }
  }

  package func isSameFile(_ path: String, _ other: String) -> Bool {
    func identity(_ path: String) -> [NSNumber]? {
      do {
        let attributes = try FileManager.default.attributesOfItem(
          atPath: URL(fileURLWithPath: path.expandingHome).resolvingSymlinksInPath().path)
        return [.systemNumber, .systemFileNumber].compactMap { attributes[$0] as? NSNumber }
      } catch {
        // What is not there is no other file either.
        return nil
      }
    }
    return identity(path).map { $0 == identity(other) } ?? false
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
