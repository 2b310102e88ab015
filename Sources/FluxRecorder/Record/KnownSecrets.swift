import FluxCore
import FluxJSON
import FluxLog

/// The texts of redacted values, which are also removed from the app's messages and marks.
///
/// They are kept in memory only. When there are more than ``limit``, the half that was not seen for
/// the longest time is dropped.
final class KnownSecrets: @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.
  private struct Entry {
    let token: String
    var lastMet: UInt64
  }

  static let limit = 4_096
  /// The minimum length in bytes; shorter secrets look like ordinary words and numbers.
  static let shortest = 4

  private let lock = Lock()
  // Secrets are replaced byte for byte, so canonically equivalent strings are different secrets.
  private var entries: [BytewiseName: Entry] = [:]
  private var meetings: UInt64 = 0

  func remember(_ text: String, token: @autoclosure () -> String) {
    guard text.utf8.count >= Self.shortest else { return }
    let text = BytewiseName(text)
    lock.withLock {
      meetings += 1
      guard entries[text] == nil else {
        entries[text]?.lastMet = meetings
        return
      }
      entries[text] = Entry(token: token(), lastMet: meetings)
      if entries.count > Self.limit { forgetHalf() }
    }
  }

  private func forgetHalf() {
    let times = entries.values.map(\.lastMet).sorted()
    let median = times[times.count / 2]
    entries = entries.filter { $0.value.lastMet >= median }
  }

  /// Returns a text with a token in place of each secret.
  ///
  /// This includes secrets that are escaped as in JSON or in a debug description.
  func redact(_ text: String) -> String {
    // Longer secrets first: a shorter one may be part of a longer one.
    let known = lock.withLock {
      entries.map { (Array($0.key.text.utf8), $0.key.text, $0.value.token) }
    }
    .sorted { $0.0.count > $1.0.count }
    var bytes = Array(text.utf8)
    for (secret, text, token) in known {
      bytes.replaceAll(secret, with: token.utf8)
      for escaped in Self.escapedForms(of: text) where escaped != secret {
        bytes.replaceAll(escaped, with: token.utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the escaped forms that a text can have between quotes.
  private static func escapedForms(of text: String) -> [[UInt8]] {
    [JSON(stringLiteral: text).text, text.debugDescription].map {
      Array($0.utf8.dropFirst().dropLast())
    }
  }
}

extension [UInt8] {
  /// Replaces every occurrence of a text, byte for byte.
  ///
  /// Comparing characters would miss a text that a combining accent follows.
  fileprivate mutating func replaceAll(_ text: [UInt8], with token: String.UTF8View) {
    guard let first = text.first, count >= text.count else { return }
    var place = startIndex
    while let found = self[place...].firstIndex(of: first), count - found >= text.count {
      guard self[found..<found + text.count].elementsEqual(text) else {
        place = found + 1
        continue
      }
      replaceSubrange(found..<found + text.count, with: token)
      place = found + token.count
    }
  }
}
