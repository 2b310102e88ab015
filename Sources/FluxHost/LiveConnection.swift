package import FluxJSON
package import FluxReplay
package import FluxSystem
import Foundation

/// A connection to a running app that serves a `LiveHost`.
///
/// A thread reads all that the app sends, so the app never waits for this side. Any thread may make requests, one
/// after the other.
package final class LiveConnection: LiveApp {
  /// The limits for an app's time and messages.
  package struct Limits: Sendable {
    /// The limit in seconds for an answer; an app in a long step answers after it.
    package var answer: Double = 10
    /// The limit in bytes for a message of the app.
    package var messageByteCount = 16 << 20

    package init() {}
  }

  private struct State {
    var requestCount: UInt64 = 0
    /// The request that waits for an answer.
    var pending: UInt64?
    var answer: Result<JSON, RPCError>?
    var ending: LiveFailure?
    var presentation = LivePresentation()
  }

  package let welcome: LiveWelcome
  /// The number of the socket, which names one of several hosts of a process.
  package let id: String
  private let link: Link

  package var ending: LiveFailure? { link.state.withLock { $0.ending } }

  package var presentation: LivePresentation {
    get { link.state.withLock { $0.presentation } }
    set { link.state.withLock { $0.presentation = newValue } }
  }

  private init(_ link: Link, _ welcome: LiveWelcome, id: String) {
    (self.link, self.welcome, self.id) = (link, welcome, id)
  }

  deinit { link.close() }

  /// Connects to an app, and asks it to describe itself.
  ///
  /// - Parameters:
  ///   - socket: The socket of the app.
  ///   - limits: The limits for its time and messages.
  ///   - user: The user that the app must run as.
  ///   - isCancelled: Called a few times a second; `true` interrupts a request.
  ///   - tell: Called on another thread with each event in the app. Watching begins with ``watch()``.
  /// - Returns: The connection; nil if nobody listens at the socket any more.
  /// - Throws: `LiveFailure`.
  package static func connect(
    to socket: LiveSocket, limits: Limits = Limits(), user: uid_t = geteuid(),
    isCancelled: @escaping @Sendable () -> Bool = { false },
    tell: @escaping @Sendable (LiveNotification) -> Void = { _ in }
  ) throws(LiveFailure) -> LiveConnection? {
    let stream: Descriptor
    let peer: LocalPeer
    do throws(SystemError) {
      stream = try Descriptor.connecting(toLocal: socket.path)
      peer = try stream.localPeer()
    } catch {
      if error.code == ECONNREFUSED || error.code == ENOENT { return nil }
      throw .refused("cannot \(error.operation) \(socket.path): \(systemMessage(error.code))")
    }
    guard peer.isSame(as: user) else {
      throw .refused("\(socket.path) is served by user \(peer.user)")
    }
    let link = Link(stream, limits, isCancelled, tell)
    link.start()
    do throws(LiveFailure) {
      let request = LiveRequest.initialize(
        version: HostProtocol.version, client: "flux-inspect")
      let welcome: LiveWelcome
      let answer = try link.ask(request)
      do {
        welcome = try LiveWelcome(answer)
      } catch {
        throw .malformed("\(error)")
      }
      return LiveConnection(link, welcome, id: socket.id)
    } catch {
      link.close()
      throw error
    }
  }

  /// Asks to be told of the events in the app.
  package func watch() throws(LiveFailure) { _ = try ask(.watch) }

  package func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON { try link.ask(request) }

  /// The socket and its reader; the reader keeps it, and not the connection.
  private final class Link: Sendable {
    let state = Monitor(State())
    private let stream: Descriptor
    private let limits: Limits
    private let isCancelled: @Sendable () -> Bool
    private let tell: @Sendable (LiveNotification) -> Void
    private let turn = Monitor(())

    init(
      _ stream: Descriptor, _ limits: Limits, _ isCancelled: @escaping @Sendable () -> Bool,
      _ tell: @escaping @Sendable (LiveNotification) -> Void
    ) {
      (self.stream, self.limits) = (stream, limits)
      (self.isCancelled, self.tell) = (isCancelled, tell)
    }

    func start() { Thread { [self] in read() }.start() }

    /// Ends the reader, which then releases the socket.
    func close() {
      _ = shutdown(stream.number, Int32(SHUT_RDWR))
    }

    // MARK: Requests

    /// Makes a request, and waits for the answer; other threads wait for their turn.
    func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON {
      try turn.withLock { _ throws(LiveFailure) in
        let id = try state.withLock { state throws(LiveFailure) in
          if let ending = state.ending { throw ending }
          state.requestCount += 1
          (state.pending, state.answer) = (state.requestCount, nil)
          return state.requestCount
        }
        let deadline = ContinuousClock.now + .seconds(limits.answer)
        try send(
          RPCLine.request(id, named: request.method.rawValue, request)[...], until: deadline)
        return try answer(to: request, until: deadline)
      }
    }

    private func send(
      _ bytes: ArraySlice<UInt8>, until deadline: ContinuousClock.Instant
    ) throws(LiveFailure) {
      var rest = bytes
      while !rest.isEmpty {
        guard let count = stream.send(rest) else {
          // The reader learns why.
          return
        }
        rest = rest.dropFirst(count)
        try check(deadline)
        if count == 0 { Descriptor.wait(reading: [], writing: stream, milliseconds: 50) }
      }
    }

    private func answer(
      to request: LiveRequest, until deadline: ContinuousClock.Instant
    ) throws(LiveFailure) -> JSON {
      while true {
        let answer = state.waitUntil(
          milliseconds: 50, { $0.answer != nil || $0.ending != nil }
        ) { state -> Result<JSON, LiveFailure>? in
          if let answer = state.answer {
            state.pending = nil
            return answer.mapError { LiveFailure($0, asked: request) }
          }
          return state.ending.map { .failure($0) }
        }
        if let answer { return try answer.get() }
        try check(deadline)
      }
    }

    private func check(_ deadline: ContinuousClock.Instant) throws(LiveFailure) {
      if isCancelled() { throw .cancelled }
      if ContinuousClock.now > deadline { throw .timedOut(seconds: limits.answer) }
    }

    // MARK: The reader

    private func read() {
      var splitter = LineSplitter()
      var ending: LiveFailure?
      while ending == nil {
        Descriptor.wait(reading: [stream], writing: nil, milliseconds: -1)
        switch stream.receive() {
        case .bytes(let bytes):
          splitter.append(bytes)
          while ending == nil, let line = splitter.next() { ending = handle(line) }
          if splitter.pendingCount > limits.messageByteCount {
            ending = .malformed("a message of more than \(limits.messageByteCount) bytes")
          }
        case .nothing: continue
        case .end: ending = .gone
        }
      }
      state.withLock { $0.ending = ending }
      state.signal()
      tell(.ended)
    }

    /// Handles a message; returns the reason if the connection cannot go on.
    private func handle(_ line: [UInt8]) -> LiveFailure? {
      let message: RPCMessage
      do throws(RPCError) {
        message = try RPCMessage(line)
      } catch {
        return .malformed(error.message)
      }
      switch message {
      case .result(let id, let result): return note(.success(result), id)
      case .failure(.null, let error): return .refused(error.message)
      case .failure(let id, let error): return note(.failure(error), id)
      case .notification(let method, let params):
        do throws(MalformedMessage) {
          if let notification = try LiveNotification(method, params), notification != .ended {
            tell(notification)
          }
          return nil
        } catch {
          return .malformed(error.description)
        }
      case .request(_, let method, _):
        return .malformed("the request \"\(method.printable)\"")
      }
    }

    private func note(_ answer: Result<JSON, RPCError>, _ id: JSON) -> LiveFailure? {
      defer { state.signal() }
      return state.withLock { state in
        guard let number = id.number?.uint64, number > 0, number <= state.requestCount else {
          return .malformed(
            "an answer to a request that was not made, with the id \(Excerpt.text(of: id))")
        }
        // An answer that came too late belongs to an earlier request.
        if number == state.pending { state.answer = answer }
        return nil
      }
    }
  }
}
