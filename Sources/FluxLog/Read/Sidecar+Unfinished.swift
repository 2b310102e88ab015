import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// A sidecar is written to a file beside its place, which takes that place once it is whole. Two that save at once
// must not meet, so that each has a file of its own. The file is locked while it is written: one that nobody has
// locked was left by a process that was killed.

extension Sidecar {
  private static let digitCount = 16

  /// Makes the file that a sidecar is written to, and locks it.
  static func unfinished(_ sidecar: String) throws(LogError) -> OpenFile {
    while true {
      let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
      let zeros = String(repeating: "0", count: digitCount - digits.count)
      let file = try OpenFile(creating: "\(sidecar).\(zeros)\(digits)")
      // Before it was locked, another may have taken it for one that was left.
      if try file.lock(), try file.status().isLinked { return file }
    }
  }

  /// Removes what processes that were killed have left of a sidecar.
  static func removeLeftovers(of sidecar: String) {
    let url = URL(fileURLWithPath: sidecar)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(
        atPath: url.deletingLastPathComponent().path(percentEncoded: false))
    } catch {
      // Where the folder cannot be listed, they stay.
      return
    }
    let prefix = url.lastPathComponent + "."
    for name in names where name.hasPrefix(prefix) && isNumber(name.dropFirst(prefix.count)) {
      removeLeftover("\(sidecar).\(name.dropFirst(prefix.count))")
    }
  }

  /// Whether a name ends as those of the files that are written to.
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
      // One that cannot be read, or that is gone by now, keeps nobody from saving.
    }
  }
}
