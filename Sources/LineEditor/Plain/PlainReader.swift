internal import CLibEdit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads lines as they come, from a file, a pipe or a terminal that cannot be edited on: without a
/// prompt.
package final class PlainReader {
  private let descriptor: Int32
  private let name: String
  private var splitter = LineSplitter()
  private var isAtEnd = false

  /// Makes a reader of an open descriptor, which stays the caller's.
  ///
  /// - Parameters:
  ///   - descriptor: what to read from.
  ///   - name: what errors call it.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Reads a line.
  ///
  /// - Parameter prompt: is not asked for: the shape is that of ``LineEditor/readLine(_:)``.
  /// - Returns: the line, or why there is none. Only where ``Interruption/watch()`` was called,
  ///   Ctrl-C interrupts.
  /// - Throws: ``FileError`` where the system cannot read.
  package func readLine(_ prompt: () -> Prompt = { Prompt("") }) throws(FileError) -> LineResult {
    let interruption = Interruption()
    while true {
      if let line = splitter.next() { return .line(line) }
      if isAtEnd { return splitter.last().map(LineResult.line) ?? .endOfInput }
      guard waitForInput(interruption) else { return .interrupted }
      try readPiece()
    }
  }

  /// Waits until there is something to read; false where Ctrl-C came first.
  private func waitForInput(_ interruption: Interruption) -> Bool {
    // A poll passes over what is no descriptor, and would wait for ever.
    guard descriptor >= 0 else { return true }
    while !interruption.isRequested {
      var polled = [
        pollfd(fd: cle_wake_descriptor(), events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // The array outlives the call, and its count goes with it. A failure is the read's to report.
      let count = unsafe poll(&polled, nfds_t(polled.count), -1)
      if polled[0].revents & Int16(POLLIN) != 0 { cle_drain() }
      if polled[1].revents != 0 || (count < 0 && errno != EINTR) { return true }
    }
    return false
  }

  private func readPiece() throws(FileError) {
    var bytes = [UInt8](repeating: 0, count: 65536)
    // The system writes no more than the array has.
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
    guard count >= 0 else {
      guard errno == EINTR || errno == EAGAIN else { throw .last("read", name) }
      return
    }
    isAtEnd = count == 0
    splitter.feed(bytes.prefix(count))
  }
}
