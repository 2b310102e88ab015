import FluxCore
import FluxLog

/// The texts of redacted values, which are also removed from payloads, messages, marks and labels.
///
/// They are kept in memory only. When there are more than a limit, the half that was not seen for the
/// longest time is dropped.
final class KnownSecrets: @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.
  private let limit: Int
  /// Other secrets that are replaced, too.
  private let other: KnownSecrets?
  private let lock = Lock()
  // Secrets are replaced byte for byte, so canonically equivalent strings are different secrets.
  private var lastMeetings: [BytewiseName: UInt64] = [:]
  private var index = SecretIndex()
  /// The secrets of which no text was long enough to have a copy, so their forms are not known yet.
  ///
  /// A redacted document is a new secret after each key press, and few messages are longer.
  private var waiting: [(secret: String, token: String, shortestForm: Int)] = []
  private var shortestWaitingForm = Int.max
  private var meetings: UInt64 = 0
  private var forgot = false

  init(limit: Int = 4_096, and other: KnownSecrets? = nil) {
    (self.limit, self.other) = (limit, other)
  }

  /// `true` if a text may contain a secret that is no longer known.
  var hasForgotten: Bool { lock.withLock { forgot } || other?.hasForgotten == true }

  func remember(_ text: String, token: @autoclosure () -> String) {
    guard text.utf8.count >= SecretForms.shortest else { return }
    let name = BytewiseName(text)
    lock.withLock {
      meetings += 1
      guard lastMeetings.updateValue(meetings, forKey: name) == nil else { return }
      let shortestForm = SecretForms.shortestLength(of: text)
      waiting.append((text, token(), shortestForm))
      shortestWaitingForm = min(shortestWaitingForm, shortestForm)
      if lastMeetings.count > limit { forgetHalf() }
    }
  }

  private func forgetHalf() {
    forgot = true
    let times = lastMeetings.values.sorted()
    let median = times[times.count / 2]
    lastMeetings = lastMeetings.filter { $0.value >= median }
    index.keep { lastMeetings[$0] != nil }
    waiting.removeAll { lastMeetings[BytewiseName($0.secret)] == nil }
  }

  var isEmpty: Bool { lock.withLock { lastMeetings.isEmpty } && other?.isEmpty != false }

  /// Returns a text with a token in place of each secret, also of transformed copies.
  func redact(_ text: String) -> String {
    let text = other?.redact(text) ?? text
    return lock.withLock {
      addForms(in: text.utf8.count)
      return index.redacted(text)
    }
  }

  /// Adds the forms of the waiting secrets that a text of so many bytes can have.
  private func addForms(in byteCount: Int) {
    guard shortestWaitingForm <= byteCount else { return }
    for secret in waiting where secret.shortestForm <= byteCount {
      index.add(secret.secret, token: secret.token)
    }
    waiting.removeAll { $0.shortestForm <= byteCount }
    shortestWaitingForm = waiting.map(\.shortestForm).min() ?? .max
  }
}
