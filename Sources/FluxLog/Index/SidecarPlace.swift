import FluxSystem

/// The files in which the index of a log may be saved.
///
/// That is `<log>.idx`. If no file can be created beside the log, it is a file in a folder for caches, whose name has
/// a hash of the log's real path. The name only finds the file: both are trusted by the same rules.
struct SidecarPlace {
  let log: OpenFile
  /// The folder for indexes that cannot be beside their logs; nil if there is none.
  let cache: String?

  /// The path beside the log.
  var beside: String { LogFileNames.indexPath(of: log.path) }

  /// The path in the cache; nil if there is no cache, or if the log's real path is unknown.
  var cached: String? {
    guard let cache else { return nil }
    do throws(SystemError) {
      return "\(cache)/\(Self.name(ofLogAt: try RealPath.of(log.storedPath)))"
    } catch {
      return nil
    }
  }

  /// Both paths, in the order in which they are tried.
  var paths: [String] { [beside] + (cached.map { [$0] } ?? []) }

  /// Returns the name of the index in the cache: `todo.jsonl-9ae16a3b2f90404f.idx`.
  static func name(ofLogAt realPath: String) -> String {
    // FNV-1a. If two paths share a hash, they replace each other's index, which is found out by its contents.
    let hash = realPath.utf8.reduce(into: UInt64(0xcbf2_9ce4_8422_2325)) { hash, byte in
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.utf8.count)
    // A name has at most 255 bytes, and a file that is being written has 28 more.
    var stem = realPath.split(separator: "/").last ?? ""
    while stem.utf8.count > 160 { stem.removeLast() }
    return LogFileNames.indexPath(of: "\(stem)-\(zeros)\(digits)")
  }

  /// Creates the file that replaces the index: beside the log, or else in the cache.
  func replacement() throws(LogError) -> ReplacementFile {
    do throws(LogError) {
      return try ReplacementFile(for: beside, permissions: log.status().permissions)
    } catch {
      guard error.isAboutFolder, let cache, let cached else { throw error }
      do throws(SystemError) {
        try PrivateFolder.create(cache)
      } catch {
        throw LogError(error, path: cache)
      }
      return try ReplacementFile(for: cached, permissions: 0o600)
    }
  }
}

extension LogError {
  /// `true` if the folder of a file takes no new file of that name, for example because it is read-only.
  fileprivate var isAboutFolder: Bool {
    guard case .system(_, let code) = reason else { return false }
    return [EACCES, EPERM, EROFS, ENAMETOOLONG].contains(code)
  }
}

/// The user's switch for saved indexes: the variable `FLUX_INDEX` of the environment.
package enum IndexSwitch {
  /// The name of the variable.
  package static let variable = "FLUX_INDEX"

  /// `false` if the variable is `off` or `0`.
  package static var isOn: Bool {
    // The text belongs to the environment, and is copied at once.
    guard let value = unsafe getenv(variable) else { return true }
    return isOn(unsafe String(cString: value))
  }

  static func isOn(_ value: String) -> Bool { !["off", "0"].contains(value) }
}
