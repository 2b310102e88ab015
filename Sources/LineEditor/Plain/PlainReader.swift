internal import CTerminal
import FluxTerminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads lines without editing and without a prompt, from a file, a pipe or a dumb terminal.
package final class PlainReader {
  private let descriptor: Int32
  private let name: String
  private var splitter = LineSplitter()
  private var isAtEnd = false

  /// Creates a reader of an open descriptor, which it does not close.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read from.
  ///   - name: The name of the input in errors.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Reads a line.
  ///
  /// - Parameter prompt: Never called; it makes the signature equal to ``LineEditor/readLine(_:)``.
  /// - Returns: The line, an interruption, or the end of the input. Ctrl-C interrupts only after
  ///   ``Interruption/watch()`` was called.
  /// - Throws: ``FileError`` if the system cannot read.
  package func readLine(_ prompt: () -> Prompt = { Prompt("") }) throws(FileError) -> LineResult {
    let interruption = Interruption()
    while true {
      if let line = splitter.next() { return .line(line) }
      if isAtEnd { return splitter.last().map(LineResult.line) ?? .endOfInput }
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
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
    guard count >= 0 else {
      guard errno == EINTR || errno == EAGAIN else { throw .last("read", name) }
      return
    }
    isAtEnd = count == 0
    splitter.feed(bytes.prefix(count))
  }
}

/// Splits bytes that arrive in pieces into lines.
///
/// A line ends with a line feed, a carriage return and a line feed, or the end of the input. Invalid UTF-8
/// becomes U+FFFD, and a zero byte is an ordinary character.
struct LineSplitter {
  private var pending: [UInt8] = []
  // The start of the bytes that were not returned, and the position where the search continues.
  private var start = 0
  private var searched = 0

  /// Adds a piece.
  mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending.removeFirst(start)
    searched -= start
    start = 0
    pending += bytes
  }

  /// Removes and returns the next whole line.
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

  /// Removes and returns the last line at the end of the input; nil if there is no text left.
  mutating func last() -> String? {
    guard start < pending.count else { return nil }
    defer { self = LineSplitter() }
    return Self.text(pending[start...])
  }

  private static func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}
