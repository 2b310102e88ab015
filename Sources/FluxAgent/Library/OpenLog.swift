import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// A log that is open: its timeline, which all calls share, and the forks that calls made.
final class OpenLog: Sendable {
  private struct State {
    /// The session that numbers the forks; nil before the first.
    var session: Session?
    /// The forks as logs, by their numbers.
    var forks: [Int: (timeline: Timeline, keeper: any Sendable)] = [:]
    /// The call that dispatches actions again; nil if none does.
    var replaying: ToolCall?
    /// The file before it was last read.
    var file: FileStatus?
  }

  /// The name that clients use.
  let name: String
  let path: String
  /// The log, in both directions.
  let timeline: Timeline
  /// The number of forks that stay: each is a file, and has an index in memory.
  private static let largestForkCount = 16

  private let world: AgentWorld
  private let state: Monitor<State>

  /// Makes an open log; `file` describes the file before it was opened.
  init(_ name: String, path: String, _ log: LogFile, _ file: FileStatus?, _ world: AgentWorld) {
    (self.name, self.path, self.world) = (name, path, world)
    timeline = Timeline(log)
    state = Monitor(State(file: file))
  }

  var hasForks: Bool { state.withLock { !$0.forks.isEmpty } }

  // MARK: Reading

  /// Returns `true` unless another file is at the path now, or a closed log has changed.
  func isCurrent() throws -> Bool {
    guard let now = try FileStatus(path: path), let file = state.withLock({ $0.file }) else {
      return false
    }
    return file.identity == now.identity
      && (timeline.log.end == nil || file.modified == now.modified)
  }

  /// Reads what was appended to a log that is not closed.
  func refresh() throws {
    guard timeline.log.end == nil else { return }
    let file = try FileStatus(path: path)
    try timeline.refresh()
    state.withLock { $0.file = file }
  }

  /// Reads the recording or a fork of it; `body` asks a session, which stands before the first step.
  ///
  /// - Throws: ``ToolFailure`` in place of every error of the session.
  func read<Result>(
    _ call: ToolCall, fork: Int? = nil, _ body: (inout Session) throws -> Result
  ) throws -> Result {
    var timeline = timeline
    if let fork {
      let (found, numbers) = state.withLock { ($0.forks[fork]?.timeline, $0.forks.keys.sorted()) }
      guard let found else {
        let known = numbers.map(String.init).joined(separator: ", ")
        let isDropped = numbers.first.map { fork > 0 && fork < $0 } ?? false
        let kept = isDropped ? "; only the newest \(Self.largestForkCount) are kept" : ""
        throw ToolFailure(
          "\(name.shownInError) has no fork \(fork); "
            + (numbers.isEmpty
              ? "what_if makes one"
              : "the forks are \(known)\(kept)"))
      }
      timeline = found
      try timeline.log.waitForIndex { if call.isStopped { throw TimeOut() } }
    }
    var session = Session(timeline, services: call.services)
    return try Self.explaining(&session, call, body)
  }

  private static func explaining<Result>(
    _ session: inout Session, _ call: ToolCall, _ body: (inout Session) throws -> Result
  ) throws -> Result {
    do {
      return try body(&session)
    } catch let failure as ToolFailure {
      throw failure
    } catch {
      let error = CommandError(error, in: session)
      if error.code == .cancelled, call.isLate, !call.isCancelled { throw TimeOut() }
      throw ToolFailure(error)
    }
  }

  // MARK: Replaying

  /// Runs a call that dispatches actions again; such calls take turns.
  ///
  /// Without an app, the session says that there is none. `live` is the running app that the log is of. `body` asks the
  /// session that numbers the forks; if it returns, the forks that it made become logs.
  ///
  /// - Throws: As ``read(_:fork:_:)``.
  func replay<Result>(
    _ call: ToolCall, app: (any ReplayApp)?, live: (any LiveApp)? = nil,
    _ body: (inout Session) throws -> Result
  ) throws -> Result {
    try state.holding(\.replaying, for: call) {
      var session = state.withLock { $0.session } ?? Session(timeline)
      session.services = call.services
      session.services.app = app
      session.services.live = live
      return try Self.explaining(&session, call) { session in
        let result = try body(&session)
        try keepForks(of: &session)
        state.withLock { $0.session = session }
        return result
      }
    }
  }

  /// Makes logs of new forks, so that every tool reads them as it reads the recording; their stores end.
  ///
  /// The log of a fork has tokens where the recording has them.
  private func keepForks(of session: inout Session) throws {
    for fork in session.forks.forks {
      _ = try session.switchToFork(fork.number)
      let file = try world.temporaryFile("fork-\(fork.number).jsonl")
      _ = try session.saveFork(to: file.path)
      let timeline = Timeline(try LogFile.open(file.path))
      state.withLock { state in
        state.forks[fork.number] = (timeline, file.keeper)
        while state.forks.count > Self.largestForkCount, let oldest = state.forks.keys.min() {
          state.forks[oldest] = nil
        }
      }
      _ = try session.dropFork(fork.number)
    }
    session.services = Services()
  }
}

/// The end of a call whose time is over.
struct TimeOut: Error {}
