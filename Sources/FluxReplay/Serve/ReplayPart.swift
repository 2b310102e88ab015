import FluxJSON
import FluxLog

/// The part `replay`: fresh stores of an app, to which recorded actions are dispatched again.
package final class ReplayPart: AppPart, @unchecked Sendable {
  // Sendable: only the jobs of `queue` use the variables.

  /// The sessions of a running app at most, of all its clients.
  private static let sessionCount = 1024

  package let name = AppProtocol.Part.replay
  package let queue: JobQueue
  private let app: any ReplayApp
  private let isSpawned: Bool
  private let logs: LogPart?
  private let answerByteCount: Int
  private var sessions: [UInt64: Session] = [:]
  private var startedCount: UInt64 = 0

  private struct Session {
    let client: AppClient
    let stores: any ReplaySession
    let mode: SessionStart.Mode
    /// The number of the next step, if its action has none.
    var next: UInt64
  }

  /// Makes the part of an app whose code runs on `queue`.
  ///
  /// A process with `isSpawned` does nothing else. In a running app, each step is announced before it begins, because a
  /// step that crashes takes the app down; and no client names a file to read. It verifies the logs that `logs` sends.
  /// It answers several actions with at most `answerByteCount` bytes of states and actions.
  package init(
    _ app: any ReplayApp, on queue: JobQueue, isSpawned: Bool, verifying logs: LogPart? = nil,
    answerByteCount: Int = AppProtocol.messageByteCount
  ) {
    (self.app, self.queue, self.isSpawned, self.logs) = (app, queue, isSpawned, logs)
    self.answerByteCount = answerByteCount
  }

  package func leave(_ client: AppClient) {
    for (number, session) in sessions where session.client === client { end(number, session) }
  }

  package func answer(_ request: AppRequest) throws -> any Encodable {
    switch request.method {
    case .start: return try start(request)
    case .dispatch: return try dispatch(request)
    case .states:
      let states = try session(of: request).stores.states()
      return ["states": OrderedMembers(states.ordered.map { ($0.key, $0.value) })]
    case .upcast:
      let upcast = try UpcastRequest(request.params)
      return ["states": try session(of: request).stores.upcast(upcast.states)]
    case .source:
      let message = try Message(request.params, called: "the request for source")
      let actions = Array(try message.required("actions", .array).elements)
      return try app.toldSource(of: actions)
    case .verify: return try verify(request)
    default:
      end(try number(in: request), try session(of: request))
      return [:] as JSON
    }
  }

  private func number(in request: AppRequest) throws(MalformedMessage) -> UInt64 {
    try Message(request.params, called: "the reference to a session").required("session", .integer)
  }

  private func session(of request: AppRequest) throws -> Session {
    let number = try number(in: request)
    guard let session = sessions[number], session.client === request.client else {
      throw RPCError(.noSuchSession, "there is no session \(number); session/start begins one")
    }
    return session
  }

  private func start(_ request: AppRequest) throws -> any Encodable {
    let start = try SessionStart(request.params)
    guard isSpawned || sessions.count < Self.sessionCount else {
      throw RPCError(
        .failed, "the app keeps \(Self.sessionCount) sessions already; end one, such as a fork's")
    }
    let stores = try app.start(start)
    // Nobody would end a session whose number the client does not learn.
    if request.isCancelled {
      stores.end()
      throw ReplayFailure(.cancelled)
    }
    startedCount += 1
    sessions[startedCount] = Session(
      client: request.client, stores: stores, mode: start.mode, next: start.next)
    return ["session": startedCount]
  }

  private func end(_ number: UInt64, _ session: Session) {
    session.stores.end()
    sessions[number] = nil
  }

  /// Dispatches one action at a time, to report progress in between.
  private func dispatch(_ request: AppRequest) throws -> any Encodable {
    let dispatch = try DispatchRequest(request.params)
    var session = try session(of: request)
    var heartbeat = Heartbeat(request)
    var answer: [ReplayedStep] = []
    var byteCount = 0
    for action in dispatch.actions {
      if !isSpawned { try request.announce(step: action.number ?? session.next) }
      let steps = try session.stores.dispatch([action])
      answer += steps
      byteCount += steps.reduce(0) { $0 + $1.byteCount }
      // Nobody reads so long an answer, and a running app must not run out of memory.
      guard isSpawned || byteCount <= answerByteCount || answer.count == steps.count else {
        throw RPCError(
          .failed,
          "the answer has more than \(answerByteCount) bytes; send fewer actions at a time")
      }
      guard let last = steps.last else { continue }
      session.next = session.mode.next(after: last)
      if isSpawned { heartbeat.beat(step: last.number) }
    }
    sessions[dispatch.session]?.next = session.next
    return ["steps": answer]
  }

  /// Verifies a whole log in this process, so that neither actions nor states cross to another one.
  private func verify(_ request: AppRequest) throws -> any Encodable {
    var verify = try VerifyRequest(request.params)
    let log = try open(&verify, request)
    var heartbeat = Heartbeat(request)
    let app = isSpawned ? app : AnnouncedApp(app: app, request: request)
    let report = try app.verifyHere(Timeline(log), options: verify.options) { done, total in
      if isSpawned, !heartbeat.beat(step: UInt64(done), of: UInt64(total)) { return }
      try check(request)
    }
    return VerifyAnswer(report)
  }

  /// Opens the log to verify; a running app has it itself, and nothing after the last step that the client has.
  private func open(_ verify: inout VerifyRequest, _ request: AppRequest) throws -> LogFile {
    if isSpawned { return try LogFile.open(verify.log) }
    guard let logs, let last = verify.through else {
      throw RPCError(.failed, "a running app reads no logs for clients; send the steps")
    }
    var options = LogFile.Options()
    options.threads = 1
    let log = try LogFile.open(try logs.path(of: verify.log, at: last), options: options)
    try log.waitForIndex { try check(request) }
    // Another file may be at the path by now, and the client may have changed its own.
    let isPrefix = try verify.prefix.map { try log.begins(with: $0) { try check(request) } }
    guard log.header.log == verify.log, isPrefix ?? true, let end = log.position(of: last) else {
      throw RPCError.log(
        .otherLines, "the log \(verify.log) has no step \(last), or other lines before it")
    }
    verify.options.range = (verify.options.range ?? 0..<log.count).clamped(to: 0..<end + 1)
    return log
  }

  /// Throws if nobody waits for the answer to a request any more.
  private func check(_ request: AppRequest) throws(ReplayFailure) {
    if request.isCancelled || request.client.hasEnded { throw ReplayFailure(.cancelled) }
  }
}

extension ReplayedStep {
  /// The bytes of its states and actions.
  fileprivate var byteCount: Int {
    let states = changes.reduce(0) { $0 + ($1.state?.byteCount ?? 0) }
    return followUps.reduce(states + (action?.byteCount ?? 0)) { $0 + $1.action.byteCount }
  }
}

/// Reports the progress of a request from time to time.
private struct Heartbeat {
  /// The time between two reports: short for a person, long for a machine.
  private static let interval = Duration.milliseconds(200)

  private let request: AppRequest
  private var next = ContinuousClock.now + interval

  init(_ request: AppRequest) { self.request = request }

  /// Reports the progress if a report is due; returns `true` if it was.
  @discardableResult
  mutating func beat(step: UInt64, of last: UInt64? = nil) -> Bool {
    let now = ContinuousClock.now
    guard now >= next else { return false }
    next = now + Self.interval
    request.client.send(request.progress(step: step, of: last))
    return true
  }
}
