public import Foundation

/// A folder that is there for the time of a test: it is removed with the last reference to it.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes a folder of a new name.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "flux-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      print("could not remove \(url.path(percentEncoded: false)): \(error)")
    }
  }

  /// Where a file in it is, or would be.
  public func url(_ name: String) -> URL { url.appending(path: name) }

  /// The path of a file in it, or of one that is to be written.
  public func path(_ name: String) -> String { url(name).path(percentEncoded: false) }
}

extension TemporaryFolder {
  /// Writes a file, and tells its path.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: url(name))
    return path(name)
  }

  /// Writes a file, and tells its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(text.utf8, to: name)
  }

  /// Writes a file that can be run, and returns its path.
  ///
  /// Another process writes it. The ones that other tests start at the same time hold what this process writes until they run
  /// their programs, and a file that somebody can still write cannot be run ("Text file busy").
  @discardableResult
  public func writeExecutable(_ text: String, to name: String) throws -> String {
    let draft = try write(text, to: "\(name).draft")
    let copy = Process()
    copy.executableURL = URL(filePath: "/bin/cp")
    copy.arguments = [draft, path(name)]
    try copy.run()
    copy.waitUntilExit()
    try FileManager.default.removeItem(atPath: draft)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
    return path(name)
  }

  /// Writes a new file in place of the one with this name, and returns its path.
  ///
  /// A file that is written over goes to the disk as soon as it is closed, at least on ext4: milliseconds, and more
  /// on a busy disk. A new file costs microseconds. Use this in loops, unless the test has the old file open.
  @discardableResult
  public func replace(_ name: String, with bytes: some Sequence<UInt8>) throws -> String {
    let path = path(name)
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    return try write(bytes, to: name)
  }

  /// Writes at the end of a file.
  public func append(_ text: String, to name: String) throws {
    let file = try FileHandle(forWritingTo: url(name))
    defer { file.closeFile() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
  }

  /// What a file holds.
  public func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(name)))
  }

  /// What a file holds, as text.
  public func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }
}

extension TemporaryFolder {
  /// What is in the folder, and in folders inside.
  public func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path("")).sorted()
  }

  /// All files with what they hold.
  public func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try names()
    where try attributes(of: name)[.type] as? FileAttributeType == .typeRegular {
      files[name] = try Data(contentsOf: url(name))
    }
    return files
  }

  /// The bits of permission of a file or folder.
  public func permissions(of name: String) throws -> Int? {
    try attributes(of: name)[.posixPermissions] as? Int
  }

  private func attributes(of name: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(atPath: path(name))
  }
}

extension URL {
  /// The file with the actions in flight of the log at this URL.
  public var inFlight: URL {
    deletingLastPathComponent().appending(path: ".\(lastPathComponent).inflight")
  }
}
