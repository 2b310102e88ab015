public import FluxCore
import FluxLog
public import FluxReplay
import FluxSystem
import Foundation
public import Logging
import Synchronization

/// Lets an inspector of the same user attach to the running app.
///
/// `flux-inspect attach` finds the app, follows its log, shows old models in its views, sets it to them, dispatches actions,
/// and dispatches the log's actions again to fresh stores in the app's process. Start it in debug builds only:
/// ```swift
/// let recorder = Recorder(to: url)
/// dispatcher.use(recorder)
/// #if DEBUG
///   let host = AppHost(recorder, app: shopApp, dispatcher: dispatcher)
/// #endif
/// ```
/// Keep the host for as long as you want it to serve. It listens on a socket in a folder that only the user can open, and
/// refuses processes of other users. It sends the types of actions, the path of the log, the results of replays, which
/// the recorder's redaction has passed, and to an inspector that cannot open the file, the bytes of the log.
///
/// Without a client the host costs nothing: a thread that sleeps. A client that reads slowly, or not at all, misses
/// events, and never slows the app. A host that cannot listen reports that in ``failure``, and the app runs as usual.
/// `docs/app-protocol.md` describes what it does.
public final class AppHost: Sendable {
  /// A kind of requests that a host carries out.
  public enum Permission: String, Sendable, CaseIterable {
    /// Reports the types of dispatched actions.
    case watch
    /// Dispatches actions.
    case dispatch
    /// Shows old models in the app's views, and lets the app ignore the actions of its user meanwhile.
    case present
    /// Sets the app to an old model.
    case restore
    /// Dispatches recorded actions again to fresh stores.
    case replay
    /// Sends the bytes of the recorder's logs, including those of earlier launches.
    case log
  }

  /// The bytes of the models that are kept, as `LiveHistory` counts them.
  private static let largestByteCount = 64 << 20

  /// The milliseconds that closing a log waits for clients which follow it.
  private static let closingTime = 2000

  private let listener: LocalListener?
  private let network: HostNetwork?
  private let queue: LiveQueue?

  /// The reason why no inspector can reach the host; nil if one can.
  public let failure: String?

  /// The state in which attached inspectors have brought the app, for a view that tells its user.
  public let presentation = AppPresentation()

  /// The port of this machine that the host listens on; nil if it listens on none.
  ///
  /// This is the `listensOn` of the initializer, or the port that the system has chosen for 0.
  public var port: UInt16? { network?.port }

  /// Starts a host.
  ///
  /// - Parameters:
  ///   - recorder: The recorder of the app. Inspectors follow its log.
  ///   - app: The definition of the app, with which inspectors replay in its process; nil, or one that needs the main
  ///     actor, to let them replay only in processes that they start. Its stores must have no effects outside of them,
  ///     because they share the variables of the app, and a reducer that crashes takes the app down.
  ///   - dispatcher: The dispatcher that the recorder is in use by; nil for an app without one, to which inspectors can show
  ///     nothing. They follow the log of any recorder that writes a file.
  ///   - inspector: The address of an inspector that listens, as `HOST:PORT`, to which the host connects. By default it is the
  ///     value of the environment variable `FLUX_INSPECTOR`, if that is set.
  ///   - port: The port of this machine, which no other reaches, on which an inspector connects over TCP; 0 lets the system
  ///     choose one. It is for devices that are connected by cable.
  ///   - token: The token of the inspector, which connections over TCP need. By default it is the value of
  ///     `FLUX_INSPECTOR_TOKEN`.
  ///   - permissions: The requests that the host carries out; all of them by default.
  ///   - modelCount: The newest models to keep while a client is attached, up to 64 MB of changed states as JSON. Older
  ///     ones come from the log, where redacted values are missing.
  ///   - logger: Receives the failure.
  public convenience init(
    _ recorder: Recorder, app: (any ReplayApp)? = nil, dispatcher: Dispatcher? = nil,
    connectsTo inspector: String? = nil, listensOn port: UInt16? = nil, token: String? = nil,
    allows permissions: Set<Permission> = .all, keeping modelCount: Int = 1000,
    logger: Logger = Logger(label: "flux.host")
  ) {
    self.init(
      recorder, app: app, dispatcher: dispatcher, connectsTo: inspector, listensOn: port,
      token: token, allows: permissions, keeping: modelCount, logger: logger, in: LiveFolder.all())
  }

  init(
    _ recorder: Recorder, app: (any ReplayApp)? = nil, dispatcher: Dispatcher? = nil,
    connectsTo inspector: String? = nil, listensOn port: UInt16? = nil, token: String? = nil,
    allows permissions: Set<Permission> = .all, keeping modelCount: Int = 1000,
    logger: Logger = Logger(label: "flux.host"), in folders: [LiveFolder],
    user: uid_t = geteuid(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    do {
      // Replays run on a thread of the host while the app runs.
      let replayed = app.flatMap { $0.needsMainActor ? nil : $0 }
      let log = recorder.logPart
      // The part keeps the recorder.
      recorder.whenClosed { [weak log] in log?.finish(milliseconds: Self.closingTime) }
      guard replayed != nil || dispatcher != nil || log != nil else {
        throw NothingToServe(needsMainActor: app != nil)
      }
      let (listener, problem) = Self.listener(in: folders)
      let waker = try Waker()
      let queue = LiveQueue(waker)
      let models = KeptModels(.init(models: modelCount, bytes: Self.largestByteCount))
      let feed = LiveFeed(queue, models, presentation)
      let redacted = replayed.map { RedactedApp($0, recorder) }
      // A verdict says something about a log, so it needs the permission to read that.
      let sentLogs = permissions.contains(.log) ? log : nil
      let live = dispatcher.map { LivePart($0, recorder, models, queue, log) }
      let replay = redacted.map { app in
        let queue = JobQueue("flux.replay", quality: .utility)
        return ReplayPart(app, on: queue, isSpawned: false, verifying: sentLogs)
      }
      let all: [(any AppPart)?] = [live, replay, log]
      let parts = all.compactMap(\.self)
      let allowed = Permission.allCases.filter(permissions.contains).compactMap {
        AppProtocol.Permission(rawValue: $0.rawValue)
      }
      let greeting = JobQueue("flux.greeting", quality: .utility)
      let server = AppServer(parts, allowing: Set(allowed), greetingOn: greeting) {
        var app = AppDescription()
        var served = parts.map(\.name)
        var problem: String?
        do throws(ReplayFailure) {
          app = try redacted?.describe() ?? app
        } catch {
          problem = recorder.failure?.message ?? error.description
          served.removeAll { $0 == .replay }
        }
        app.name = recorder.options.app?.name ?? app.name
        app.version = recorder.options.app?.version ?? app.version
        let isInMemory = if case .memory = recorder.destination { true } else { false }
        var welcome = Welcome(
          app, process: UInt64(getpid()), parts: served,
          log: isInMemory ? nil : recorder.url.path,
          problem: problem
            ?? (isInMemory ? "the app records in memory" : recorder.failure?.message),
          allows: allowed)
        welcome.recording = log?.current
        welcome.verifies = sentLogs != nil
        return welcome
      }
      let loop = ServerLoop(
        server, waker, listener: listener, admits: { $0.isPeer(of: user) }, turn: feed.turn)
      let network = HostNetwork(inspector, port, token, environment, loop, logger)
      let problems = [problem].compactMap(\.self) + network.problems
      guard listener != nil || network.serves else {
        (self.listener, self.network, self.queue) = (nil, network, nil)
        failure = problems.isEmpty ? nil : problems.joined(separator: "; ")
        if let failure { logger.error("no inspector can attach: \(failure)") }
        return
      }
      for problem in problems { logger.notice("not every inspector can attach: \(problem)") }
      do throws(SystemError) {
        try startThread(named: "flux.host") { loop.run() }
      } catch {
        listener?.removeName()
        network.stop()
        throw error
      }
      (self.listener, self.network, self.queue, failure) = (listener, network, queue, nil)
    } catch {
      let why = (error as? SystemError)?.text(about: "itself") ?? "\(error)"
      (listener, network, queue, failure) = (nil, nil, nil, why)
      logger.error("no inspector can attach: \(why)")
    }
  }

  /// Listens for inspectors of this machine; returns the reason if that is not possible, and neither if there is no folder.
  private static func listener(in folders: [LiveFolder]) -> (LocalListener?, problem: String?) {
    let number = Self.counter.add(1, ordering: .relaxed).newValue
    let folder =
      folders.first { $0.hasRoom(forSocketOf: getpid(), number: number) } ?? folders.first
    guard let folder else { return (nil, nil) }
    do {
      try folder.create()
      return (try LocalListener(path: folder.socket(of: getpid(), number: number)), nil)
    } catch {
      return (nil, (error as? SystemError)?.text(about: folder.path) ?? "\(error)")
    }
  }

  deinit { stop() }

  /// Closes all connections and stops serving; the views show the newest model again.
  public func stop() {
    listener?.removeName()
    network?.stop()
    queue?.append(.stopped)
  }

  /// The number of hosts that this process has started.
  private static let counter = Atomic<UInt64>(0)
}

extension Set<AppHost.Permission> {
  /// All permissions.
  public static var all: Self { Self(AppHost.Permission.allCases) }
}

extension Recorder {
  /// The part that serves the recorder's logs; nil if it writes no file.
  fileprivate var logPart: LogPart? {
    let logs: RecordedLogs
    switch destination {
    case .memory: return nil
    case .file(let url): logs = RecordedLogs(at: url.path)
    case .launches:
      guard let folder = destination.folder(options.log) else { return nil }
      logs = RecordedLogs(in: folder)
    }
    // If the recorder has not begun, or could not, the welcome says why.
    return LogPart(logs) { [self] in begun?.url.path }
  }
}

private struct NothingToServe: Error, CustomStringConvertible {
  let needsMainActor: Bool

  var description: String {
    needsMainActor
      ? "there is nothing to serve: the app needs the main actor, so only a process that an inspector starts can replay "
        + "it; give the host a dispatcher, or a recorder with a file"
      : "there is nothing to serve; give the host a dispatcher, an app, or a recorder with a file"
  }
}
