import FluxLog
public import FluxReplay

/// An app in another process: an executable that serves its stores.
///
/// Each session has a process of its own, so that what the app keeps outside of its stores is fresh too,
/// and the order of sets and dictionaries is another. A process that crashes, hangs or breaks the
/// protocol is stopped, with whatever it started, and costs only its session.
///
/// ```swift
/// let app = HostApp(executable: ".build/debug/shop")
/// let report = try app.verify(Timeline(LogFile.open("shop.jsonl")))
/// ```
/// `docs/replay-host.md` has the protocol.
public final class HostApp: ReplayApp {
  /// How much of this side's time and memory a host may take.
  public struct Limits: Sendable {
    /// How many seconds a host may take to start, and to make fresh stores.
    public var start: Double = 10
    /// How many seconds a host may take to end when it has nothing more to do.
    public var end: Double = 1
    /// How long a message of a host may be, in bytes: 1 GiB.
    ///
    /// Memory is only used for what a host sends.
    public var messageByteCount = 1 << 30

    /// Makes the limits that are usual.
    public init() {}
  }

  let executable: String
  private let arguments: [String]
  let limits: Limits
  private let isCancelled: @Sendable () -> Bool
  private let spare: SpareHostKeeper

  /// Names an app; nothing is started yet.
  ///
  /// - Parameters:
  ///   - executable: The path of the app's executable.
  ///   - arguments: Arguments for it.
  ///   - limits: How much time and memory it may take.
  ///   - isCancelled: Asked at least 20 times a second while the app is waited for, by the thread that
  ///     waits; where it says true, the app is stopped and the call fails with
  ///     `ReplayFailure.Reason.cancelled`.
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

  private init(_ other: HostApp, _ limits: Limits) {
    executable = other.executable
    arguments = other.arguments
    self.limits = limits
    isCancelled = other.isCancelled
    spare = other.spare
  }

  /// The same app with another limit of the time that it may take to start, and to make fresh stores.
  ///
  /// - Parameter seconds: The limit; nil for as long as it likes.
  /// - Returns: The app, which shares with this one a host that waits for its session.
  public func waiting(toStart seconds: Double?) -> any ReplayApp {
    var limits = limits
    limits.start = seconds ?? .infinity
    return HostApp(self, limits)
  }

  /// Tells what the app has, as it is built now.
  ///
  /// - Throws: `ReplayFailure` where the executable cannot be started or does not serve.
  public func describe() throws(ReplayFailure) -> AppDescription {
    let host = try takeHost()
    let description = host.welcome.app
    keep(host)
    return description
  }

  /// Starts the executable, and begins a session in it.
  ///
  /// - Parameter start: Where the session begins.
  /// - Returns: The session.
  /// - Throws: `ReplayFailure` where the executable cannot be started, does not serve, or cannot take
  ///   on the states.
  public func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try HostSession(app: self, start)
  }

  /// A host that has said what it is, and has no session.
  func takeHost() throws(ReplayFailure) -> SpareHost {
    if let host = spare.take(executable) { return host }
    return try startHost()
  }

  func keep(_ host: SpareHost) { spare.keep(host) }

  /// What a host is given besides this process's environment.
  ///
  /// Swift's backtraces would fill what is kept of standard error with registers, in place of the message
  /// of the trap.
  private static let environment = [
    HostProtocol.variable: HostProtocol.standardStreams, "SWIFT_BACKTRACE": "enable=no",
  ]

  private func startHost() throws(ReplayFailure) -> SpareHost {
    let file = SpareHost.status(of: executable)
    let process: HostProcess
    do {
      process = try HostProcess.start(
        executable, arguments: arguments, environment: Self.environment)
    } catch {
      throw ReplayFailure(.cannotStart(why: error.why), app: executable)
    }
    let connection = HostConnection(
      process,
      .init(
        name: executable, messageByteCount: limits.messageByteCount, isCancelled: isCancelled))
    return SpareHost(connection: connection, welcome: try greet(connection), file: file)
  }

  /// Asks a host what it is; whatever goes wrong means that it is none.
  private func greet(_ connection: HostConnection) throws(ReplayFailure) -> Welcome {
    let welcome: Welcome
    do {
      let result = try connection.ask(
        .initialize, limit: limits.start, params: Greeting(client: "flux-inspect").write)
      welcome = try Welcome(result)
    } catch let failure as ReplayFailure {
      throw failure.asFailureToStart
    } catch {
      throw connection.failure(.protocolViolation(found: "\(error)", expected: "what the app is"))
        .asFailureToStart
    }
    guard HostProtocol.isCompatible(welcome.version) else {
      throw connection.failure(
        .cannotStart(
          why: "it uses version \(welcome.version) of the protocol, and this program "
            + "\(HostProtocol.version); build both with the same version of the package"))
    }
    return welcome
  }
}

extension ReplayFailure {
  /// The failure of something that was started and is no host, or none that works.
  var asFailureToStart: ReplayFailure {
    var failure = self
    let hint =
      "; the first statement of the app must be ReplayHost.runIfRequested, see docs/replay-host.md"
    switch reason {
    case .exited(let exit):
      failure.reason = .cannotStart(why: "it \(exit) instead of serving\(hint)")
    case .timedOut(let seconds):
      failure.reason = .cannotStart(why: "it did not answer within \(seconds) s\(hint)")
    case .protocolViolation(let found, _):
      failure.reason = .cannotStart(why: "it answered with \(found)\(hint)")
    case .refused(_, let why):
      failure.reason = .cannotStart(why: "it answered with the error: \(why)")
    default: break
    }
    return failure
  }
}
