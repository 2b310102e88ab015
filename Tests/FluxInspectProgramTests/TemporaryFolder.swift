import Foundation

/// A folder that is removed with its last reference.
final class TemporaryFolder: Sendable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(
      path: "flux-inspect-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      print("could not remove \(url.path()): \(error)")
    }
  }

  func url(_ name: String) -> URL { url.appending(path: name) }

  func path(_ name: String) -> String { url(name).path() }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }

  func append(_ text: String, to name: String) throws {
    let file = try FileHandle(forWritingTo: url(name))
    defer { file.closeFile() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
  }

  /// The bits of permission of a file.
  func permissions(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }
}
