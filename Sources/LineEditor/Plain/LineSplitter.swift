/// Cuts bytes that arrive in pieces into lines.
///
/// A line ends with a line feed, or a return and a line feed, or the end of the input. Bytes that
/// are not UTF-8 become U+FFFD, and a zero byte is a character like others.
struct LineSplitter {
  private var pending: [UInt8] = []
  /// Where the bytes begin that are not handed out, and where the search for a line feed goes on.
  private var start = 0
  private var searched = 0

  /// Takes a piece.
  mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending.removeFirst(start)
    searched -= start
    start = 0
    pending += bytes
  }

  /// The next whole line.
  mutating func next() -> String? {
    guard let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = pending.count
      return nil
    }
    defer {
      start = end + 1
      searched = start
    }
    return Self.text(pending[start..<end])
  }

  /// What is left at the end of the input.
  mutating func last() -> String? {
    guard start < pending.count else { return nil }
    defer { self = LineSplitter() }
    return Self.text(pending[start...])
  }

  private static func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}
