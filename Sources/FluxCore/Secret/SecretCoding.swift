import Synchronization

/// The tokens of secrets, and whether there are secrets at all.
package enum SecretCoding {
  /// The token that an encoder writes if nobody makes tokens.
  package static let fixedToken = "<redacted 0000000000000000>"

  private static let used = Atomic(false)

  /// `true` if this process has made a secret.
  ///
  /// A recorder prepares the app's thread for encoding secrets only then, which saves every other app that time.
  package static var isInUse: Bool { used.load(ordering: .relaxed) }

  static func begin() {
    if !isInUse { used.store(true, ordering: .relaxed) }
  }

  /// Returns `true` if a text is a token, and nothing else.
  static func isToken(_ text: String) -> Bool {
    let start = "<redacted "
    let bytes = text.utf8
    guard bytes.count == start.utf8.count + 17, bytes.starts(with: start.utf8),
      bytes.last == UInt8(ascii: ">")
    else { return false }
    return bytes.dropFirst(start.utf8.count).dropLast().allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
  }

  /// Returns random bytes of the system's generator as hexadecimal digits.
  static func random(byteCount: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<max(0, byteCount)).reduce(into: "") { text, _ in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}

/// Notices that a step needs the value of a secret that a log does not have.
///
/// Used by one thread at a time.
package final class SecretMonitor: Sendable {
  private let isNoted = Atomic(false)

  /// The monitor of the steps that run on this thread; nil if nobody asks.
  @TaskLocal package static var current: SecretMonitor?

  package init() {}

  func note() { isNoted.store(true, ordering: .releasing) }

  /// Returns `true` if a step needed a value since the last call.
  package func take() -> Bool { isNoted.exchange(false, ordering: .acquiringAndReleasing) }
}

/// The secrets that a step has drawn, and the recorded tokens of those that it will draw.
struct SecretDraws {
  private(set) var drawn: [Secret<String>] = []
  /// Nil if the step is not a recorded one.
  private var recorded: ArraySlice<String>?

  init(recorded: [String]? = nil) { self.recorded = recorded?[...] }

  /// Draws the next secret; in a replay, its recorded token.
  mutating func draw(byteCount: Int) -> Secret<String> {
    let secret =
      if recorded == nil {
        Secret(SecretCoding.random(byteCount: byteCount))
      } else {
        Secret<String>(token: recorded?.popFirst() ?? missing())
      }
    drawn.append(secret)
    return secret
  }

  private func missing() -> String {
    SecretMonitor.current?.note()
    return SecretCoding.fixedToken
  }
}
