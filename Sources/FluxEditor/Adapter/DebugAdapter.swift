import FluxCommands
import FluxInspector
package import FluxSystem

/// Serves one client of the Debug Adapter Protocol.
///
/// Three threads share the work. The caller's reads requests, and acts at once on `pause`, `cancel` and `disconnect`. A
/// worker owns the session, and takes all other requests in order. While it searches, a second thread answers the
/// requests that only read.
package final class DebugAdapter: Sendable {
  /// The end of a session.
  package enum End: Equatable, Sendable {
    /// The client has disconnected, or is gone.
    case closed
    /// The client does not speak the protocol.
    case malformed(String)
    /// The system has no thread for the client.
    case refused(SystemError)
  }

  /// The milliseconds that the worker may take to end its app.
  private static let longestEnd = 3000

  private let connection: ClientConnection
  private let world: AdapterWorld
  private let inbox = Inbox()
  private let handles = Handles()
  private let published = Monitor<Reader?>(nil)
  private let threads = Monitor(0)
  private let token: AccessToken?
  private let didOpen: @Sendable () -> Void

  /// Makes an adapter for a client, with the files and apps that it can use.
  ///
  /// A launch needs the token; nil if the connection itself proves who the client is. `didOpen` is called when the client
  /// asks for a launch or an attach, with the token if there is one.
  package init(
    _ connection: ClientConnection, _ world: AdapterWorld, token: AccessToken? = nil,
    didOpen: @escaping @Sendable () -> Void = {}
  ) {
    (self.connection, self.world) = (connection, world)
    (self.token, self.didOpen) = (token, didOpen)
  }

  /// `true` once a launch or an attach of the client has succeeded.
  package var hasLog: Bool { published.withLock { $0 != nil } }

  /// Serves the client until it disconnects or is gone.
  package func run() -> End {
    defer {
      inbox.end()
      threads.waitUntil(milliseconds: Self.longestEnd, { $0 == 0 }) { _ in }
    }
    do throws(SystemError) {
      try start { $0.work() }
      try start { $0.read() }
    } catch {
      return .refused(error)
    }
    return receive()
  }

  private func start(
    _ body: @escaping @Sendable (DebugAdapter) -> Void
  ) throws(SystemError) {
    try threads.withLock { count throws(SystemError) in
      try startThread { [self] in
        body(self)
        threads.withLock { $0 -= 1 }
        threads.signal()
      }
      count += 1
    }
  }

  // MARK: Requests

  private func receive() -> End {
    var gate = TokenGate(token)
    var framing = MessageFraming()
    while let bytes = connection.receive() {
      framing.append(bytes)
      do throws(MessageFraming.Malformed) {
        while let message = try framing.next(
          longest: gate.isOpen ? MessageFraming.longestMessage : TokenGate.longestMessage)
        {
          guard let request = try Request.reading(message) else { continue }
          guard admit(request, &gate) else { continue }
          guard route(request) else { return .closed }
        }
      } catch {
        return .malformed(error.message)
      }
    }
    return .closed
  }

  /// Returns `true` for a request that the client may make; refuses any other one.
  private func admit(_ request: Request, _ gate: inout TokenGate) -> Bool {
    do throws(RequestError) {
      try gate.check(request)
    } catch {
      connection.refuse(request, error)
      return false
    }
    if request.command == "launch" || request.command == "attach" { didOpen() }
    return true
  }

  /// Takes a request; returns `false` if it is the last.
  private func route(_ request: Request) -> Bool {
    switch request.command {
    case "disconnect":
      connection.respond(to: request)
      return false
    case "pause":
      // The answer comes first: what it interrupts sends `stopped`.
      connection.respond(to: request)
      inbox.add(request)
    case "cancel": cancel(request)
    case "terminate":
      inbox.interruptForEnd()
      inbox.add(request)
    default: inbox.add(request)
    }
    return true
  }

  private func cancel(_ request: Request) {
    do throws(RequestError) {
      let arguments = try request.decoded(CancelArguments.self)
      connection.respond(to: request)
      let removed = inbox.cancel(request: arguments.requestId, progress: arguments.progressId)
      if let removed { connection.refuse(removed, .cancelled) }
    } catch {
      connection.refuse(request, error)
    }
  }

  // MARK: The worker

  /// The time between two looks for new lines of a log that is followed.
  private static let followInterval = Duration.milliseconds(200)

  private func work() {
    let progress = ProgressReport(connection, inbox)
    let session = DebugSession(
      connection, inbox, progress, handles, world, publishingIn: published)
    session.announcesAtOnce = token == nil
    defer { session.close() }
    var nextLook = ContinuousClock.now
    while true {
      // The time counts, and not a pause between requests: some clients never make one.
      if session.isFollowing, nextLook <= .now {
        session.follow()
        nextLook = .now + Self.followInterval
      }
      let rest = max(.zero, nextLook - .now) / .milliseconds(1)
      switch inbox.next(milliseconds: session.isFollowing ? Int(rest) + 1 : nil) {
      case .end: return
      case .nothing: break
      case .job(let job):
        let outcome = session.handle(job)
        progress.end()
        let reason = inbox.finish(.worker)
        switch outcome {
        case .done: break
        case .waiting:
          session.wait(since: job.request)
          // It has come after the last look of the search.
          if reason == .cancel { session.stopWaiting() }
        case .interrupted where reason == .breakpointsChanged: inbox.resume(job.request)
        case .interrupted(let thread): if reason != .end { session.stopInterrupted(thread) }
        }
      }
    }
  }

  /// Answers requests that only read, while the worker searches.
  private func read() {
    while let request = inbox.nextRead() {
      defer { inbox.finish(.reader) }
      guard var reader = published.withLock({ $0 }),
        let command = ReadCommand(rawValue: request.command)
      else {
        connection.refuse(request, RequestError("there is no log: launch or attach first"))
        continue
      }
      reader.session.services.isInterrupted = { [inbox] in inbox.isInterrupted(.reader) }
      do {
        try command.answer(request, reader, connection)
      } catch {
        connection.refuse(request, RequestError(error, in: reader.session))
      }
    }
  }
}
