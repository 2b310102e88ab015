public import FluxJSON
public import FluxLog
package import FluxReplay

/// The session's part in a running app.
struct LiveView: Sendable {
  /// The position of the newest step, while the session follows the app; nil once it has moved away.
  var followed: Int?
  /// `true` if each move shows its position in the app.
  var showsMoves = false
}

extension Session {
  /// The app that the session is attached to.
  func liveApp() throws(CommandError) -> any LiveApp {
    guard let live = services.live else {
      throw CommandError(
        .notAttached, "this needs a running app; the session has only a log",
        next: .attach)
    }
    return live
  }

  /// Describes the app that dispatches recorded actions again.
  ///
  /// - Throws: ``CommandError`` of code `no-app` if there is none, or of code `app-failed` if it has ended.
  public func replayingApp() throws -> ReplayingApp {
    let app = try app()
    if let path = app.executablePath {
      return ReplayingApp(place: .spawned, path: path, name: nil, process: nil)
    }
    guard let live = services.live, live.replay != nil else {
      return ReplayingApp(place: .here, path: nil, name: nil, process: nil)
    }
    if let ending = live.ending { throw CommandError(ending) }
    return ReplayingApp(
      place: .attached, path: nil, name: live.name, process: live.welcome.process)
  }

  /// `true` if the session is connected to a running app, wherever it is in the log.
  package var isAttached: Bool { services.live.map { $0.ending == nil } ?? false }

  /// `true` if the session is at the newest step of a running app, and follows it.
  public var isLive: Bool {
    guard let live = services.live, live.ending == nil else { return false }
    return forkPlace == nil && liveView.followed == position
  }

  /// The state in which inspectors have brought the running app; nil if the session is attached to none.
  public var liveState: LiveChange.State? {
    guard let presentation = services.live?.presentation else { return nil }
    return presentation.isPaused ? .paused : presentation.step != nil ? .showing : .live
  }

  /// `true` if the running app was set to an old model, and has not dispatched an action since.
  public var isRestored: Bool {
    services.live != nil && log.isRestored(before: timeline.end + 1)
  }

  /// Reads the new steps of a running app, and goes to the newest if the session follows it.
  ///
  /// - Throws: `LogError` if the log can no longer be read.
  public mutating func catchUp() throws(LogError) {
    guard services.live != nil else { return }
    let isFollowing = liveView.followed == position
    try timeline.refresh()
    guard isFollowing, timeline.end >= position else { return }
    let end = timeline.end
    jumps.replace(end)
    liveView.followed = end
  }

  /// Goes to the newest step of the running app, and follows it from there.
  ///
  /// - Throws: ``CommandError`` of code `not-attached`, and `LogError` if the log can no longer be read.
  public mutating func follow() throws -> Move {
    _ = try liveApp()
    try timeline.refresh()
    return try moveToEnd()
  }

  /// Follows the running app if a move has led to its newest step.
  mutating func followIfAtEnd() {
    guard services.live != nil else { return }
    liveView.followed = position == timeline.end ? position : nil
  }

  // MARK: Showing

  /// Shows the model at a position in the views of the running app; at the newest step, the app is live again.
  ///
  /// A paused app stays paused.
  ///
  /// - Throws: ``CommandError`` if there is no such position or no app, and `LogError` if a state is unknown.
  public mutating func show(at position: Position = .here) throws -> LiveChange {
    let live = try liveApp()
    let resolved = try resolveRecorded(position)
    if resolved.position == timeline.end, !live.presentation.isPaused {
      _ = try asking { try live.ask(.resume) }
      live.presentation = LivePresentation()
      return LiveChange(state: .live, step: nil, notes: resolved.notes)
    }
    try present(resolved.position, in: live, pausing: live.presentation.isPaused)
    return LiveChange(
      state: live.presentation.isPaused ? .paused : .showing, step: number(at: resolved.position),
      notes: resolved.notes)
  }

  /// Shows each position that the session moves to in the views of the running app.
  public mutating func showMoves(_ showsMoves: Bool) throws -> LiveChange {
    _ = try liveApp()
    liveView.showsMoves = showsMoves
    guard showsMoves else { return try resume() }
    var change = try show()
    if change.state == .live {
      change.notes.append("the app follows from now on: it shows each step that you go to")
    }
    return change
  }

  /// Shows the position after a move, if ``showMoves(_:)`` asked for that.
  package mutating func showMove(from old: Int) throws -> [Note] {
    guard liveView.showsMoves, position != old, forkPlace == nil else { return [] }
    return try show().notes
  }

  /// Lets the running app ignore the actions of its user; its views keep the model that they show.
  public mutating func pause() throws -> LiveChange {
    let live = try liveApp()
    let shown = live.presentation.step.flatMap { step in
      step == number(at: Timeline.start).value ? Timeline.start : log.position(of: step)
    }
    try present(shown ?? (isLive ? nil : position), in: live, pausing: true)
    return LiveChange(state: .paused, step: number(at: shown ?? position))
  }

  /// Lets the running app run as usual, and goes to its newest step.
  public mutating func resume() throws -> LiveChange {
    let live = try liveApp()
    _ = try asking { try live.ask(.resume) }
    live.presentation = LivePresentation()
    _ = try follow()
    return LiveChange(state: .live, step: number(at: position))
  }

  /// Finds a position of the recording; the running app has no places on a fork.
  private func resolveRecorded(_ position: Position) throws -> ResolvedPosition {
    guard forkPlace == nil || position != .here else {
      throw CommandError(.usage, "the running app has no forks", next: .leaveFork)
    }
    return try resolve(position)
  }

  private func present(_ position: Int?, in live: any LiveApp, pausing: Bool) throws {
    let step = position.flatMap { number(at: $0).value }
    try asking {
      try live.present(step, ignoresActions: pausing) {
        try states(at: position ?? timeline.end)
      }
    }
    live.presentation = LivePresentation(
      isPaused: pausing, step: position == timeline.end ? nil : step)
  }

  // MARK: Changing

  /// Sets the running app to the model at a position, from which it runs as usual; goes to its newest step.
  ///
  /// - Throws: ``CommandError`` if there is no such position, or if the app does not take the model, and `LogError` if
  ///   a state is unknown.
  public mutating func restore(at position: Position = .here) throws -> LiveChange {
    let live = try liveApp()
    let resolved = try resolveRecorded(position)
    guard let step = number(at: resolved.position).value else {
      throw CommandError(.badPosition, "the state before step 0 cannot be restored")
    }
    let newest = number(at: timeline.end).value
    let wasPaused = live.presentation.isPaused
    try asking { try live.restore(step) { try states(at: resolved.position) } }
    live.presentation = LivePresentation()
    _ = try follow()
    var change = LiveChange(
      state: .restored, step: number(at: resolved.position), notes: resolved.notes)
    if let newest, newest > step {
      let left =
        newest > step + 1
        ? "steps \(step + 1) to \(newest) behind, which stay"
        : "step \(newest) behind, which stays"
      change.notes.append(
        "the app leaves \(left) in its log; its running effects are cancelled")
      change.notes.append("until the app dispatches an action, the newest step here is \(newest)")
    }
    if wasPaused {
      change.notes.append("the app is no longer paused: it accepts its user's actions again")
    }
    return change
  }

  /// Dispatches an action in the running app, and goes to its newest step.
  ///
  /// - Parameters:
  ///   - action: An object with a `type`, and usually a `payload`.
  ///   - store: The store to address it to; nil for all that handle it.
  /// - Returns: The steps that it made, and what they changed.
  /// - Throws: ``CommandError`` for what is no action, or if the app cannot decode the action, or ignores it.
  public mutating func dispatchLive(
    _ action: JSON, to store: String? = nil
  ) throws -> LiveDispatch {
    let live = try liveApp()
    try Self.checkAction(action)
    let answer = try asking { try live.dispatch(action, to: store) }
    guard let step = answer.step else {
      throw CommandError(
        .appFailed, "the app has ignored the action: it is paused", next: .resume)
    }
    try catchUp()
    guard let first = log.position(of: step) else {
      return LiveDispatch(
        steps: [], changes: [], rejected: nil,
        notes: [
          "step \(step) is \(answer.verdict), and not in this log, so what it changed is unknown here"
        ])
    }
    let end = log.position(atOrBefore: answer.last ?? step) ?? first
    var numbers: Set<UInt64> = [step]
    var steps: [StepSummary] = []
    for position in first...max(first, end) {
      let summary = try StepSummary(at: position, in: timeline)
      guard summary.number == step || summary.cause.map(numbers.contains) == true else { continue }
      numbers.insert(summary.number)
      steps.append(summary)
    }
    return LiveDispatch(
      steps: steps, changes: try changes(from: first, through: max(first, end)),
      rejected: steps.first?.rejected, notes: [])
  }

  /// Returns the changes that steps made; right after the app went back, those of the model to which it did.
  private func changes(from first: Int, through last: Int) throws -> [StateChange] {
    guard log.isRestored(before: first) else {
      return try difference(from: timeline.baseline(of: first).position, to: last, in: nil).changes
    }
    let before = try timeline.model(before: first).states
    let stores = log.storeNames
    return try zip(stores, knownStates(of: stores, at: last)).flatMap { store, state in
      StatePair(store, from: before[store] ?? .absent, to: state).changes
    }
  }

  // MARK: Requests

  /// Makes a request, and turns its failure into an error of a command.
  private func asking<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as LiveFailure {
      throw CommandError(failure)
    }
  }

  /// The known states at a position, without absent stores.
  func states(at position: Int) throws -> StoreDictionary<JSON> {
    let stores = log.storeNames
    let states = try knownStates(of: stores, at: position)
    return StoreDictionary(
      zip(stores, states).compactMap { store, state in state.json.map { (store, $0) } },
      uniquingKeysWith: { $1 })
  }
}

extension CommandError {
  /// Converts the failure of a request to a running app.
  package init(_ failure: LiveFailure) {
    switch failure {
    case .cancelled: self = .cancelled
    case .undecodable(let why): self.init(.badAction, why)
    case .gone: self.init(.appFailed, failure.description, next: .attach)
    default: self.init(.appFailed, failure.description)
    }
  }
}
