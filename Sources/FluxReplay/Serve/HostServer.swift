import FluxJSON
import FluxLog

/// Serves an app to another process by answering the protocol's requests.
///
/// It reads and writes lines, whatever the channel. `docs/replay-host.md` defines the protocol.
public final class HostServer {
  private let app: any ReplayApp
  private var sessions: [UInt64: any ReplaySession] = [:]
  private var startedCount: UInt64 = 0
  /// The version of the protocol that the client speaks; nil before it has said so.
  private var version: String?

  /// Creates a server.
  ///
  /// - Parameter app: The app to serve.
  public init(_ app: any ReplayApp) {
    self.app = app
  }

  /// Answers a line.
  ///
  /// - Returns: `false` after a `shutdown`, otherwise `true`.
  func answer(_ line: [UInt8], _ channel: some HostChannel) -> Bool {
    let message: RPCMessage
    do {
      message = try RPCMessage(line)
    } catch {
      channel.send(RPCLine.failure(.null, error))
      return true
    }
    // A cancellation after the answer has no effect.
    guard case .request(let id, let name, let params) = message else { return true }
    guard let method = HostProtocol.Method(rawValue: name) else {
      let known = HostProtocol.Method.allCases.map(\.rawValue).joined(separator: ", ")
      let error = RPCError(.methodNotFound, "there is no method \"\(name)\"; there are \(known)")
      channel.send(RPCLine.failure(id, error))
      return true
    }
    do {
      channel.send(try answer(Request(id: id, method: method, params: params), channel))
    } catch {
      channel.send(RPCLine.failure(id, error))
    }
    return method != .shutdown
  }

  private struct Request {
    let id: JSON
    let method: HostProtocol.Method
    let params: JSON
  }

  private func answer(
    _ request: Request, _ channel: some HostChannel
  ) throws(RPCError) -> [UInt8] {
    guard version != nil || request.method == .initialize || request.method == .shutdown else {
      throw RPCError(.notInitialized, "the first request must be initialize")
    }
    do {
      switch request.method {
      case .initialize: return try initialize(request)
      case .start: return try start(request)
      case .dispatch: return try dispatch(request, channel)
      case .states:
        let states = try session(SessionReference(request.params).session).states()
        return RPCLine.result(request.id, StatesAnswer(states))
      case .upcast:
        let upcast = try UpcastRequest(request.params)
        let states = try session(upcast.session).upcast(upcast.states)
        return RPCLine.result(request.id, UpcastAnswer(states))
      case .end:
        let number = try SessionReference(request.params).session
        try session(number).end()
        sessions[number] = nil
        return RPCLine.result(request.id, [:] as JSON)
      case .source:
        let actions = try SourceRequest(request.params).actions
        return RPCLine.result(request.id, SourceAnswer(try app.source(of: actions)))
      case .verify: return try verify(request, channel)
      case .shutdown:
        for session in sessions.values { session.end() }
        sessions = [:]
        return RPCLine.result(request.id, [:] as JSON)
      }
    } catch let error as RPCError {
      throw error
    } catch let error as MalformedMessage {
      throw RPCError(error)
    } catch let error as ReplayFailure {
      throw RPCError(error)
    } catch {
      throw RPCError(.failed, "\(error)")
    }
  }

  private func session(_ number: UInt64) throws(RPCError) -> any ReplaySession {
    guard let session = sessions[number] else {
      throw RPCError(.noSuchSession, "there is no session \(number); session/start begins one")
    }
    return session
  }

  private func initialize(_ request: Request) throws -> [UInt8] {
    let greeting = try Greeting(request.params)
    let welcome = Welcome(app: try app.describe(), verifies: true)
    version = greeting.version
    return RPCLine.result(request.id, welcome)
  }

  private func start(_ request: Request) throws -> [UInt8] {
    let session = try app.start(try SessionStart(request.params))
    startedCount += 1
    sessions[startedCount] = session
    return RPCLine.result(request.id, SessionReference(startedCount))
  }

  /// Dispatches one action at a time, to report progress in between.
  private func dispatch(_ request: Request, _ channel: some HostChannel) throws -> [UInt8] {
    let dispatch = try DispatchRequest(request.params)
    let session = try session(dispatch.session)
    var heartbeat = Heartbeat(request: request.id)
    var answer = DispatchAnswer()
    for action in dispatch.actions {
      var steps = try session.dispatch([action])
      if let version, !HostProtocol.readsStoreEffects(version) {
        for index in steps.indices { steps[index].storeEffects = nil }
      }
      answer.steps += steps
      if let last = steps.last { heartbeat.beat(step: last.number, channel) }
    }
    return RPCLine.result(request.id, answer)
  }

  /// Verifies a whole log in this process, so that neither actions nor states cross to another one.
  private func verify(_ request: Request, _ channel: some HostChannel) throws -> [UInt8] {
    let verify = try VerifyRequest(request.params)
    let log = try LogFile.open(verify.log)
    var heartbeat = Heartbeat(request: request.id)
    let report = try Verification(of: Timeline(log), in: app, options: verify.options)
      .run { done, total in
        guard heartbeat.beat(step: UInt64(done), of: UInt64(total), channel) else { return }
        if channel.isCancelled(request.id) { throw ReplayFailure(.cancelled) }
      }
    return RPCLine.result(request.id, VerifyAnswer(report))
  }
}

/// The connection that a host uses while it answers a request.
protocol HostChannel: AnyObject {
  /// Sends a line that includes its end.
  func send(_ line: [UInt8])

  /// Returns `true` if the other side has cancelled a request.
  func isCancelled(_ request: JSON) -> Bool
}

/// Reports the progress of a request from time to time.
struct Heartbeat {
  /// The time between two reports: short for a person, long for a machine.
  private static let interval = Duration.milliseconds(200)

  private let request: JSON
  private var next = ContinuousClock.now + interval

  init(request: JSON) { self.request = request }

  /// Reports the progress if a report is due; returns `true` if it was.
  @discardableResult
  mutating func beat(
    step: UInt64, of last: UInt64? = nil, _ channel: some HostChannel
  ) -> Bool {
    let now = ContinuousClock.now
    guard now >= next else { return false }
    next = now + Self.interval
    channel.send(
      RPCLine.notification(.progress, Progress(request: request, step: step, last: last)))
    return true
  }
}
