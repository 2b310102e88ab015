import FluxCore
import FluxLog

/// The texts of redacted values, which are also removed from payloads, messages, marks and labels.
///
/// They are kept in memory only. When there are more than a limit, the half that was not seen for the
/// longest time is dropped.
final class KnownSecrets: @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.
  private let limit: Int
  private let lock = Lock()
  // Secrets are replaced byte for byte, so canonically equivalent strings are different secrets.
  private var lastMeetings: [BytewiseName: UInt64] = [:]
  private var index = SecretIndex()
  private var meetings: UInt64 = 0

  init(limit: Int = 4_096) { self.limit = limit }

  func remember(_ text: String, token: @autoclosure () -> String) {
    guard text.utf8.count >= SecretForms.shortest else { return }
    let name = BytewiseName(text)
    lock.withLock {
      meetings += 1
      guard lastMeetings.updateValue(meetings, forKey: name) == nil else { return }
      index.add(text, token: token())
      if lastMeetings.count > limit { forgetHalf() }
    }
  }

  private func forgetHalf() {
    let times = lastMeetings.values.sorted()
    let median = times[times.count / 2]
    lastMeetings = lastMeetings.filter { $0.value >= median }
    index.keep { lastMeetings[$0] != nil }
  }

  var isEmpty: Bool { lock.withLock { lastMeetings.isEmpty } }

  /// Returns a text with a token in place of each secret, also of transformed copies.
  func redact(_ text: String) -> String { lock.withLock { index.redacted(text) } }
}
