public import FluxLog

/// Repairs the log of an app that crashed, and rebuilds the steps that had no line yet.
///
/// Their actions are in the file of actions in flight. Dispatched again from the last states of the log, in
/// order, they lead to the states that the crash had kept from being written. The one that was under way when
/// the app crashed is not among them.
///
/// A step that was not recorded, because of a pause or a filter, is not in that file either. What it changed is
/// not known, so that nothing is rebuilt from there on.
///
/// Targets, causes and effects are in that file, too; middleware is not: an action that one had rejected is
/// dispatched to the stores.
public struct CrashRepair: Sendable {
  private let timeline: Timeline
  private let app: any ReplayApp
  private let timeout: Double?

  /// Makes a repair.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - app: Where the fresh stores come from.
  ///   - timeout: How many seconds the app may take over one call; nil for as long as it likes.
  public init(of timeline: Timeline, in app: any ReplayApp, timeout: Double? = nil) {
    self.timeline = timeline
    self.app = app
    self.timeout = timeout
  }

  /// Writes the repaired log.
  ///
  /// - Parameters:
  ///   - path: The new file, which must not be there yet.
  ///   - progress: As in `Timeline.repair(to:progress:)`.
  /// - Returns: What was kept, rebuilt and lost.
  /// - Throws: ``ReplayFailure`` where the app cannot be run, `LogError` where the log cannot be read or the
  ///   new file not be written; then there is none. What `progress` throws.
  public func write(
    to path: String, progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RepairReport {
    try timeline.repair(to: path, appending: try rebuilt(), progress: progress)
  }

  private func rebuilt() throws -> RebuiltSteps {
    try timeline.log.waitForIndex()
    let actions = try timeline.log.inFlight()
    guard let first = actions.first else { return RebuiltSteps() }
    guard let model = try lastModel(), first.number == next else {
      return RebuiltSteps(notes: [
        "step \(first.number) and those after it are not rebuilt: the states before them are not known"
      ])
    }
    var run = try RebuildRun(timeline, app, model, first: first, timeout: timeout)
    defer { run.end() }
    for action in actions where try !run.rebuild(action) { break }
    return run.rebuilt
  }

  /// The number of the first step without a line.
  private var next: UInt64 {
    timeline.log.number(at: timeline.end).map { $0 + 1 } ?? timeline.log.header.first
  }

  /// The states after the last line; nil where damage or a gap hides them.
  private func lastModel() throws(LogError) -> RecordedModel? {
    guard timeline.log.breaks.last?.position != timeline.log.count else { return nil }
    do throws(LogError) {
      let model = try timeline.model(at: timeline.end)
      return model.unknownStores.isEmpty ? model : nil
    } catch {
      guard case .damaged = error.reason else { throw error }
      return nil
    }
  }
}
