/// The last lines that a process wrote to standard error, each of limited length.
struct LastWords {
  /// Enough for the message of a trap and the lines before it.
  private static let lineCount = 12
  private static let lineByteCount = 500

  private var complete: [String] = []
  private var current: [UInt8] = []

  /// The lines, oldest first, with the incomplete one.
  var lines: [String] {
    let all = current.isEmpty ? complete : complete + [String(decoding: current, as: UTF8.self)]
    return Array(all.suffix(Self.lineCount))
  }

  /// Returns `true` for a line of the stack trace that Swift's runtime prints without a backtrace.
  ///
  /// Its addresses would push out the message of the trap.
  private static func isTrace(_ line: String) -> Bool {
    line == "Current stack trace:" || line.first?.isWholeNumber == true && line.contains(" 0x")
  }

  mutating func append(_ bytes: [UInt8]) {
    for byte in bytes {
      guard byte != UInt8(ascii: "\n") else {
        endLine()
        continue
      }
      // Keeps the beginning of a long line, which matters most.
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
