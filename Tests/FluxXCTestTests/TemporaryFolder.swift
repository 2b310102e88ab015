import Foundation

/// A folder that is there for the time of a test.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "flux-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      print("could not remove \(url.path): \(error)")
    }
  }

  func url(_ name: String) -> URL { url.appending(path: name) }

  /// What is in the folder, and in folders inside.
  func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
  }

  /// All files with what they hold.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try names() {
      let type = try FileManager.default.attributesOfItem(atPath: url(name).path)[.type]
      guard type as? FileAttributeType == .typeRegular else { continue }
      files[name] = try Data(contentsOf: url(name))
    }
    return files
  }
}
