import Foundation

/// A file of this process alone, written anew with each input.
public struct InputFile: Sendable {
  /// Where it is.
  public let path: String

  /// Names a file by what its name ends with.
  public init(_ ending: String) {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "flux-fuzz-\(ProcessInfo.processInfo.processIdentifier)\(ending)").path()
  }

  private init(path: String) { self.path = path }

  /// The path of the actions in flight of this log.
  public var inFlight: InputFile {
    let url = URL(filePath: path)
    return InputFile(
      path: url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).inflight")
        .path())
  }

  /// Writes the file.
  public func write(_ bytes: [UInt8]) {
    do {
      try Data(bytes).write(to: URL(filePath: path))
    } catch {
      preconditionFailure("cannot write \(path): \(error)")
    }
  }

  /// What is in it.
  public var bytes: [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      preconditionFailure("cannot read \(path): \(error)")
    }
  }

  /// Removes it, where it is there.
  public func remove() {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      preconditionFailure("cannot remove \(path): \(error)")
    }
  }
}
