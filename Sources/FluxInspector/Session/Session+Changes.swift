public import FluxJSON
package import FluxLog
import FluxReplay

extension Session {
  /// The changes of the step here, against the last known model before it; on a fork, of its step here.
  ///
  /// - Parameter store: The only store to compare; nil for all.
  /// - Returns: The changes.
  /// - Throws: ``CommandError`` if there is no step here, and `LogError` if a state is unknown.
  public func difference(in store: String? = nil) throws -> Difference {
    if let store, !(forkHere?.fork.stores ?? log.storeNames).contains(exactly: store) {
      throw noStore(store)
    }
    if let here = forkHere { return try difference(of: here, in: store) }
    let position = try positionOfStep()
    let before = timeline.baseline(of: position)
    func isAsked(_ name: String) -> Bool { store.map { name.hasSameBytes(as: $0) } ?? true }
    var changed = try timeline.changedStores(at: position).filter(isAsked)
    var unrecorded = try timeline.unrecordedStores(at: position).filter(isAsked)
    let rebuilt = try rebuilt(changed + unrecorded, at: position)
    changed += unrecorded.filter { rebuilt?.stores.contains(exactly: $0) == true }
    unrecorded.removeAll { changed.contains(exactly: $0) }
    let unwritten = timeline.unwrittenStores(of: changed, at: position).filter {
      rebuilt?.stores.contains(exactly: $0) != true
    }
    changed.removeAll { unwritten.contains(exactly: $0) }
    let states = try knownStates(of: changed, at: position)
    let earlier = before.isRestored ? nil : try self.rebuilt(changed, at: before.position)
    var pairs: [StatePair] = []
    var afterGap = before.afterGap
    var notes: [Note] = []
    if !unwritten.isEmpty, let why = try rebuildFailure(at: position) {
      notes.append("\(unwritten.joined(separator: ", ")): cannot be rebuilt by replay: \(why)")
    }
    for (store, state) in zip(changed, states) {
      try checkInterruption()
      if earlier?.stores.contains(exactly: store) == true {
        let old = try storeState(store, at: before.position)
        pairs.append(StatePair(store, from: old, to: state))
        continue
      }
      if before.isRestored {
        let old = try timeline.storeState(store, before: position)
        pairs.append(StatePair(store, from: old, to: state))
        continue
      }
      let old = try timeline.lastKnown(store, atOrBefore: before.position)
      if old.position != before.position { afterGap = true }
      if timeline.isUnwritten(store, at: before.position) {
        notes.append(
          "\(store) is compared with step \(number(at: old.position)): its states between the two are not written"
        )
      }
      pairs.append(StatePair(store, from: old.state, to: state))
    }
    var difference = try Difference(
      from: number(at: before.position), to: number(at: position), afterGap: afterGap,
      states: pairs, identities: identities, check: check)
    difference.note(rebuilt: [earlier, rebuilt])
    difference.restored = before.isRestored ? true : nil
    difference.unwritten = unwritten.isEmpty ? nil : unwritten
    difference.notRecorded = unrecorded.isEmpty ? nil : unrecorded
    difference.notes += notes
    return difference
  }

  /// The differences between the models at two positions of the recording.
  ///
  /// - Parameters:
  ///   - from: The position of the first model.
  ///   - to: The position of the second model.
  ///   - store: The only store to compare; nil for all.
  /// - Returns: The changes.
  /// - Throws: ``CommandError`` if the log has no such position, and `LogError` if a state is unknown.
  public func difference(
    from: Position, to: Position = .here, in store: String? = nil
  ) throws -> Difference {
    let (from, to) = (try resolve(from), try resolve(to))
    var difference = try difference(from: from.position, to: to.position, in: store)
    difference.notes += from.notes + to.notes
    return difference
  }

  /// The differences between the model at another place and that here.
  public func difference(fromPlace place: Place) throws -> Difference {
    if case .recording(let from) = place, forkHere == nil {
      return try difference(from: from, to: position, in: nil)
    }
    let other = try standing(at: place)
    let (old, new) = (try other.model(), try model())
    var difference = Difference(
      from: other.numberHere, old.value, to: numberHere, new.value, identities: identities)
    difference.note(rebuilt: [old.rebuilt, new.rebuilt])
    return difference
  }

  /// The changes that turn the recorded states here into those that a replay led to; nil stands for an absent feature.
  package func difference(
    fromRecordedTo replayed: [(store: String, state: JSON?)]
  ) throws -> Difference {
    let pairs = try replayed.map { store, state in
      StatePair(
        store, from: try knownStates(of: [store], at: position)[0],
        to: state.map { .present($0) } ?? .absent)
    }
    return try Difference(
      from: number(at: position), to: number(at: position), states: pairs, identities: identities,
      check: check)
  }

  /// The differences between the models at two positions of the log.
  func difference(from: Int, to: Int, in store: String?) throws -> Difference {
    if let store, !log.storeNames.contains(exactly: store) { throw noStore(store) }
    let stores = store.map { [$0] } ?? log.storeNames
    let old = try knownStates(of: stores, at: from)
    let new = try knownStates(of: stores, at: to)
    let pairs = stores.indices.map { StatePair(stores[$0], from: old[$0], to: new[$0]) }
    var difference = try Difference(
      from: number(at: from), to: number(at: to), states: pairs, identities: identities,
      check: check)
    difference.note(rebuilt: [try rebuilt(stores, at: from), try rebuilt(stores, at: to)])
    return difference
  }

  private func difference(of here: ForkHere, in store: String?) throws -> Difference {
    _ = try stepHere()
    return Difference(
      from: here.number(afterSteps: here.count - 1),
      Fork.model(of: here.fork.history.states(afterSteps: here.count - 1)),
      to: here.number, Fork.model(of: here.states), in: store, identities: identities)
  }

  /// The steps up to here that wrote a value, newest first.
  ///
  /// - Parameters:
  ///   - path: A path into the states.
  ///   - all: `false` for the newest write alone.
  /// - Returns: The writes, computed while they are consumed.
  /// - Throws: ``CommandError`` of code `usage` if the path reads something else than states. Running the rows
  ///   throws one of code `no-path` if the path can select one value, and no step wrote it.
  public func blame(_ path: Path, all: Bool = false) throws -> Writes {
    try writes(of: .path(path), through: positionInRecording, .backwards, isSingle: !all)
  }

  /// The values that a path or an expression took in the whole log, and the steps that led to them, oldest first.
  ///
  /// - Throws: As ``blame(_:all:)``.
  public func history(of query: ValueQuery) throws -> Writes {
    try waitForIndex()
    return try writes(of: query, through: nil, .forwards, isSingle: false)
  }

  /// The steps that wrote a value, up to a position or in all that is indexed.
  ///
  /// If no step did, and the path can select one value, that is an error if `isRequired`.
  package func writes(
    of query: ValueQuery, through end: Int?, _ direction: SearchDirection, isSingle: Bool = false,
    isRequired: Bool = true
  ) throws -> Writes {
    try requireStates(query)
    let (timeline, here) = (timeline, positionInRecording)
    return Writes("writes", header: WritesHeader(query)) { work, start, each in
      var budget = RowBudget(work)
      let report = work.reporting("searching")
      var hasRows = start != nil
      var isFound = false
      var isRunning = false
      // A cursor that is a position is that of the next write.
      let position = start?.writes == nil ? start?.position : nil
      let left = try timeline.forEachWrite(
        of: query, through: direction == .backwards ? position ?? end : end, direction,
        from: start?.writes, check: { try work.check() },
        goesOn: { done, total in
          // Each run makes progress, however little time there is.
          defer { isRunning = true }
          try report(done, total)
          return !isRunning || !budget.isOver
        }
      ) { write in
        if direction == .forwards, let position, write.position < position { return true }
        guard try budget.take() else { return false }
        (hasRows, isFound) = (true, true)
        try each(Write(write, number: timeline.stepNumber(at: write.position)))
        return !isSingle && budget.rest > 0 && !budget.isOver
      }
      if isRequired, !hasRows, left == nil, case .path(let path) = query, path.isSingular {
        throw try timeline.missing(
          path, in: path.miss(in: timeline.document(at: here)),
          "at step \(timeline.stepNumber(at: here))")
      }
      return .init(
        NoMembers(), next: isSingle && isFound ? nil : left.map { Cursor($0) },
        notes: left == nil || isSingle
          ? try unknownNotes(query.footprint, through: end ?? timeline.end) : [])
    }
  }

  /// Refuses a query that reads other parts of a step than its states.
  func requireStates(_ query: ValueQuery) throws(CommandError) {
    guard query.footprint.readsStatesOnly else {
      throw CommandError(
        .usage, "\(query.text) is not a part of the state",
        hint: "a path begins with a store: todos.items")
    }
  }

  /// The remarks on stores whose states up to a position are unknown, so that the last writes may be missing.
  private func unknownNotes(_ footprint: Footprint, through end: Int) throws -> [Note] {
    try storesAfter(footprint).compactMap { store in
      let (last, _) = try timeline.lastKnown(store, atOrBefore: end)
      guard last < end else { return nil }
      let state = timeline.isUnwritten(store, at: end) ? "not in the log" : "unknown"
      return Note(
        "\(store): the states after step \(timeline.stepNumber(at: last)) are \(state), and a step after it may have "
          + "written the value")
    }
  }
}
