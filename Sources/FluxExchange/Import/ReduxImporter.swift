import FluxInspector
import FluxJSON
import FluxLog

/// Writes the session of Redux DevTools in a file as a log.
///
/// docs/redux.md says how each part of a session is represented.
package struct ReduxImporter {
  /// The greatest depth of an action or a state, so that it fits into a line of a log.
  static let maximumDepth = JSON.maximumDepthInLine

  let session: ReduxSession
  /// `true` for a store of each member of the root state, which is an object; otherwise there is one, named `state`.
  let usesSlices: Bool
  var losses = LossCount()
  var tracker: StateTracker
  var states: ReduxStates

  package init(_ session: ReduxSession, usesSlices: Bool) {
    self.session = session
    self.usesSlices = usesSlices
    tracker = StateTracker(usesSlices: usesSlices)
    states = ReduxStates(session)
  }

  /// Writes the log; `progress` receives the number of steps, and ends the import by an error.
  ///
  /// - Throws: `CommandError` that names the place of a fault, `LogError` if the log cannot be written.
  package mutating func write(
    to path: String, replacesExisting: Bool,
    progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ImportReport {
    let steps: Int
    if session.isOwn {
      steps = try writeOwn(to: path, replacesExisting: replacesExisting, progress)
    } else if session.actions != nil {
      steps = try writeLifted(to: path, replacesExisting: replacesExisting, progress)
    } else {
      steps = try writeList(to: path, replacesExisting: replacesExisting, progress)
    }
    for place in states.references.cycles { losses.add("cycles", at: place) }
    for place in states.references.dangling {
      losses.add("references that lead nowhere", at: place)
    }
    return ImportReport(log: path, steps: steps, lost: losses.losses)
  }

  // MARK: Lifted state

  private mutating func writeLifted(
    to path: String, replacesExisting: Bool, _ progress: (Int, Int) throws -> Void
  ) throws -> Int {
    let staged = session.staged ?? session.actions?.ids ?? []
    let skipped = Set(session.skipped)
    try noteUnusedParts(staged)
    let initial = try initialState()
    var header = LogHeader(
      stores: usesSlices
        ? try memberStores(initial, staged, skipped) { try progress(0, max(0, staged.count - 1)) }
        : stores(initial))
    if usesSlices { for store in header.stores { tracker.declare(store.name) } }
    let created = try createdInstant(staged)
    header.created = created.map { LogInstant(microseconds: $0) }
    header.isJSAN = try session.source.contains(JSON.jsanName)
    let log = try CompleteLog(header, to: path, replacesExisting: replacesExisting)
    tracker.begin(initial ?? [])
    let marks = try ReduxMarks(session, count: staged.count, &losses)
    var (time, isHidden) = (LogTime(microseconds: 0), false)
    try marks.write(after: 0, at: time, to: log)
    for (index, id) in staged.enumerated().dropFirst() {
      try progress(index - 1, staged.count - 1)
      let entry = try self.entry(id, at: index)
      let (stepTime, isMoved) = Self.time(entry.instant, created, after: time, entry.timestamp)
      time = stepTime
      var record = StepRecord(
        number: UInt64(index), time: time,
        action: LogValue(json: entry.action))
      record.source = entry.source
      record.external = entry.external(id: session.names.json(of: id), movedTime: isMoved)
      let computed = try states.computed(at: index, &losses)
      let rejection = Self.rejection(computed, isSkipped: skipped.contains(id))
      if let rejection {
        record.rejection = rejection
        try noteState(of: computed, at: index)
      } else if let computed {
        isHidden = false
        record.changes = tracker.changes(to: try divided(computed.state, at: index))
      } else if !isHidden {
        // The file has no states from here on.
        isHidden = true
        tracker.forgetAll()
        try log.append(
          LogGap(from: UInt64(index), through: UInt64(index) &- 1, why: .imported))
      }
      try log.append(record)
      try marks.write(after: index, at: time, to: log)
    }
    try marks.writeEnd(at: time, to: log)
    try log.commit()
    return max(0, staged.count - 1)
  }

  /// Reads an action of lifted state.
  mutating func entry(_ id: ReduxID, at index: Int) throws -> ImportedAction {
    let name = session.names.name(of: id)
    guard let place = session.actions?[id] else {
      throw session.source.problem(
        "$.stagedActionIds[\(index)]", "there is no action \(name) in actionsById")
    }
    let path = ["actionsById", name]
    let json = try states.value(at: place, path)
    guard json.kind == .object else {
      throw session.source.problem(
        JSANReferences.text(path), "expected an object with an action, found \(json.shortText)")
    }
    let entry = ImportedAction(entry: json)
    if let loss = entry.loss { losses.add(loss, at: JSANReferences.text(path)) }
    return entry
  }

  /// The states before the first step, by store; nil if the root state is undefined or not in the file.
  private mutating func initialState() throws -> [(name: String, state: JSON)]? {
    if let computed = try states.computed(at: 0, &losses) {
      if computed.error != nil {
        losses.add("the error of the initial state", at: "$.computedStates[0].error")
      }
      try noteCommittedState(computed.state)
      return try computed.state.map { try divided($0, at: 0) }
    }
    for name in ["committedState", "preloadedState"] {
      let other = session.others.first { $0.name == name }?.place
      guard let place = session.values[name] ?? other else { continue }
      let state = try states.value(at: place, [name])
      return state.jsanTag == "u" ? nil : try divided(state, place: "$.\(name)")
    }
    return nil
  }

  func stores(_ initial: [(name: String, state: JSON)]?) -> [LogHeader.Store] {
    let stores = (initial ?? []).map { name, state in
      LogHeader.Store(
        name: name, isFeature: !usesSlices && session.hasUndefinedState, initial: state)
    }
    guard stores.isEmpty, !usesSlices else { return stores }
    // The root state is undefined at first, or the file does not have it.
    let isKnown = session.computed.map { $0.count > 0 } ?? (initial != nil)
    return [LogHeader.Store(name: StateTracker.rootName, isFeature: isKnown)]
  }

  /// The stores of all states of a session, because a header declares also those that appear later.
  ///
  /// A store that a state lacks is a feature. `check` is called for each state.
  private func memberStores(
    _ initial: [(name: String, state: JSON)]?, _ staged: [ReduxID], _ skipped: Set<ReduxID>,
    _ check: () throws -> Void
  ) throws -> [LogHeader.Store] {
    // The walk over the steps, which comes later, counts the losses and follows the references.
    var (states, losses) = (states, LossCount())
    var names = (initial ?? []).map { BytewiseName($0.name) }
    var counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: { $1 })
    var total = 1
    for (index, id) in staged.enumerated().dropFirst() {
      try check()
      guard let computed = try states.computed(at: index, &losses),
        Self.rejection(computed, isSkipped: skipped.contains(id)) == nil,
        let present = tracker.stores(of: computed.state)
      else { continue }
      total += 1
      for name in present.map({ BytewiseName($0.name) }) {
        if counts[name] == nil { names.append(name) }
        counts[name, default: 0] += 1
      }
    }
    return names.map { name in
      LogHeader.Store(
        name: name.text, isFeature: counts[name] != total,
        initial: initial?.first { BytewiseName($0.name) == name }?.state)
    }
  }

  mutating func divided(
    _ state: JSON?, at index: Int
  ) throws -> [(name: String, state: JSON)] {
    try divided(state, place: "$.computedStates[\(index)].state")
  }

  func divided(
    _ state: JSON?, place: @autoclosure () -> String
  ) throws -> [(name: String, state: JSON)] {
    guard !usesSlices || state != nil, let stores = tracker.stores(of: state) else {
      throw session.source.problem(
        place(),
        "--slices needs an object as the root state, found \(state?.shortText ?? "undefined")",
        hint: "without --slices, the log has one store named state")
    }
    return stores
  }

  // MARK: Times

  /// The time from which the log counts: that of `@@INIT`, or of the first action if that is earlier.
  private func createdInstant(_ staged: [ReduxID]) throws -> Int64? {
    var instants: [Int64] = []
    for id in staged.prefix(2) {
      guard let place = session.actions?[id] else { continue }
      let json = try session.source.parse(
        place, at: JSANReferences.text(["actionsById", session.names.name(of: id)]))
      if let instant = ImportedAction(entry: json).instant { instants.append(instant) }
    }
    return instants.min()
  }

  /// Returns the time of a step, which never decreases, and `true` if it is another one than that in the file.
  private static func time(
    _ instant: Int64?, _ created: Int64?, after last: LogTime, _ timestamp: JSON?
  ) -> (time: LogTime, isMoved: Bool) {
    guard let instant, let created else { return (last, timestamp != nil) }
    let (difference, isTooLarge) = instant.subtractingReportingOverflow(created)
    guard !isTooLarge, difference >= 0, UInt64(difference) >= last.microseconds else {
      return (last, true)
    }
    return (LogTime(microseconds: UInt64(difference)), false)
  }

  // MARK: Rejections

  /// The error that Redux DevTools writes for each action after one whose reducer threw.
  static let interruption = "Interrupted by an error up the chain"

  private static func rejection(_ computed: ReduxStates.Computed?, isSkipped: Bool) -> LogRejection?
  {
    if isSkipped {
      return LogRejection(reason: "skipped", message: "skipped in Redux DevTools")
    }
    guard let error = computed?.error else { return nil }
    let message = error.string ?? error.description
    return LogRejection(
      reason: message == interruption ? "interrupted" : "error", message: message)
  }

  // MARK: Losses

  /// Counts a rejected step that has another state than the step before, which a log cannot say.
  private mutating func noteState(of computed: ReduxStates.Computed?, at index: Int) throws {
    guard let computed, let stores = tracker.stores(of: computed.state), !tracker.isSame(stores)
    else { return }
    losses.add("states of rejected steps", at: "$.computedStates[\(index)].state")
  }

  private mutating func noteCommittedState(_ initial: JSON?) throws {
    guard let place = session.values["committedState"] else { return }
    let committed = try states.value(at: place, ["committedState"])
    if committed != initial, !(committed.jsanTag == "u" && initial == nil) {
      losses.add("a committed state that is not the first state", at: "$.committedState")
    }
  }

  /// Counts the parts of the session that the log does not represent.
  private mutating func noteUnusedParts(_ staged: [ReduxID]) throws {
    for (name, place) in session.others where name != "preloadedState" {
      _ = try session.source.parse(place, at: "$.\(name)")
      losses.add("other members of the session", at: JSANReferences.text([name]))
    }
    if let place = session.values["monitorState"] {
      let monitor = try session.source.parse(place, at: "$.monitorState")
      if !monitor.isNull, monitor.kind != .object || monitor.count > 0, monitor.jsanTag != "u" {
        losses.add("the state of the monitor", at: "$.monitorState")
      }
    }
    guard let actions = session.actions else { return }
    var isStaged = [Bool](repeating: false, count: actions.count)
    for id in staged { if let index = actions.index(of: id) { isStaged[index] = true } }
    for (index, id) in actions.order.enumerated() where !isStaged[index] {
      losses.add(
        actions.index(of: id) == index
          ? "actions that are not staged" : "actions whose id occurs again",
        at: JSANReferences.text(["actionsById", session.names.name(of: id)]))
    }
    for (index, id) in session.skipped.enumerated() {
      guard actions.index(of: id).map({ !isStaged[$0] }) ?? true else { continue }
      losses.add("skipped ids that are not staged", at: "$.skippedActionIds[\(index)]")
    }
    if let computed = session.computed, computed.count > staged.count {
      for index in staged.count..<computed.count {
        losses.add("states without an action", at: "$.computedStates[\(index)]")
      }
    }
  }
}

extension JSON {
  /// The value in a message: its text, or its kind if that is long.
  fileprivate var shortText: String {
    switch kind {
    case .array: "an array"
    case .object: "an object"
    default: excerpt(100)
    }
  }
}
