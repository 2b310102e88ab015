import FluxSystem
import Foundation
import TestFixtures
import Testing

/// The vectors were computed by another implementation of HMAC.
@Suite struct HandshakeTests {
  private static let token = AccessToken("000102030405060708090a0b0c0d0e0f")
  private static let app = Array(0..<32 as Range<UInt8>)
  private static let inspector = Array(32..<64 as Range<UInt8>)
  private static let lines = [
    "flux2 app 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "flux2 inspector 202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f "
      + "a2b3389841c9bd3de046f2ab0c15b660c7146f371b86819c9a9ba418974c63de",
    "flux2 proof 76474a8ba1fb7af68d948f4c1c3f16b03cb174d6c5059ffcfd89af3acda83640",
  ]

  private func handshake(
    _ side: Handshake.Side, _ token: AccessToken = token, nonce: [UInt8]? = nil
  ) throws -> Handshake {
    try Handshake(side, token, nonce: nonce ?? (side == .app ? Self.app : Self.inspector))
  }

  private func text(_ line: [UInt8]?) -> String? {
    line.map { String(decoding: $0.dropLast(), as: UTF8.self) }
  }

  /// The codes of both sides, after the handshake of the vectors.
  private func codes() throws -> (app: MessageCodes, inspector: MessageCodes) {
    var app = try handshake(.app)
    var inspector = try handshake(.inspector)
    #expect(app.opening?.last == UInt8(ascii: "\n"))
    #expect(text(app.opening) == Self.lines[0])
    #expect(inspector.opening == nil)
    guard case .line(let second) = try inspector.answer(Array(Self.lines[0].utf8)),
      case .proved(let codes, let third) = try app.answer(Array(Self.lines[1].utf8)),
      case .proved(let others, nil) = try inspector.answer(Array(Self.lines[2].utf8))
    else { throw Handshake.Failure.malformed }
    #expect([text(second), text(third)] == [Self.lines[1], Self.lines[2]])
    return (codes, others)
  }

  @Test("the lines and the codes are those of the vectors, and each side reads the other's")
  func vectors() throws {
    var (app, inspector) = try codes()
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    let expected = [
      "816786887845356b2be6c265bfccb362 \(ping)\n", "a5b853b70893a1bb1e01f66f697536b8 \(ping)\n",
    ]
    for line in expected {
      let sent = inspector.sent.line(of: Array("\(ping)\n".utf8))
      #expect(String(decoding: sent, as: UTF8.self) == line)
      #expect(app.received.message(in: sent.dropLast()) == Array(ping.utf8))
    }
    let sent = app.sent.line(of: Array("\(answer)\n".utf8))
    #expect(
      String(decoding: sent, as: UTF8.self) == "927dc101708bec5940e16af084f93c73 \(answer)\n")
    #expect(inspector.received.message(in: sent.dropLast()) == Array(answer.utf8))
  }

  @Test("the page of the protocol has the lines of the vectors")
  func page() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/app-protocol.md"), encoding: .utf8)
    let messages = [
      #"816786887845356b2be6c265bfccb362 {"jsonrpc":"2.0","id":1,"method":"ping"}"#,
      #"927dc101708bec5940e16af084f93c73 {"jsonrpc":"2.0","id":1,"result":{}}"#,
    ]
    for line in Self.lines + messages { #expect(page.contains("- `\(line)`\n"), "\(line)") }
  }

  @Test("a message that is altered, repeated, left out or sent back has a wrong code")
  func messages() throws {
    var generator = SeededGenerator()
    var (app, inspector) = try codes()
    let first = Array(app.sent.line(of: Array("first\n".utf8)).dropLast())
    let second = Array(app.sent.line(of: Array("second\n".utf8)).dropLast())
    for _ in 0..<200 {
      var altered = first
      let place = Int.random(in: altered.indices, using: &generator)
      altered[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      var code = inspector.received
      #expect(code.message(in: altered) == nil, "byte \(place)")
    }
    for length in first.indices {
      var code = inspector.received
      #expect(code.message(in: Array(first[..<length])) == nil)
    }
    var skipping = inspector.received
    #expect(skipping.message(in: second) == nil)
    var reflecting = app.received
    #expect(reflecting.message(in: first) == nil)
    #expect(inspector.received.message(in: first) == Array("first".utf8))
    var repeating = inspector.received
    #expect(repeating.message(in: first) == nil)
    #expect(inspector.received.message(in: second) == Array("second".utf8))
  }

  @Test("a proof of another token, of another connection or of the other side is refused")
  func proofs() throws {
    let other = AccessToken("100102030405060708090a0b0c0d0e0f")
    #expect(throws: Handshake.Failure.wrongToken) {
      var app = try handshake(.app, other)
      _ = try app.answer(Array(Self.lines[1].utf8))
    }
    // The line of a connection before, which somebody has listened to.
    #expect(throws: Handshake.Failure.wrongToken) {
      var app = try handshake(.app, nonce: [UInt8](repeating: 7, count: 32))
      _ = try app.answer(Array(Self.lines[1].utf8))
    }
    // An inspector that shows the app's own proof back.
    #expect(throws: Handshake.Failure.wrongToken) {
      var inspector = try handshake(.inspector)
      _ = try inspector.answer(Array(Self.lines[0].utf8))
      let proof = Self.lines[1].split(separator: " ")[3]
      _ = try inspector.answer(Array("flux2 proof \(proof)".utf8))
    }
    let drawn = try (0..<2).map { _ in try Handshake(.app, Self.token).opening }
    #expect(drawn[0] != drawn[1])
  }

  @Test(
    "a token is 16 bytes",
    arguments: ["", "00", String(repeating: "0", count: 34), "no token, but 32 characters long"])
  func badToken(_ text: String) {
    #expect(throws: Handshake.Failure.badToken) { try Handshake(.app, AccessToken(text)) }
  }

  @Test(
    "other lines are refused",
    arguments: [
      "", "flux2", "flux2 app", "flux2  app", "flux1 app \(String(repeating: "0", count: 64))",
      "flux2 app \(String(repeating: "0", count: 62))", lines[0] + " ", lines[0] + "00",
      lines[1], lines[2], "GET / HTTP/1.1", #"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
    ])
  func malformed(_ line: String) throws {
    #expect(throws: Handshake.Failure.malformed) {
      var inspector = try handshake(.inspector)
      _ = try inspector.answer(Array(line.utf8))
    }
    if line != Self.lines[1] {
      #expect(throws: Handshake.Failure.malformed) {
        var app = try handshake(.app)
        _ = try app.answer(Array(line.utf8))
      }
    }
  }
}

/// Messages that arrive together with the last line of a handshake.
extension HandshakeTests {
  private func perform(_ side: Handshake.Side, _ received: String) throws -> [UInt8] {
    let pair = try #require(makeStreamPair())
    let (stream, other) = (Descriptor(pair.reading), Descriptor(pair.writing))
    stream.setNonBlocking()
    _ = other.send(Array(received.utf8)[...])
    return try handshake(side).perform(on: stream, within: .seconds(60)).begun
  }

  @Test("the app's first messages may come with its proof; an inspector waits for that proof")
  func begun() throws {
    let rest = "a line\nand a half"
    let proof = Self.lines[0] + "\n" + Self.lines[2] + "\n"
    #expect(try perform(.inspector, proof + rest) == Array(rest.utf8))
    #expect(try perform(.inspector, proof).isEmpty)
    #expect(throws: Handshake.Failure.malformed) { try perform(.app, Self.lines[1] + "\n" + rest) }
  }
}

/// Strangers at a port.
@Suite struct NetworkDoorTests {
  private static let token = AccessToken(byteCount: 16)

  /// The messages of the proved connections of a door.
  private struct Admitted {
    let count = Monitor(0)
    let door: NetworkDoor

    init() throws {
      door = try NetworkDoor(NetworkAddress(port: 0), .app, NetworkDoorTests.token) {
        [count] _, _ in
        count.withLock { $0 += 1 }
        count.signal()
      }
      try door.open()
    }
  }

  private func prove(_ stream: Descriptor) throws {
    _ = try Handshake(.inspector, Self.token).perform(on: stream, within: .seconds(60))
  }

  @Test("an inspector gets in while 1,000 strangers are at the door")
  func crowd() throws {
    let app = try Admitted()
    defer { app.door.close() }
    var strangers: [Descriptor] = []
    for number in 0..<1000 {
      // The system has no more descriptors for a crowd where few are allowed.
      guard let stranger = try? Descriptor.connecting(to: app.door.address) else { break }
      if number.isMultiple(of: 3) { _ = stranger.send(Array("flux2 inspector".utf8)[...]) }
      strangers.append(stranger)
      if number.isMultiple(of: 100) {
        try prove(try Descriptor.connecting(to: app.door.address))
      }
      // Most strangers leave again, because this process has the descriptors of both sides.
      if strangers.count > 200 { strangers.removeFirst(100) }
    }
    try prove(try Descriptor.connecting(to: app.door.address))
    let count = app.count.waitUntil(milliseconds: 60_000, { $0 == 11 }) { $0 }
    #expect(count == 11)
  }

  @Test(
    "a stranger that sends more than 256 bytes, another protocol or a wrong proof is cut off",
    arguments: [
      String(repeating: "x", count: 257), "GET / HTTP/1.1\r\n", "\n",
      "flux2 inspector \(String(repeating: "0", count: 64)) \(String(repeating: "0", count: 64))\n",
    ])
  func stranger(_ bytes: String) throws {
    let app = try Admitted()
    defer { app.door.close() }
    let stranger = try Descriptor.connecting(to: app.door.address)
    _ = stranger.send(Array(bytes.utf8)[...])
    // It learns the app's nonce, and nothing else.
    var received: [UInt8] = []
    loop: while true {
      switch stranger.receive() {
      case .end: break loop
      case .bytes(let more): received += more
      case .nothing: Descriptor.wait(reading: [stranger], writing: nil, milliseconds: 60_000)
      }
    }
    #expect(received.count == 75 || received.isEmpty)
    try prove(try Descriptor.connecting(to: app.door.address))
    #expect(app.count.waitUntil(milliseconds: 60_000, { $0 == 1 }) { $0 } == 1)
  }

  @Test("silence and half a line end a handshake when the time is up")
  func silence() throws {
    for bytes in ["", "flux2 insp"] {
      let pair = try #require(makeStreamPair())
      let (app, stranger) = (Descriptor(pair.reading), Descriptor(pair.writing))
      app.setNonBlocking()
      _ = stranger.send(Array(bytes.utf8)[...])
      #expect(throws: Handshake.Failure.silent) {
        try Handshake(.app, Self.token).perform(on: app, within: .milliseconds(20))
      }
    }
  }
}
