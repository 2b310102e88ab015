import Dispatch
import FluxInspector
import FluxPage
import FluxSystem
import FlyingFox
import FlyingSocks
import Foundation

/// The page's server on a port of this machine.
final class RunningServer: Sendable {
  private struct State {
    var port: UInt16?
    var failure: String?
  }

  private let server: PageServer
  private let port: UInt16
  private let state = Monitor(State())
  private let task = Monitor<Task<Void, Never>?>(nil)

  init(_ server: PageServer, port: UInt16) {
    (self.server, self.port) = (server, port)
  }

  /// The reason why the server ended; nil while it runs.
  var failure: String? { state.withLock { $0.failure } }

  /// Begins to listen; returns the port.
  ///
  /// - Throws: `CommandError` if the port cannot be used.
  func start() throws(CommandError) -> UInt16 {
    let running = Task { [self] in await run() }
    task.withLock { $0 = running }
    while true {
      let state = state.withLock { $0 }
      if let port = state.port { return port }
      if let failure = state.failure {
        throw CommandError(.file, "cannot listen on port \(port): \(failure)")
      }
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  func stop() { task.withLock { $0 }?.cancel() }

  private func run() async {
    do {
      let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: port)
      let http = HTTPServer(
        config: HTTPServer.Configuration(
          address: address, pool: PromptSocketPool(HTTPServer.defaultPool()), logger: .disabled),
        handler: PageHandler(server: server))
      let listening = Task { [server, state] in
        try await http.waitUntilListening()
        guard case .ip4(_, let port)? = await http.listeningAddress else { return }
        server.listen(on: port)
        state.withLock { $0.port = port }
      }
      defer { listening.cancel() }
      try await http.run()
    } catch {
      state.withLock { $0.failure = error.localizedDescription }
    }
  }
}

/// A pool whose sockets send at once.
///
/// A response is two writes. With Nagle's algorithm the second one waits 40 ms for an acknowledgement. Sockets inherit
/// the option from the one that listens.
private struct PromptSocketPool: AsyncSocketPool {
  private let pool: any AsyncSocketPool

  init(_ pool: any AsyncSocketPool) { self.pool = pool }

  func prepare() async throws { try await pool.prepare() }

  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    try socket.setValue(
      true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}

/// Hands requests on to the page's server, on threads that may wait for a disk.
private struct PageHandler: HTTPHandler {
  private static let queue = DispatchQueue(label: "flux-inspect.page", attributes: .concurrent)

  let server: PageServer

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    var body: [UInt8] = []
    for try await piece in request.bodySequence {
      body += piece
      if body.count > PageHTTPRequest.largestBody { break }
    }
    let message = PageHTTPRequest(
      method: request.method.rawValue, path: request.path, host: request.headers[.host],
      origin: request.headers[HTTPHeader("Origin")],
      token: request.headers[HTTPHeader("X-Flux-Token")],
      session: request.headers[HTTPHeader("X-Flux-Session")], body: body)
    let response = await withCheckedContinuation { continuation in
      Self.queue.async { [server] in continuation.resume(returning: server.respond(to: message)) }
    }
    var headers = HTTPHeaders()
    for (name, value) in response.headers { headers.setValues([value], for: HTTPHeader(name)) }
    // The rest of such a body is not read.
    if body.count > PageHTTPRequest.largestBody { headers[.connection] = "close" }
    let status = HTTPStatusCode.named[response.status] ?? .internalServerError
    switch response.body {
    case .bytes(let bytes):
      return HTTPResponse(
        statusCode: status, headers: headers,
        body: HTTPBodySequence(data: Data(bytes), suggestedBufferSize: max(1, bytes.count)))
    case .events(let events):
      return HTTPResponse(
        statusCode: status, headers: headers, body: HTTPBodySequence(from: EventLines(events)))
    }
  }
}

extension HTTPStatusCode {
  fileprivate static let named: [Int: HTTPStatusCode] = Dictionary(
    uniqueKeysWithValues: [
      .ok, .badRequest, .forbidden, .notFound, .methodNotAllowed, .payloadTooLarge,
      .misdirectedRequest, .unprocessableContent, .tooManyRequests, .internalServerError,
    ].map { ($0.code, $0) })
}

/// The growth of a log as the body of a response, which ends when the client has left.
///
/// Only a write can tell that a client has left, so there is one every five seconds.
private struct EventLines: AsyncBufferedSequence {
  typealias Element = UInt8

  private static let pause = Duration.milliseconds(25)
  private static let heartbeat = Duration.seconds(5)

  private let events: PageEvents

  init(_ events: PageEvents) { self.events = events }

  func makeAsyncIterator() -> Iterator { Iterator(events: events) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var events: PageEvents
    private var bytes: [UInt8] = []
    private var isFirst = true

    init(events: PageEvents) { self.events = events }

    mutating func next() async throws -> UInt8? {
      if bytes.isEmpty {
        guard let more = try await nextBuffer(suggested: 1) else { return nil }
        bytes = more.reversed()
      }
      return bytes.popLast()
    }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      // The first line comes at once, so that the client knows that it is connected.
      let end = ContinuousClock.now + (isFirst ? .zero : EventLines.heartbeat)
      isFirst = false
      while true {
        guard let lines = events.poll() else { return nil }
        if !lines.isEmpty { return lines }
        guard ContinuousClock.now < end else { return PageEvents.alive }
        try await Task.sleep(for: EventLines.pause)
      }
    }
  }
}
