package import FluxJSON
import FluxLog
package import FluxReplay
package import FluxSystem
import Foundation

/// A connection to a running app that serves an `AppHost`.
///
/// A thread reads all that the app sends, so the app never waits for this side. Any thread may make requests.
package final class LiveConnection: LiveApp {
  /// The limits for an app's time.
  package struct Limits: Sendable {
    /// The limit in seconds for an answer; an app in a long step answers after it.
    package var answer: Double = 10
    /// The seconds after which a search for apps names those that have not answered.
    package var patience: Double = 1

    package init() {}
  }

  package enum Transport: String, Sendable { case unix, tcp }

  /// A connection, which ends when it is released: its reader then releases the socket.
  private final class Wire: Sendable {
    let link: AppConnection
    let receiver: LogReceiver
    let announced: AnnouncedEvents
    private let stream: Descriptor

    init(
      _ link: AppConnection, _ receiver: LogReceiver, _ announced: AnnouncedEvents,
      _ stream: Descriptor
    ) {
      (self.link, self.receiver) = (link, receiver)
      (self.announced, self.stream) = (announced, stream)
    }

    deinit { _ = shutdown(stream.number, Int32(SHUT_RDWR)) }
  }

  package let welcome: Welcome
  /// The number of the socket, which names one of several hosts of a process; over TCP, that of the process.
  package let id: String
  package let transport: Transport
  /// The connection, of which an app that has connected again has another one.
  private let wire: Monitor<Wire>
  let limits: Limits
  /// `true` if the app announces its steps.
  private let isWatching = Monitor(false)
  /// The inspector that listens for the app, which may connect again.
  private let keeper = Monitor<ListeningInspector?>(nil)
  private let copied = Monitor<(path: String, owner: (any AnyObject & Sendable)?)?>(nil)

  var link: AppConnection { wire.withLock { $0.link } }
  var receiver: LogReceiver { wire.withLock { $0.receiver } }
  private var announced: AnnouncedEvents { wire.withLock { $0.announced } }

  package var logPath: String? { copied.withLock { $0?.path } ?? welcome.log }

  /// Takes note of the path of a copy of the log, and keeps its owner.
  package func readLog(at path: String, keptBy owner: (any AnyObject & Sendable)?) {
    copied.withLock { $0 = (path, owner) }
  }

  package var ending: LiveFailure? { link.ending.map { LiveFailure($0, within: limits.answer) } }

  package var presentation: LivePresentation {
    get { announced.presentation }
    set { announced.presentation = newValue }
  }

  private init(
    _ wire: Wire, _ limits: Limits, _ welcome: Welcome, _ transport: Transport, id: String
  ) {
    self.wire = Monitor(wire)
    self.limits = limits
    (self.welcome, self.transport, self.id) = (welcome, transport, id)
  }

  func keep(_ inspector: ListeningInspector) { keeper.withLock { $0 = inspector } }

  /// The inspector that the app has connected to; nil if this side has connected.
  package var inspector: ListeningInspector? { keeper.withLock { $0 } }

  package var successor: String? { inspector?.waiting?.name }

  /// Returns `true` if another connection leads to the same process, and to the same log if both know it.
  func isSame(as other: LiveConnection) -> Bool {
    if let log = welcome.recording, let other = other.welcome.recording, log != other {
      return false
    }
    return welcome.process == other.welcome.process && welcome.app.name == other.welcome.app.name
      && welcome.log == other.welcome.log
  }

  /// Goes on with the connection of an app that has connected again; the one before may be half open.
  ///
  /// - Returns: The rest of the work, which waits for the app.
  func replaceWire(by other: LiveConnection) -> () -> Void {
    let new = other.wire.withLock { $0 }
    // The app's views are live again since it has lost the one before, as the new one has it.
    let old = wire.withLock { wire in
      defer { wire = new }
      return wire
    }
    new.announced.follow(old.announced)
    return { [self] in goOn(with: new, old.receiver.copy) }
  }

  /// Asks for what the connection before was asked for.
  private func goOn(with wire: Wire, _ copy: LogCopy?) {
    if isWatching.withLock({ $0 }) {
      do throws(AppConnection.Failure) {
        _ = try wire.link.ask(.watch, [:] as JSON, limit: limits.answer)
      } catch {
        // The log has the steps in any case; only those that a crash keeps from it will not be named.
      }
    }
    guard let copy else { return }
    LogFollower(wire.link, wire.receiver, limits).goOn(with: copy)
  }

  /// Connects to an app, and asks it to describe itself; nil if nobody listens at the socket any more.
  ///
  /// The app must run as `user`. `isCancelled` is called a few times a second; `true` interrupts a request. `tell` is
  /// called on another thread with each event in the app; watching begins with ``watch()``.
  package static func connect(
    to socket: LiveSocket, limits: Limits = Limits(), user: uid_t = geteuid(),
    isCancelled: @escaping @Sendable () -> Bool = { false },
    tell: @escaping @Sendable (LiveNotification) -> Void = { _ in }
  ) throws(LiveFailure) -> LiveConnection? {
    let stream: Descriptor
    let peer: uid_t
    do throws(SystemError) {
      stream = try Descriptor.connecting(toLocal: socket.path)
      peer = try stream.peerUser()
    } catch {
      if error.code == ECONNREFUSED || error.code == ENOENT { return nil }
      throw .refused(error.text(about: socket.path))
    }
    guard peer == user else { throw .refused("\(socket.path) is served by user \(peer)") }
    return try begin(
      stream, nil, .unix, limits: limits, id: socket.id, isCancelled: isCancelled, tell: tell)
  }

  /// Asks the app at the other end of a stream to describe itself; `isCancelled` and `tell` are as above.
  ///
  /// `codes` is nil on a stream that needs none. `id` is the number of the app's socket; nil for that of its process.
  static func begin(
    _ stream: Descriptor, _ codes: MessageCodes?, _ transport: Transport,
    limits: Limits = Limits(), id: String? = nil, isCancelled: @escaping @Sendable () -> Bool,
    tell: @escaping @Sendable (LiveNotification) -> Void = { _ in }
  ) throws(LiveFailure) -> LiveConnection {
    let (receiver, announced) = (LogReceiver(), AnnouncedEvents())
    let link = AppConnection(
      stream, codes: codes, messageByteCount: AppProtocol.messageByteCount,
      isCancelled: isCancelled
    ) { name, params throws(MalformedMessage) in
      try receiver.take(name, params)
      guard let event = try LiveNotification(name.rawValue, params), event != .ended else { return }
      announced.take(event)
      tell(event)
    }
    do throws(AppConnection.Failure) {
      // Before the thread reads: an answer may come first.
      let answer = try link.ask(.initialize, Greeting(), limit: limits.answer)
      let welcome = try MalformedMessage.turned(
        into: { AppConnection.Failure.malformed(found: $0) }, try Welcome(answer.result))
      if let why = welcome.incompatibility { throw .refused(RPCError(.failed, why)) }
      do throws(SystemError) {
        try startThread {
          link.read()
          // A side that breaks the protocol is not read any further.
          _ = shutdown(stream.number, Int32(SHUT_RDWR))
          tell(.ended)
        }
      } catch {
        throw .refused(RPCError(.failed, error.text(about: "the app")))
      }
      return LiveConnection(
        Wire(link, receiver, announced, stream), limits, welcome, transport,
        id: id ?? "\(welcome.process ?? 0)")
    } catch {
      throw LiveFailure(error, within: limits.answer)
    }
  }

  /// Asks to be told of the events in the app; those after the answer are told.
  package func watch() throws(LiveFailure) {
    // An app that does not answer in time tells of the steps after the one it is in, so a
    // longer wait gains nothing.
    isWatching.withLock { $0 = true }
    _ = try ask(.watch, limit: min(limits.patience, limits.answer))
  }

  /// `true` if the app announces its steps to a client that asks.
  package var announcesSteps: Bool {
    welcome.serves(.live) && welcome.allows.contains(AppProtocol.Permission.watch.rawValue)
  }

  /// Returns the newest steps that the app has announced after one, in order; after ``watch()``.
  package func announcedSteps(after number: UInt64?) -> [LiveStep] {
    announced.steps(after: number)
  }

  package func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON {
    try ask(request, limit: limits.answer)
  }

  private func ask(_ request: LiveRequest, limit: Double) throws(LiveFailure) -> JSON {
    guard welcome.serves(.live) else {
      throw .refused(
        "the app serves no live part, so it can neither show and restore states nor take actions; its AppHost needs "
          + "the dispatcher, and apps of other architectures have none")
    }
    do throws(AppConnection.Failure) {
      let answer = try link.ask(request.method, request, limit: limit).result
      try receiver.wait(for: answer, limit: limit)
      return answer
    } catch .refused(let error) {
      throw LiveFailure(error, asked: request)
    } catch {
      throw LiveFailure(error, within: limit)
    }
  }

  package var responds: Bool {
    do throws(AppConnection.Failure) {
      _ = try link.ask(.ping, [:] as JSON, limit: 2)
      return true
    } catch {
      return error != .timedOut
    }
  }

  package var replay: (any ReplayApp)? {
    let isAllowed = welcome.allows.contains(AppProtocol.Permission.replay.rawValue)
    guard welcome.serves(.replay), isAllowed else { return nil }
    return AttachedReplay(app: self)
  }
}

extension LiveFailure {
  /// Converts the failure of a connection that was given some seconds to answer.
  init(_ failure: AppConnection.Failure, within seconds: Double) {
    switch failure {
    case .refused(let error), .unrelated(let error): self = .refused(error.message)
    case .malformed(let found, let problem, _): self = .malformed(problem ?? found)
    case .ended: self = .gone
    case .timedOut: self = .timedOut(seconds: seconds)
    case .cancelled: self = .cancelled
    }
  }
}

extension Descriptor: AppStreams {
  /// `false`: the app has ended when its socket says so.
  var hasEnded: Bool { false }

  func wait(toWrite writes: Bool, milliseconds: Int32) {
    Descriptor.wait(
      reading: [self], writing: writes ? self : nil, milliseconds: milliseconds)
  }
}
