/// The end of what a process wrote to standard error: some lines of limited length, however much that is.
struct LastWords {
  /// Enough for the message of a trap and what was printed before.
  private static let lineCount = 12
  private static let lineByteCount = 500

  private var complete: [String] = []
  private var current: [UInt8] = []

  /// The lines, the oldest first, the one under way included.
  var lines: [String] {
    let all = current.isEmpty ? complete : complete + [String(decoding: current, as: UTF8.self)]
    return Array(all.suffix(Self.lineCount))
  }

  /// Whether it belongs to the stack that Swift's runtime prints where it makes no backtrace: addresses
  /// without names, in front of which the message of the trap would scroll away.
  private static func isTrace(_ line: String) -> Bool {
    line == "Current stack trace:" || line.first?.isWholeNumber == true && line.contains(" 0x")
  }

  mutating func append(_ bytes: [UInt8]) {
    for byte in bytes {
      guard byte != UInt8(ascii: "\n") else {
        endLine()
        continue
      }
      // Of a long line the beginning is kept, where it says what it is about.
      if current.count < Self.lineByteCount { current.append(byte) }
    }
  }

  private mutating func endLine() {
    let line = String(decoding: current, as: UTF8.self)
    current = []
    guard !line.allSatisfy(\.isWhitespace), !Self.isTrace(line) else { return }
    complete.append(line)
    if complete.count > Self.lineCount { complete.removeFirst() }
  }
}
