/// The beginning of a connection over TCP, in which each side proves that it knows the token.
///
/// Three lines cross, and no more until both proofs are accepted. A is the app's nonce, B the inspector's:
///
///     app        flux2 app A
///     inspector  flux2 inspector B proof
///     app        flux2 proof proof
///
/// `docs/app-protocol.md` defines the lines. The token never crosses, and the nonces make each proof good for one connection.
package struct Handshake {
  /// A side of a connection; its name is part of its codes.
  package enum Side: String, Sendable { case app, inspector }

  /// The answer to a line of the other side.
  package enum Answer {
    /// The handshake goes on with this line.
    case line([UInt8])
    /// Both sides have proved that they know the token; `line` is still to be sent, if there is one.
    case proved(MessageCodes, line: [UInt8]?)
  }

  /// The reason why there is no connection.
  package enum Failure: Error, Equatable {
    /// The other side ended the connection, or sent nothing for too long.
    case ended, silent
    /// The other side does not speak this protocol.
    case malformed
    /// The proof is not that of the token.
    case wrongToken
    /// This side's token is not 16 bytes.
    case badToken
  }

  /// The bytes that a side may send before its proof.
  package static let byteLimit = 256
  /// The bytes of a token.
  package static let tokenSize = 16
  private static let nonceSize = 32

  let side: Side
  private let token: HMAC
  private let nonce: [UInt8]
  /// The nonce of the other side, once it has sent it.
  private var other: [UInt8]?

  /// Begins a handshake, with a nonce of random bytes by default; the only error is ``Failure/badToken``.
  package init(_ side: Side, _ token: AccessToken, nonce: [UInt8]? = nil) throws(Failure) {
    guard let bytes = token.bytes, bytes.count == Self.tokenSize else { throw .badToken }
    self.side = side
    self.token = HMAC(key: bytes)
    self.nonce = nonce ?? (0..<Self.nonceSize).map { _ in UInt8.random(in: .min ... .max) }
  }

  /// The line that this side sends first; nil if the other side begins.
  package var opening: [UInt8]? {
    side == .app ? Self.line("flux2 app", nonce) : nil
  }

  /// Takes a line of the other side, without its end.
  package mutating func answer(_ line: [UInt8]) throws(Failure) -> Answer {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let count = side == .app ? 4 : 3
    guard words.count == count, words[0].elementsEqual("flux2".utf8) else { throw .malformed }
    let values = try words.dropFirst(2).map { word throws(Failure) in
      guard let bytes = Hexadecimal.bytes(word), bytes.count == Self.nonceSize else {
        throw .malformed
      }
      return bytes
    }
    switch (side, String(decoding: words[1], as: UTF8.self), other) {
    case (.app, "inspector", nil):
      try check(values[1], of: .inspector, nonce, values[0])
      other = values[0]
      let proof = proof(of: .app, nonce, values[0])
      return .proved(codes(nonce, values[0]), line: Self.line("flux2 proof", proof))
    case (.inspector, "app", nil):
      other = values[0]
      return .line(Self.line("flux2 inspector", nonce, proof(of: .inspector, values[0], nonce)))
    case (.inspector, "proof", let app?):
      try check(values[0], of: .app, app, nonce)
      return .proved(codes(app, nonce), line: nil)
    default: throw .malformed
    }
  }

  private func check(
    _ shown: [UInt8], of side: Side, _ app: [UInt8], _ inspector: [UInt8]
  ) throws(Failure) {
    let proof = proof(of: side, app, inspector)
    guard AccessToken.isSame(proof[...], shown[...]) else { throw .wrongToken }
  }

  private func proof(of side: Side, _ app: [UInt8], _ inspector: [UInt8]) -> [UInt8] {
    code("flux2 \(side.rawValue)", app, inspector)
  }

  private func codes(_ app: [UInt8], _ inspector: [UInt8]) -> MessageCodes {
    let key = HMAC(key: code("flux2 key", app, inspector))
    return MessageCodes(
      sent: MessageCode(key, side), received: MessageCode(key, side == .app ? .inspector : .app))
  }

  private func code(_ purpose: String, _ app: [UInt8], _ inspector: [UInt8]) -> [UInt8] {
    token.code(of: (Array(purpose.utf8) + [0])[...], app[...], inspector[...])
  }

  private static func line(_ start: String, _ values: [UInt8]...) -> [UInt8] {
    values.reduce(Array(start.utf8)) { $0 + [UInt8(ascii: " ")] + Hexadecimal.digits(of: $1[...]) }
      + [UInt8(ascii: "\n")]
  }
}

/// The codes of a connection's messages, one for each direction.
package struct MessageCodes: Sendable {
  package var sent: MessageCode
  package var received: MessageCode
  /// The bytes of messages that came together with the other side's proof.
  package var begun: [UInt8] = []
}

/// The codes of the messages of one side, of which each message has the next.
///
/// A line is 32 hexadecimal digits, a blank, the message and the line end. The digits are the first 16 bytes of
/// HMAC(key, side ‖ counter ‖ message), with the counter as 8 bytes, the highest first.
package struct MessageCode: Sendable {
  private static let digitCount = 32

  private let key: HMAC
  private let side: [UInt8]
  private var counter: UInt64 = 0

  init(_ key: HMAC, _ side: Handshake.Side) {
    (self.key, self.side) = (key, Array(side.rawValue.utf8))
  }

  /// Returns the line of a message, which ends as the message does.
  package mutating func line(of message: [UInt8]) -> [UInt8] {
    let end = message.last == UInt8(ascii: "\n") ? message.count - 1 : message.count
    return digits(of: message[..<end]) + [UInt8(ascii: " ")] + message
  }

  /// Returns the message in a line without its end; nil if the code is wrong.
  package mutating func message(in line: [UInt8]) -> [UInt8]? {
    guard line.count > Self.digitCount, line[Self.digitCount] == UInt8(ascii: " ") else {
      return nil
    }
    let message = line[(Self.digitCount + 1)...]
    let isRight = AccessToken.isSame(digits(of: message)[...], line[..<Self.digitCount])
    return isRight ? Array(message) : nil
  }

  private mutating func digits(of message: ArraySlice<UInt8>) -> [UInt8] {
    let number = (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
    counter += 1
    let code = key.code(of: side[...], number[...], message)
    return Hexadecimal.digits(of: code[..<(Self.digitCount / 2)])
  }
}
