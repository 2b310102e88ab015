import FluxJSON
import FluxSystem

/// A group of requests that an app serves, one request after the other.
package protocol AppPart: Sendable {
  var name: AppProtocol.Part { get }

  var queue: JobQueue { get }

  /// Begins to serve a client, before its first request.
  func join(_ client: AppClient)

  /// Carries out a request.
  func answer(_ request: AppRequest) throws -> any Encodable

  /// Sends the answer to a request, after the events before it.
  func deliver(_ send: @escaping @Sendable () -> Void)

  /// Ends what the part does for a client.
  func leave(_ client: AppClient)
}

extension AppPart {
  package func join(_ client: AppClient) {}

  package func deliver(_ send: @escaping @Sendable () -> Void) { send() }
}

/// Serves the parts of an app to clients, whatever the transport.
///
/// It takes the lines of clients, and hands each request to the queue of its part. So the lines of a client are handled
/// while its requests run: `cancel`, `ping` and the end of the connection act at once.
package final class AppServer: Sendable {
  private let parts: [any AppPart]
  private let allowed: Set<AppProtocol.Permission>
  private let queue: JobQueue
  private let describe: @Sendable () throws -> Welcome

  /// Makes a server that allows the same to all clients.
  ///
  /// `queue` answers `initialize` and `shutdown`; nil for that of the first part. In a running app, a step that does not
  /// return must not keep others from attaching.
  package init(
    _ parts: [any AppPart],
    allowing allowed: Set<AppProtocol.Permission> = Set(AppProtocol.Permission.allCases),
    greetingOn queue: JobQueue? = nil,
    describe: @escaping @Sendable () throws -> Welcome
  ) {
    (self.parts, self.allowed, self.describe) = (parts, allowed, describe)
    self.queue = queue ?? parts[0].queue
  }

  package func handle(_ line: [UInt8], of client: AppClient) {
    let message: RPCMessage
    do throws(RPCMessage.Unreadable) {
      message = try RPCMessage(line)
    } catch {
      return client.send(RPCLine.failure(error.id, error.answer))
    }
    switch message {
    case .request(let id, let name, let params):
      do throws(RPCError) {
        try begin(name, params, id: id, of: client, byteCount: line.count)
      } catch {
        client.send(RPCLine.failure(id, error))
      }
    case .notification(AppProtocol.Notification.cancel.rawValue, let params):
      // A cancellation after the answer has no effect.
      if let id = params["request"] { client.cancel(id) }
    case .notification, .result, .failure: break
    }
  }

  private func begin(
    _ name: String, _ params: JSON, id: JSON, of client: AppClient, byteCount: Int
  ) throws(RPCError) {
    let found = AppProtocol.Method(rawValue: name)
    guard let method = found, serves(method) else {
      let known = AppProtocol.Method.allCases.filter(serves).map(\.rawValue)
      throw RPCError(
        .methodNotFound,
        "there is no method \"\(name)\"; there are \(known.joined(separator: ", "))")
    }
    switch method {
    case .ping: return client.send(RPCLine.result(id, [:] as JSON))
    case .initialize: try greet(client, params)
    // It may be the first request.
    case .shutdown: try startQueues()
    default:
      guard client.isGreeted else {
        throw RPCError(.notInitialized, "the first request must be initialize")
      }
      try check(method)
      // Not by the part: a client that does not wait for the answer watches all the same. The answer means that the part
      // has the client, and tells of each step.
      if method == .watch { client.watch() }
    }
    let request = AppRequest(method, params, id: id, of: client, byteCount: byteCount)
    client.begin(request)
    let part = parts.first { $0.name == method.part }
    (part?.queue ?? queue).add { [self] in
      let answer = answer(request, part)
      guard let part else { return client.finish(request, answer) }
      part.deliver { client.finish(request, answer) }
    }
  }

  private func serves(_ method: AppProtocol.Method) -> Bool {
    method.part == nil || parts.contains { $0.name == method.part }
  }

  private func greet(_ client: AppClient, _ params: JSON) throws(RPCError) {
    guard !client.isGreeted else {
      throw RPCError(.invalidRequest, "initialize was requested before")
    }
    let greeting = try MalformedMessage.turned(
      into: { RPCError(.invalidParams, $0) }, try Greeting(params))
    let version = greeting.version
    guard AppProtocol.isCompatible(version) else {
      throw RPCError(
        .failed, "the app speaks version \(AppProtocol.version) of the protocol, not \(version)")
    }
    try startQueues()
    client.greet(name: greeting.client)
    for part in parts { part.queue.add { part.join(client) } }
  }

  /// Starts the threads of all queues, so no job of a client that was greeted waits for one.
  private func startQueues() throws(RPCError) {
    do throws(SystemError) {
      try queue.start()
      for part in parts { try part.queue.start() }
    } catch {
      throw RPCError(.failed, "the app \(error.text(about: "the request"))")
    }
  }

  private func check(_ method: AppProtocol.Method) throws(RPCError) {
    guard let permission = method.permission, !allowed.contains(permission) else { return }
    let names = AppProtocol.Permission.allCases.filter(allowed.contains).map(\.rawValue)
    let rest = names.isEmpty ? "nothing" : "only \(names.joined(separator: ", "))"
    throw RPCError(.failed, "the app does not allow \(permission.rawValue); it allows \(rest)")
  }

  /// Returns the answer to a request; the part is nil if the request is of none.
  private func answer(_ request: AppRequest, _ part: (any AppPart)?) -> [UInt8] {
    do {
      if request.isCancelled { throw ReplayFailure(.cancelled) }
      if request.method == .initialize { return RPCLine.result(request.id, try describe()) }
      // Else the request is `shutdown`, which is of no part.
      guard let part else { return RPCLine.result(request.id, [:] as JSON) }
      return RPCLine.result(request.id, try part.answer(request))
    } catch {
      return RPCLine.failure(request.id, RPCError(error))
    }
  }

  package func leave(_ client: AppClient) {
    client.leave()
    guard client.isGreeted else { return }
    for part in parts { part.queue.add { part.leave(client) } }
  }

  /// Ends the queues of the parts.
  package func finish() {
    for part in parts { part.queue.finish() }
    queue.finish()
  }
}

extension RPCError {
  /// The error that answers a request which failed.
  fileprivate init(_ error: any Error) {
    switch error {
    case let error as RPCError: self = error
    case let error as MalformedMessage: self.init(error)
    case let error as ReplayFailure: self.init(error)
    default: self.init(.failed, "\(error)")
    }
  }
}
