import Foundation
import Harness

/// What all suites measure under.
struct Conditions {
  /// Whether smaller inputs are taken and fewer samples.
  let isQuick: Bool
  /// What all inputs are generated from.
  let seed: UInt64
  /// Where inputs that take long to generate are kept.
  let folder: URL

  static let usualSeed: UInt64 = 20_261_120

  var sampling: Sampling { isQuick ? .quick : .thorough }

  /// The larger number, unless there is little time.
  func scale(_ number: Int, quick: Int) -> Int { isQuick ? quick : number }

  /// Returns the file of the name, which is made where there is none yet.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - make: Makes the file at the address that it is given.
  /// - Returns: The file's address.
  /// - Throws: What `make` throws, and what the file system says.
  func file(_ name: String, _ make: (URL) throws -> Void) throws -> URL {
    let url = folder.appending(path: name)
    guard !FileManager.default.fileExists(atPath: url.filePath) else { return url }
    // A run that is ended half way leaves no file that looks finished.
    let unfinished = folder.appending(path: "unfinished-\(name)")
    try make(unfinished)
    try FileManager.default.moveItem(at: unfinished, to: url)
    return url
  }

  /// A file that nothing is kept in.
  func scratch(_ name: String) -> URL { folder.appending(path: "scratch-\(name)") }
}

extension URL {
  /// The path as the file system has it.
  var filePath: String { path(percentEncoded: false) }

  /// The size of the file, in bytes.
  func byteCount() throws -> Int {
    let size = try FileManager.default.attributesOfItem(atPath: filePath)[.size] as? Int
    guard let size else { throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: self]) }
    return size
  }
}
