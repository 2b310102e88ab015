import FluxInspector
import FluxJSON
public import FluxLog
public import FluxReplay
import FluxSystem
import Foundation

/// A log as the page shows it: its timeline, its rows, and what a verification said of it.
///
/// Safe to use from any thread; all clients of a server share one.
public final class PageLog: Sendable {
  private struct State {
    var rows = RowMap()
    /// The first row that was taken back, for each time that happened.
    var replaced: [Int] = []
    var verification = PageVerification()
    var isGone = false
  }

  /// The name that the page shows: the last component of the path, or the path in the folder that is served.
  public let name: String
  /// The number of logs that the server had opened before; its clients name the log by it.
  let opening: Int
  /// The log, in both directions.
  public let timeline: Timeline
  /// `true` if the app is running; what it does at the moment is no row then.
  let isLive: Bool
  private let state: Monitor<State>
  /// The sessions of all requests begin as this one, and share what the app has rebuilt.
  private let session: Session

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - log: The log; its index need not be complete.
  ///   - name: The name that the page shows; nil for the last component of the path.
  ///   - opening: The number of logs that the server had opened before.
  ///   - isLive: `true` for the log of a running app that is attached.
  public init(_ log: LogFile, name: String? = nil, opening: Int = 0, isLive: Bool = false) {
    timeline = Timeline(log)
    session = Session(timeline)
    (self.opening, self.isLive) = (opening, isLive)
    self.name = name ?? URL(filePath: log.path).lastPathComponent
    state = Monitor(State())
  }

  var log: LogFile { timeline.log }

  /// The newest verification of the log.
  var verification: PageVerification { state.withLock { $0.verification } }

  /// The report of the newest verification; nil if there was none.
  public var report: ReplayReport? { verification.report }

  /// Takes over a verification, for all clients; its app dispatches the step that diverged again.
  package func note(_ report: ReplayReport, of app: any ReplayApp) {
    let states = timeline.replayedStates(at: report.divergences.first, app)
    state.withLock { $0.verification = PageVerification(report: report, replayedStates: states) }
  }

  /// `true` if another file is at the path of the log, or if the log was found to be unreadable.
  var isReplaced: Bool { state.withLock { $0.isGone } || log.replacement() != nil }

  /// Notes that the log can no longer be read.
  func noteGone() { state.withLock { $0.isGone = true } }

  /// The rows of what is indexed by now.
  func rows() -> RowMap {
    state.withLock { state in
      let isLive = isLive || log.isBeingRecorded
      if let row = state.rows.update(log, isLive: isLive) { state.replaced.append(row) }
      return state.rows
    }
  }

  /// The number of times that rows were taken back, and the first row since a number of them.
  func replacements(since count: Int) -> (count: Int, firstRow: Int?) {
    state.withLock { ($0.replaced.count, $0.replaced.dropFirst(count).min()) }
  }

  /// The row to open first, and the reason: the first divergence, else the crash or what was in flight, else the first rejection,
  /// else the end.
  func landing(_ rows: RowMap) -> PageLanding {
    if let first = report?.divergences.first {
      let position = first.kind == .initial ? nil : log.position(atOrBefore: first.step)
      return PageLanding(row: rows.row(ofStep: position ?? Timeline.start), reason: .divergence)
    }
    if let crash = rows.unfinished { return PageLanding(row: crash, reason: .crash) }
    if let lost = rows.firstInFlight { return PageLanding(row: lost, reason: .inFlight) }
    if log.isIndexComplete,
      let position = log.position(in: 0..<log.count, shapeWhere: { $0.isRejected })
    {
      return PageLanding(row: rows.row(ofStep: position), reason: .rejection)
    }
    return PageLanding(row: rows.row(ofStep: rows.stepCount - 1), reason: .end)
  }

  func session(at position: Int, services: Services = Services()) -> Session {
    var session = session
    session.services = services
    session.stand(at: position)
    return session
  }

  func session(atStartOf rows: PageRows, _ request: PageRequest) throws -> Session {
    guard let fork = rows.fork else { return session(at: Timeline.start) }
    return try session(withForksOf: request).standing(at: .fork(fork.number, 0))
  }

  /// Returns a session at the start of the recording that has the forks of a request's console.
  func session(withForksOf request: PageRequest, services: Services = Services()) -> Session {
    var session = session(at: Timeline.start, services: services)
    if let console = request.console { session.takeForks(of: console) }
    return session
  }
}

/// The findings of a verification, with the states that the step led to that diverged first.
struct PageVerification: Sendable {
  /// The report; nil if the log was not verified.
  var report: ReplayReport?
  /// The replayed states of the stores that differ, by the number of the step.
  var replayedStates: [UInt64: ReplayedStates] = [:]
}

extension Timeline {
  /// Returns the replayed states that differ from the recorded ones at a divergence, by the number of its step.
  ///
  /// Empty if there are none, or if the step cannot be dispatched again: the report then shows the value that differs.
  fileprivate func replayedStates(
    at divergence: Divergence?, _ app: any ReplayApp
  ) -> [UInt64: ReplayedStates] {
    guard let divergence, divergence.kind == .different,
      log.position(atOrBefore: divergence.step) != nil
    else { return [:] }
    do {
      let states = try differingStates(at: divergence, in: app)
      return [divergence.step: states.map { (store: $0.store, state: $0.replayed) }]
    } catch {
      return [:]
    }
  }
}

/// The replayed states of the stores that differ from the recorded ones; nil stands for an absent feature.
typealias ReplayedStates = [(store: String, state: JSON?)]
