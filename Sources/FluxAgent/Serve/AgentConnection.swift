import FluxSystem

/// The two streams to a client: lines come in, lines go out.
///
/// Lines wait in a queue, which a thread sends, so a client that does not read keeps nobody from receiving what it
/// cancels, or from noticing that it is gone. Safe to use from any thread; one thread receives.
final class AgentConnection: Sendable {
  enum Received {
    /// A line without its end.
    case line([UInt8])
    /// A line that is longer than the limit; it is skipped.
    case tooLong(Int)
  }

  /// The bytes of a message at most: far more than any call has, and little enough to keep.
  static let longestLine = 4 << 20

  fileprivate struct Reading {
    var lines = LineSplitter()
    var isSkipping = false
    var isOver = false
  }

  private let input: Descriptor
  private let output: Descriptor
  private let reading = Monitor(Reading())
  private let sending = Monitor(Sending())

  /// Makes a connection, and starts the thread that sends.
  ///
  /// - Throws: ``SystemError`` if the system has no thread for it.
  init(reading input: Descriptor, writing output: Descriptor) throws(SystemError) {
    (self.input, self.output) = (input, output)
    output.disableBrokenPipeSignal()
    try startThread { [self] in sendQueue() }
  }

  /// Ends the connection, after the lines that wait, but within some time.
  func close(milliseconds: Int) {
    sending.withLock { $0.isClosed = true }
    sending.signal()
    sending.waitUntil(milliseconds: milliseconds, { $0.isOver }) { _ in }
  }

  /// Waits for a line; nil once the client has closed its stream, or no longer reads.
  func receive() -> Received? {
    while true {
      if let line = reading.withLock({ $0.next() }) { return line }
      guard !reading.withLock({ $0.isOver }), !sending.withLock({ $0.isLost }) else { return nil }
      let bytes = input.receive { sending.withLock { $0.isLost } }
      reading.withLock { reading in
        if let bytes { reading.lines.append(bytes) } else { reading.isOver = true }
      }
    }
  }

  // MARK: Sending

  private struct Sending {
    var lines: [[UInt8]] = []
    var byteCount = 0
    /// `true` if the client no longer reads.
    var isLost = false
    var isClosed = false
    /// `true` once the thread has ended.
    var isOver = false
  }

  /// The bytes that wait at most; a client that leaves more unread is lost.
  private static let longestQueue = 64 << 20

  /// Sends a line, which ends with its line end, after those that wait.
  func send(_ line: [UInt8]) {
    sending.withLock { sending in
      guard !sending.isLost, !sending.isClosed else { return }
      sending.lines.append(line)
      sending.byteCount += line.count
      if sending.byteCount > Self.longestQueue { sending.isLost = true }
    }
    sending.signal()
  }

  private func sendQueue() {
    while true {
      let lines = sending.waitUntil({ !$0.lines.isEmpty || $0.isClosed || $0.isLost }) { sending in
        defer { (sending.lines, sending.byteCount) = ([], 0) }
        return sending.isLost ? [] : sending.lines
      }
      let isSent = lines.allSatisfy(output.sendAll)
      guard !lines.isEmpty, isSent else {
        sending.withLock { sending in
          sending.isOver = true
          if !isSent { sending.isLost = true }
        }
        sending.signal()
        return
      }
    }
  }
}

extension AgentConnection.Reading {
  mutating func next() -> AgentConnection.Received? {
    while let line = lines.next() {
      if isSkipping {
        // The rest of a line that was too long.
        isSkipping = false
        continue
      }
      return line.count > AgentConnection.longestLine
        ? .tooLong(AgentConnection.longestLine) : .line(line)
    }
    guard lines.pendingCount > (isSkipping ? 0 : AgentConnection.longestLine) else {
      // Half of a message at the end of the stream is none.
      return nil
    }
    _ = lines.remainder()
    guard !isSkipping else { return nil }
    isSkipping = true
    return .tooLong(AgentConnection.longestLine)
  }
}
