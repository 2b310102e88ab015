import FluxPage
import FluxSystem

/// Serves the requests of one client, one after the other.
///
/// A head is checked before the body is read, so a client without the token takes no more memory than a head. A client
/// that sends or reads nothing for a while is left.
struct PageConnection {
  /// The time that a request may take to arrive, and that a client may take to read on.
  private static let patience = Duration.seconds(30)
  /// The time between two looks for new lines of the log.
  private static let pause: Int32 = 25
  /// The time after which a client is told that the connection is alive.
  private static let heartbeat = Duration.seconds(5)

  let client: ServedClient
  let server: PageServer

  private var stream: Descriptor { client.stream }

  /// Serves the client until it leaves, or breaks the rules.
  func run() {
    var reader = PageRequestReader()
    while serveNext(&reader) {}
  }

  /// Serves a request; returns `false` if it was the last.
  private func serveNext(_ reader: inout PageRequestReader) -> Bool {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      switch reader.next() {
      case .incomplete:
        guard let bytes = receive(until: deadline) else { return false }
        reader.append(bytes)
      case .refusal(let response): return refuse(response)
      case .head(let head): return serve(head, &reader, until: deadline)
      }
    }
  }

  private func serve(
    _ head: PageHTTPHead, _ reader: inout PageRequestReader,
    until deadline: ContinuousClock.Instant
  ) -> Bool {
    var request = head.request
    if let response = server.answer(to: head) {
      // A body that nobody wants stays unread.
      guard head.bodyLength == 0 else { return refuse(response, to: request.method) }
      return send(response, to: request.method, isLast: head.isLast) && !head.isLast
    }
    client.setKnown()
    if head.awaitsPermission, !send(PageHTTPResponse.permission) { return false }
    guard let body = body(head.bodyLength, &reader, until: deadline) else { return false }
    request.body = body
    let response = server.respond(to: request)
    guard case .events(let events) = response.body else {
      return send(response, to: request.method, isLast: head.isLast) && !head.isLast
    }
    if send(response.head(length: nil, isLast: true)) { send(events) }
    return false
  }

  private func body(
    _ count: Int, _ reader: inout PageRequestReader, until deadline: ContinuousClock.Instant
  ) -> [UInt8]? {
    while true {
      if let body = reader.takeBody(count) { return body }
      guard let bytes = receive(until: deadline) else { return nil }
      reader.append(bytes)
    }
  }

  // MARK: Receiving

  /// Waits for bytes; nil once the client is gone, or the time is up.
  private func receive(until deadline: ContinuousClock.Instant) -> [UInt8]? {
    while true {
      switch stream.receive() {
      case .bytes(let bytes): return bytes
      case .end: return nil
      case .nothing:
        let rest = (deadline - ContinuousClock.now).milliseconds
        guard rest > 0 else { return nil }
        Descriptor.wait(reading: [stream], writing: nil, milliseconds: rest)
      }
    }
  }

  // MARK: Sending

  private func send(_ response: PageHTTPResponse, to method: String, isLast: Bool) -> Bool {
    guard case .bytes(let body) = response.body else { return false }
    let head = response.head(length: body.count, isLast: isLast)
    return send(method == "HEAD" ? head : head + body)
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    var deadline = ContinuousClock.now + Self.patience
    while !rest.isEmpty {
      guard let count = stream.send(rest) else { return false }
      rest = rest.dropFirst(count)
      if count > 0 {
        deadline = ContinuousClock.now + Self.patience
      } else {
        let left = (deadline - ContinuousClock.now).milliseconds
        guard left > 0 else { return false }
        Descriptor.wait(reading: [], writing: stream, milliseconds: left)
      }
    }
    return true
  }

  /// Sends the last answer of a connection.
  ///
  /// The client may still be sending, and the end of a connection with unread bytes would reset it before the client
  /// has read the answer. So what comes next is dropped for a while.
  private func refuse(_ response: PageHTTPResponse, to method: String = "") -> Bool {
    guard send(response, to: method, isLast: true) else { return false }
    _ = shutdown(stream.number, Int32(SHUT_WR))
    let deadline = ContinuousClock.now + .seconds(1)
    var left = 1 << 20
    while left > 0, let bytes = receive(until: deadline) { left -= bytes.count }
    return false
  }

  /// Sends the growth of a log until the client leaves.
  private func send(_ events: PageEvents) {
    var events = events
    var next = ContinuousClock.now
    while let lines = events.poll() {
      // The first line comes at once, so that the client knows that it is connected.
      if !lines.isEmpty || ContinuousClock.now >= next {
        guard send(PageHTTPResponse.chunk(lines.isEmpty ? PageEvents.alive : lines)) else { return }
        next = ContinuousClock.now + Self.heartbeat
      }
      // A client that waits for events has nothing to say: it leaves.
      if Descriptor.wait(reading: [stream], writing: nil, milliseconds: Self.pause) { return }
    }
    _ = send(PageHTTPResponse.chunk([]))
  }
}

extension Duration {
  /// The milliseconds, rounded up; 0 for a time that has passed.
  fileprivate var milliseconds: Int32 {
    self > .zero ? Int32(clamping: Int64(self / .milliseconds(1)) + 1) : 0
  }
}
