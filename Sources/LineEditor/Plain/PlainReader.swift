internal import CTerminal
import FluxSystem
import FluxTerminal

/// Reads lines without editing, from a file, a pipe or a dumb terminal.
package final class PlainReader {
  private let descriptor: Int32
  private let name: String
  private let limit: Int
  private let advice: String
  /// The number of the last line that was returned.
  private var lineNumber = 0
  private var splitter = LineSplitter()
  private var isAtEnd = false

  /// Creates a reader of an open descriptor, which it does not close; errors name it.
  ///
  /// A line may have `limit` bytes. The error about a longer one ends with `advice`.
  package init(descriptor: Int32, name: String, limit: Int, advice: String) {
    (self.descriptor, self.name, self.limit, self.advice) = (descriptor, name, limit, advice)
  }

  /// Reads a line.
  ///
  /// A line ends with a line feed, a carriage return and a line feed, or the end of the input. Invalid UTF-8
  /// becomes U+FFFD, and a zero byte is an ordinary character.
  ///
  /// - Returns: The line, an interruption, or the end of the input. Ctrl-C interrupts only after
  ///   ``Interruption/watch()`` was called.
  /// - Throws: ``FileError`` if the system cannot read, or if the line is too long.
  package func readLine() throws(FileError) -> LineResult {
    let interruption = Interruption()
    while true {
      if let line = splitter.next() { return try result(of: line) }
      if isAtEnd {
        let rest = splitter.remainder()
        return rest.isEmpty ? .endOfInput : try result(of: rest)
      }
      // An endless input may have no line end.
      try checkLength(splitter.pendingCount)
      guard waitForInput(interruption) else { return .interrupted }
      try readPiece()
    }
  }

  /// Waits for input; returns `false` if Ctrl-C came first.
  private func waitForInput(_ interruption: Interruption) -> Bool {
    // poll ignores negative descriptors and would wait forever.
    guard descriptor >= 0 else { return true }
    while !interruption.isRequested {
      var polled = [
        pollfd(fd: cle_wake_descriptor(), events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // The array outlives the call, which gets its count. A failing descriptor fails in `read`.
      let count = unsafe poll(&polled, nfds_t(polled.count), -1)
      if polled[0].revents & Int16(POLLIN) != 0 { cle_drain() }
      if polled[1].revents != 0 || (count < 0 && errno != EINTR) { return true }
    }
    return false
  }

  private func readPiece() throws(FileError) {
    var bytes = [UInt8](repeating: 0, count: 65536)
    // The system writes at most the size of the array.
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      guard errno == EINTR || errno == EAGAIN else { throw .last("read", name) }
      return
    }
    isAtEnd = count == 0
    splitter.append(Array(bytes.prefix(count)))
  }

  private func result(of line: [UInt8]) throws(FileError) -> LineResult {
    try checkLength(line.count)
    lineNumber += 1
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    return .line(String(decoding: text, as: UTF8.self))
  }

  private func checkLength(_ byteCount: Int) throws(FileError) {
    guard byteCount > limit else { return }
    throw FileError(
      path: name, operation: "read",
      cause: "line \(lineNumber + 1) has more than \(limit) bytes; \(advice)")
  }
}
