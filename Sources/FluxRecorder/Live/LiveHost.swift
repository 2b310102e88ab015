public import FluxCore
import FluxReplay
import FluxSystem
import Foundation
public import Logging

/// Lets an inspector of the same user attach to the running app.
///
/// `flux-inspect attach` finds the app, follows its log, shows old models in its views, sets it to them, and
/// dispatches actions. Start it in debug builds only:
/// ```swift
/// let recorder = Recorder(to: url)
/// dispatcher.use(recorder)
/// #if DEBUG
///   let host = LiveHost(dispatcher, recorder)
/// #endif
/// ```
/// Keep the host for as long as you want it to serve. It listens on a socket in a folder that only the user can open, and
/// refuses processes of other users. It sends the types of actions and the path of the log, and no payloads or states. An
/// inspector reads those in the log, where the recorder has redacted them.
///
/// Without a client the host costs nothing: a thread that sleeps. A client that reads slowly, or not at all, misses
/// events, and never slows the app. A host that cannot listen reports that in ``failure``, and the app runs as usual.
/// `docs/live.md` describes the protocol.
public final class LiveHost: Sendable {
  /// The requests that a host carries out.
  public struct Permissions: OptionSet, Sendable {
    /// Reports the types of dispatched actions.
    public static let watch = Permissions(rawValue: 1 << 0)
    /// Dispatches actions.
    public static let dispatch = Permissions(rawValue: 1 << 1)
    /// Shows old models in the app's views, and lets the app ignore the actions of its user meanwhile.
    public static let present = Permissions(rawValue: 1 << 2)
    /// Sets the app to an old model.
    public static let restore = Permissions(rawValue: 1 << 3)
    /// Everything.
    public static let all: Permissions = [.watch, .dispatch, .present, .restore]

    /// The permissions as bits.
    public let rawValue: Int

    /// Creates permissions from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    fileprivate var parts: Set<LivePermission> {
      let bits: [(Permissions, LivePermission)] = [
        (.watch, .watch), (.dispatch, .dispatch), (.present, .present), (.restore, .restore),
      ]
      return Set(bits.filter { contains($0.0) }.map(\.1))
    }
  }

  /// The bytes of the models that are kept, as `LiveHistory` counts them.
  private static let largestByteCount = 64 << 20

  private let server: LiveServer?

  /// The reason why the host does not serve; nil if it does.
  public let failure: String?

  /// Starts a host.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher to serve.
  ///   - recorder: The recorder that is in use by the dispatcher. Inspectors follow its log.
  ///   - permissions: The requests that the host carries out.
  ///   - modelCount: The newest models to keep while a client is attached, up to 64 MB of changed states as JSON. Older
  ///     ones come from the log, where redacted values are missing.
  ///   - logger: Receives the failure.
  public convenience init(
    _ dispatcher: Dispatcher, _ recorder: Recorder, allows permissions: Permissions = .all,
    keeping modelCount: Int = 1000, logger: Logger = Logger(label: "flux.live")
  ) {
    self.init(
      dispatcher, recorder, allows: permissions, keeping: modelCount, logger: logger,
      in: LiveFolder.all())
  }

  init(
    _ dispatcher: Dispatcher, _ recorder: Recorder, allows permissions: Permissions = .all,
    keeping modelCount: Int = 1000, logger: Logger = Logger(label: "flux.live"),
    in folders: [LiveFolder], user: uid_t = geteuid()
  ) {
    let number = Self.counter.next()
    let folder =
      folders.first { $0.hasRoom(forSocketOf: getpid(), number: number) } ?? folders[0]
    do {
      let waker = try Waker()
      let commands = LiveCommands(
        dispatcher: dispatcher, recorder: recorder, allowed: permissions.parts,
        models: KeptModels(LiveHistory.Limit(models: modelCount, bytes: Self.largestByteCount)),
        queue: LiveQueue(waker))
      let server = LiveServer(
        commands, listener: try Self.listen(in: folder, number: number), waker: waker, user: user)
      server.start()
      (self.server, failure) = (server, nil)
    } catch {
      let why =
        switch error {
        case let error as SystemError:
          "cannot \(error.operation) \(folder.path): \(systemMessage(error.code))"
        default: "\(error)"
        }
      (server, failure) = (nil, why)
      logger.error("no inspector can attach: \(why)")
    }
  }

  deinit { stop() }

  /// Closes all connections and stops serving; the views show the newest model again.
  public func stop() { server?.stop() }

  private static let counter = HostCounter()

  private static func listen(in folder: LiveFolder, number: UInt64) throws -> LocalListener {
    try folder.create()
    return try LocalListener(path: folder.socket(of: getpid(), number: number))
  }
}

/// The number of hosts that this process has started.
private final class HostCounter: @unchecked Sendable {
  // Sendable: `lock` guards the variable.
  private let lock = Lock()
  private var count: UInt64 = 0

  func next() -> UInt64 {
    lock.withLock {
      count += 1
      return count
    }
  }
}
