package import FluxJSON
public import FluxLog
public import FluxReplay
import FluxSystem

/// An app in another process, whose executable serves its stores.
///
/// Each session has its own process, so variables outside the stores are fresh, too, and sets and
/// dictionaries have a different order. A process that crashes, exceeds one of its ``Limits`` or breaks the protocol is
/// stopped with its children. Only its session ends.
///
/// ```swift
/// let app = HostApp(executable: ".build/debug/shop")
/// let report = try app.verify(Timeline(LogFile.open("shop.jsonl")))
/// ```
/// `docs/app-protocol.md` defines the protocol.
public struct HostApp: ReplayApp {
  /// The limits for a host's time and messages.
  public struct Limits: Sendable {
    /// The limit in seconds for the start of a host and for creating fresh stores.
    public var start: Double = 10
    /// The limit in seconds for each call of a session; nil for none.
    ///
    /// Each report of a further step restarts it.
    public var call: Double?
    /// The limit in seconds for the exit of an idle host.
    public var end: Double = 1
    /// The limit in bytes for a message of a host, and for its answers to one batch of actions: 32 MB.
    ///
    /// The default is half of FLUX_MEMORY_LIMIT in the environment, because a text and its values are in memory
    /// at once. Memory is allocated only for what a host sends.
    public var messageByteCount = AppProtocol.messageByteCount

    /// Creates the default limits.
    public init() {}
  }

  /// The path of the executable.
  public var executablePath: String? { executable }

  let executable: String
  private let arguments: [String]
  private(set) var limits: Limits
  private let isCancelled: @Sendable () -> Bool
  private var spare: SpareHostKeeper
  /// The environment of its processes, if it is not that of this process.
  private var environment: OtherEnvironment?
  /// `true` if its processes have the same hash seed.
  private var hashesAlike = false

  /// Creates an app; its executable starts later.
  ///
  /// - Parameters:
  ///   - executable: The path of the app's executable.
  ///   - arguments: The arguments of the executable.
  ///   - limits: The limits for time and messages.
  ///   - isCancelled: Called at least 20 times a second by a thread that waits for the app. If it returns
  ///     `true`, the app is stopped and the call fails with `ReplayFailure.Reason.cancelled`.
  public init(
    executable: String, arguments: [String] = [], limits: Limits = Limits(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.executable = executable
    self.arguments = arguments
    self.limits = limits
    self.isCancelled = isCancelled
    spare = SpareHostKeeper(ending: limits.end)
  }

  /// Checks that the executable can be started, without starting it.
  package func checkExecutable() throws(ReplayFailure) {
    guard let obstacle = HostProcess.obstacle(executable) else { return }
    throw ReplayFailure(.cannotStart(why: obstacle), app: executable)
  }

  /// Returns the same app with another limit for its start, for creating fresh stores, and for each call.
  ///
  /// It shares its spare host with this one.
  public func limited(to seconds: Double?) -> any ReplayApp {
    var app = self
    (app.limits.start, app.limits.call) = (seconds ?? .infinity, seconds)
    return app
  }

  /// Returns the same app for processes with another working folder, time zone, locale, home folder and folder for
  /// temporary files.
  public func elsewhere(at instant: LogInstant) -> (any ReplayApp)? {
    let other = OtherEnvironment(at: instant)
    return withOtherProcesses { $0.environment = other }
  }

  /// Returns the same app for processes whose hash seed Swift does not draw.
  public func hashingAlike() -> (any ReplayApp)? {
    withOtherProcesses { $0.hashesAlike = true }
  }

  /// Returns a changed app, which cannot use the spare host of this one.
  private func withOtherProcesses(_ change: (inout HostApp) -> Void) -> HostApp {
    var app = self
    app.spare = SpareHostKeeper(ending: limits.end)
    change(&app)
    return app
  }

  /// Describes the app in its current build.
  ///
  /// - Throws: `ReplayFailure` if the executable cannot be started or does not serve.
  public func describe() throws(ReplayFailure) -> AppDescription {
    let host = try takeHost()
    let description = host.welcome.app
    keep(host)
    return description
  }

  /// Starts the executable, and a session in it.
  ///
  /// - Throws: `ReplayFailure` if the executable cannot be started, does not serve, or the states do not fit
  ///   its stores.
  public func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try startSession(start)
  }

  func startSession(_ start: SessionStart) throws(ReplayFailure) -> HostSession {
    let host = try takeHost()
    return try HostSession(
      host.connection, of: host.welcome.app, limits, start, restarting: self)
  }

  /// Returns a host that has described itself and has no session.
  func takeHost() throws(ReplayFailure) -> SpareHost {
    if let host = spare.take(executable) { return host }
    return try startHost()
  }

  func keep(_ host: SpareHost) { spare.keep(host) }

  /// Ends the hosts of all apps at once, and starts no more: a signal ends this program.
  package static func killHosts() { HostProcess.killAll() }

  /// The variables that a host gets in addition to this process's environment.
  ///
  /// A Swift backtrace would push the message of a trap out of the kept lines of standard error. The executable may be a
  /// script that starts an app in a simulator.
  private static let hostVariables: [String: String?] = [
    AppProtocol.variable: AppProtocol.standardStreams,
    AppProtocol.simulatorVariable: AppProtocol.standardStreams,
    "SWIFT_BACKTRACE": "enable=no",
  ]

  private func startHost() throws(ReplayFailure) -> SpareHost {
    let file = FileStatus.known(at: executable)
    let process: HostProcess
    var variables = Self.hostVariables.merging(environment?.variables ?? [:]) { own, _ in own }
    if hashesAlike { variables["SWIFT_DETERMINISTIC_HASHING"] = "1" }
    do throws(ReplayFailure) {
      try environment?.createFolders()
      process = try HostProcess.start(
        executable, arguments: arguments + (environment?.arguments ?? []), environment: variables,
        folder: environment?.folder)
    } catch {
      throw ReplayFailure(error.reason, app: executable)
    }
    let connection = HostConnection(
      process, name: executable, messageByteCount: limits.messageByteCount,
      isCancelled: isCancelled)
    return SpareHost(connection: connection, welcome: try greet(connection), file: file)
  }

  /// Asks a host to describe itself; a failure means that it is not a host.
  private func greet(_ connection: HostConnection) throws(ReplayFailure) -> Welcome {
    let welcome = try greet(connection, Greeting())
    // Such a host leaves out the effects for clients of another major version, and may be greeted twice.
    guard welcome.version == AppProtocol.lastVersion1 else { return welcome }
    do {
      return try greet(connection, Greeting(version: AppProtocol.lastVersion1))
    } catch {
      // One that refuses it goes on.
      guard connection.process?.checkExit() == nil else { throw error }
      return welcome
    }
  }

  private func greet(
    _ connection: HostConnection, _ greeting: Greeting
  ) throws(ReplayFailure) -> Welcome {
    let result: JSON
    do throws(ReplayFailure) {
      result = try connection.ask(.initialize, limit: limits.start, params: greeting)
    } catch {
      throw error.asFailureToStart
    }
    let welcome = try MalformedMessage.turned(
      into: {
        connection.failure(.cannotStart(why: "\($0); docs/app-protocol.md describes the answer"))
      }, try Welcome(result))
    if let why = welcome.incompatibility { throw connection.failure(.cannotStart(why: why)) }
    guard welcome.serves(.replay) else {
      throw connection.failure(
        .cannotStart(why: "its answer to initialize lists the parts it serves without \"replay\""))
    }
    return welcome
  }
}

extension HostApp: SourceTellingApp {
  /// Asks the app for its source; a host that does not know the request tells none.
  package func source(of actions: [JSON]) throws(ReplayFailure) -> AppSource {
    let host = try takeHost()
    var answer: JSON?
    do throws(ReplayFailure) {
      answer = try host.connection.ask(
        .source, limit: limits.start, params: ["actions": actions])
    } catch {
      guard case .refused = error.reason else { throw error }
    }
    keep(host)
    return AppSource(answer, of: actions)
  }
}

extension ReplayFailure {
  /// The failure as one to start: the executable is not a working host.
  var asFailureToStart: ReplayFailure {
    var failure = self
    let hint =
      "; the first statement of the app must be ReplayHost.runIfRequested, see docs/app-protocol.md"
    switch reason {
    case .exited where lastWords.last?.hasPrefix(AppProtocol.refusal) == true:
      failure.reason = .cannotStart(why: failure.lastWords.removeLast())
    case .exited(let exit):
      failure.reason = .cannotStart(why: "it \(exit) instead of serving\(hint)")
    case .timedOut(let seconds):
      failure.reason = .cannotStart(why: "it did not answer within \(seconds) s\(hint)")
    case .protocolViolation(let found, let expected):
      failure.reason = .cannotStart(why: "it answered with \(found); expected \(expected)\(hint)")
    case .refused(_, let why):
      failure.reason = .cannotStart(why: "it answered with the error: \(why)")
    default: break
    }
    return failure
  }
}
