extension Handshake {
  /// The time that the other side has for its proof.
  package static let patience = Duration.seconds(5)

  /// Carries out the handshake on a stream whose reads and writes never wait.
  ///
  /// It reads little more than the handshake, and returns the codes of the messages that follow with what has arrived of
  /// them. `isCancelled` is called a few times a second; `true` ends the handshake.
  package consuming func perform(
    on stream: Descriptor, within patience: Duration = Self.patience,
    isCancelled: () -> Bool = { false }
  ) throws(Failure) -> MessageCodes {
    let deadline = ContinuousClock.now + patience
    if let opening { try Self.send(opening, to: stream) }
    var splitter = LineSplitter()
    var byteCount = 0
    while true {
      guard !isCancelled(), ContinuousClock.now < deadline else { throw .silent }
      switch stream.receive() {
      case .end: throw .ended
      case .nothing: Descriptor.wait(reading: [stream], writing: nil, milliseconds: 50)
      case .bytes(let bytes):
        byteCount += bytes.count
        guard byteCount <= Self.byteLimit else { throw .malformed }
        splitter.append(bytes)
      }
      while let line = splitter.next() {
        switch try answer(line) {
        case .line(let line): try Self.send(line, to: stream)
        case .proved(var codes, let line):
          // The app's proof is the last line, so its first message may follow. An inspector that sends more before it has the
          // app's proof does not speak the protocol.
          guard side == .inspector || splitter.pendingCount == 0 else { throw .malformed }
          codes.begun = splitter.next(splitter.pendingCount) ?? []
          if let line { try Self.send(line, to: stream) }
          return codes
        }
      }
    }
  }

  /// Sends a line, which a new connection always has room for.
  private static func send(_ line: [UInt8], to stream: Descriptor) throws(Failure) {
    guard stream.send(line[...]) == line.count else { throw .ended }
  }
}

extension Handshake.Failure: CustomStringConvertible {
  /// The reason, as a clause about the other side.
  package var description: String {
    switch self {
    case .ended: "it closed the connection; its token may be different"
    case .silent: "it did not answer within \(Handshake.patience.components.seconds) s"
    case .malformed: "it does not speak the protocol of docs/app-protocol.md"
    case .wrongToken: "its token is different"
    case .badToken: "the token is not \(2 * Handshake.tokenSize) hexadecimal digits"
    }
  }
}
