import FluxSystem
import Foundation

// A sidecar is written to a temporary file, which is renamed once it is complete. Each save uses a
// file of its own, because two can run at once. The file is locked while it is written. An unlocked
// file was left by a process that was killed.

extension Sidecar {
  private static let digitCount = 16

  /// Creates and locks the file that a sidecar is written to.
  static func unfinished(_ sidecar: String) throws(LogError) -> OpenFile {
    while true {
      let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
      let zeros = String(repeating: "0", count: digitCount - digits.count)
      let file = try OpenFile(creating: "\(sidecar).\(zeros)\(digits)")
      // Before it was locked, another process may have removed it as left over.
      if try file.lock(), try file.status().isLinked { return file }
    }
  }

  /// Removes the unfinished files that killed processes left beside a sidecar.
  static func removeLeftovers(of sidecar: String) {
    let url = URL(fileURLWithPath: sidecar)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(
        atPath: url.deletingLastPathComponent().path(percentEncoded: false))
    } catch {
      // If the folder cannot be listed, the files stay.
      return
    }
    let prefix = url.lastPathComponent + "."
    for name in names where name.hasPrefix(prefix) && isNumber(name.dropFirst(prefix.count)) {
      removeLeftover("\(sidecar).\(name.dropFirst(prefix.count))")
    }
  }

  /// `true` if a suffix is one of an unfinished file.
  private static func isNumber(_ digits: Substring) -> Bool {
    digits.utf8.count == digitCount
      && digits.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  private static func removeLeftover(_ path: String) {
    do throws(LogError) {
      let file = try OpenFile(reading: path)
      guard try file.lock() else { return }
      unsafe unlink(path)
    } catch {
      // A file that cannot be read, or is already gone, does not prevent saving.
    }
  }
}
