public import FluxInspector
import FluxJSON
public import FluxLog
import FluxReplay
import FluxSystem

/// Answers the requests of the page: a value goes in, a value comes out.
///
/// It knows no socket. Safe to use from any thread; all clients share the logs, and each has its own console.
public final class PageServer: Sendable {
  /// A log that can be served.
  public struct Source: Sendable {
    /// The name that the page shows.
    public let name: String
    /// The path of its file, for the size and the age in the list of logs; nil for a log without a file.
    public let path: String?
    /// Opens the log.
    public let open: @Sendable () throws(LogError) -> LogFile

    /// Describes a log.
    public init(
      name: String, path: String? = nil,
      open: @escaping @Sendable () throws(LogError) -> LogFile
    ) {
      (self.name, self.path, self.open) = (name, path, open)
    }
  }

  /// Lists the logs, of which the first is shown first.
  ///
  /// It is called again when a page is loaded, because a folder may have others then.
  public typealias Listing = @Sendable () throws(CommandError) -> [Source]

  private let logs: PageLogs
  private let token: AccessToken
  private let program: String
  private let services: Services
  private let port = Monitor<UInt16?>(nil)
  private let sessions = PageSessions()

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - token: The secret that each request for data has to know.
  ///   - program: The program and its version.
  ///   - services: The app and the invocation for the consoles; a console has neither files nor a shell.
  ///   - list: Lists the logs.
  public init(
    token: String, program: String, services: Services, _ list: @escaping Listing
  ) {
    (self.token, self.program, self.services) = (AccessToken(token), program, services)
    logs = PageLogs(isLive: services.live != nil, list)
  }

  /// Tells the port that the server listens on; requests to others are refused, and all before this call.
  public func listen(on port: UInt16) { self.port.withLock { $0 = port } }

  // MARK: Requests

  /// Checks the head of a request before its body is read.
  ///
  /// - Parameter head: The head.
  /// - Returns: The whole answer if the body is not wanted; nil if the client has the token, so that its body is to be read.
  public func answer(to head: PageHTTPHead) -> PageHTTPResponse? {
    do throws(PageError) {
      try check(head.request)
      guard head.request.isAboutData else { return try file(head.request) }
      guard head.bodyLength <= PageHTTPRequest.largestBody else {
        throw PageError(.tooLarge, "the request is larger than 1 MB")
      }
      return nil
    } catch {
      return .error(error, error.status == 405 ? [("Allow", head.request.methods)] : [])
    }
  }

  /// Answers a request within 100 ms.
  public func respond(to request: PageHTTPRequest) -> PageHTTPResponse {
    let head = PageHTTPHead(request: request, bodyLength: request.body.count)
    if let answer = answer(to: head) { return answer }
    do throws(PageError) {
      return try data(request)
    } catch {
      return .error(error)
    }
  }

  private func check(_ request: PageHTTPRequest) throws(PageError) {
    try checkOrigin(of: request)
    guard request.methods.split(separator: ", ").contains(request.method[...]) else {
      throw PageError(.method, "\(request.method) is not allowed here")
    }
    guard request.isAboutData else { return }
    guard let token = request.token, self.token.isSame(as: token) else {
      throw PageError(.noToken, "the token of this server is missing; open the address it printed")
    }
  }

  private func checkOrigin(of request: PageHTTPRequest) throws(PageError) {
    let port = port.withLock { $0 }
    let hosts = port.map { ["127.0.0.1:\($0)", "localhost:\($0)"] } ?? []
    guard let host = request.host, hosts.contains(host.lowercased()) else {
      throw PageError(.foreignHost, "this server is not \(request.host ?? "without a name")")
    }
    guard let origin = request.origin else { return }
    guard hosts.contains(where: { "http://\($0)" == origin.lowercased() }) else {
      throw PageError(.foreignOrigin, "pages of \(origin) may not read logs")
    }
  }

  private func file(_ request: PageHTTPRequest) throws(PageError) -> PageHTTPResponse {
    let name = request.path == "/" ? "index.html" : String(request.path.dropFirst())
    guard let file = PageFiles.all.first(where: { $0.name == name }) else {
      throw PageError(.notFound, "there is no \(request.path)")
    }
    guard request.encodings?.contains("gzip") == true else { return .bytes(file.type, file.bytes) }
    return .bytes(file.type, file.compressed, [("Content-Encoding", "gzip")])
  }

  private func data(_ request: PageHTTPRequest) throws(PageError) -> PageHTTPResponse {
    let members: JSON
    do {
      members = try JSON.parse(request.body.isEmpty ? Array("{}".utf8) : request.body)
    } catch {
      throw PageError(.badRequest, error.message)
    }
    let name = String(request.path.dropFirst("/data/".count))
    if name == "logs" { return .bytes("application/json", try listing()) }
    let wanted = try PageRequest(members, deadline: .now)
    let log = try logs.log(of: wanted)
    switch name {
    case "events":
      let since = try wanted.integer("since") ?? 0
      let session = try session(request)
      return PageHTTPResponse(
        status: 200,
        headers: PageHTTPResponse.common + [(name: "Content-Type", value: "application/x-ndjson")],
        body: .events(
          PageEvents(
            log, since: since, session, app: services.live,
            mustMakeRoom: sessions.beginEvents())))
    case "run", "complete":
      let session = try session(request)
      let bytes = try session.answer(name, members, log, services)
      return .bytes("application/json", bytes)
    case "show": return .bytes("application/json", try log.show(members, services))
    default:
      let console = request.session.flatMap { sessions.begun($0)?.console(of: log) }
      guard
        let bytes = try log.answer(name, members, setting, console: console, app: services.app)
      else { throw PageError(.notFound, "there is no request \(name)") }
      return .bytes("application/json", bytes)
    }
  }

  /// Answers `logs`: the logs with sizes, ages, and verdicts as far as they are known.
  private func listing() throws(PageError) -> [UInt8] {
    let glances = try logs.all().map { LogGlance($0.source.name, $0.source.path, $0.log) }
    do {
      return try LogEncoder(order: .declaration).bytes(of: Answer { try $0.set("logs", glances) })
    } catch {
      throw PageError(.internal, "the logs cannot be described")
    }
  }

  private var setting: PageSetting {
    var setting = PageSetting()
    setting.program = program
    setting.logs = logs.names
    setting.capabilities.hasApp = services.app != nil
    setting.capabilities.running = services.live?.name
    return setting
  }

  private func session(_ request: PageHTTPRequest) throws(PageError) -> PageSession {
    guard let name = request.session else {
      throw PageError(.badRequest, "the header X-Flux-Session is missing")
    }
    return try sessions.session(name)
  }
}

extension PageHTTPRequest {
  /// `true` for a request about a log, and not about a file of the page.
  fileprivate var isAboutData: Bool { path.hasPrefix("/data/") }

  /// The methods that its path allows.
  fileprivate var methods: String { isAboutData ? "POST" : "GET, HEAD" }
}
