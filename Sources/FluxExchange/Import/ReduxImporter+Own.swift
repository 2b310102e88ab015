import FluxInspector
import FluxJSON
import FluxLog

extension ReduxImporter {
  /// Writes the log from which this program exported the session; returns the number of steps.
  mutating func writeOwn(
    to path: String, replacesExisting: Bool, _ progress: (Int, Int) throws -> Void
  ) throws -> Int {
    func problem() -> CommandError {
      session.source.problem("$.flux", "expected the header of a log")
    }
    guard let place = session.values["flux"] else { throw problem() }
    let object = try session.source.parse(place, at: "$.flux")
    /// The values of a log that was imported itself have the form of jsan in the log as well.
    let isJSAN = object["jsan"]?.bool == true
    func unescaped(_ value: JSON) throws -> JSON { isJSAN ? value : try value.jsanUnescaped }
    let flux = try unescaped(object)
    guard case .header(var header)? = LogLine(object: flux) else { throw problem() }
    header.version = header.versionToWrite
    let initial = try states.computed(at: 0, &losses)?.state.map(unescaped)
    /// The root state is that of the only store of the log, and not an object with the states of its stores.
    let isRoot = object[StateTracker.rootMember]?.string == StateTracker.rootName
    let isWhole = !usesSlices && !isRoot
    if isWhole {
      header.stores = [LogHeader.Store(name: StateTracker.rootName, initial: initial)]
      tracker.begin(initial.map { [(StateTracker.rootName, $0)] } ?? [])
    } else {
      for store in header.stores { tracker.declare(store.name) }
      tracker.begin(header.stores.compactMap { store in store.initial.map { (store.name, $0) } })
    }
    let log = try CompleteLog(header, to: path, replacesExisting: replacesExisting)
    log.end = try OwnLine.end(in: flux, of: session.source)
    let staged = session.staged ?? []
    var (count, next) = (0, header.first)
    for (index, id) in staged.enumerated().dropFirst() {
      try progress(index - 1, staged.count - 1)
      let entry = try self.entry(id, at: index)
      let line = try OwnLine(
        entry, in: session.source, unescaped: unescaped,
        at: JSANReferences.text(["actionsById", session.names.name(of: id)]))
      switch line {
      case .mark(let mark): try log.append(mark)
      case .gap(let gap):
        try append(gap, to: log)
        next = gap.through &+ 1
      case .step(let step, let unknown):
        guard step.number == next else {
          throw session.source.problem(
            "$.stagedActionIds[\(index)]", "found step \(step.number), expected step \(next)")
        }
        next = step.number &+ 1
        count += 1
        var record = StepRecord(step)
        if step.rejection == nil {
          let state = try states.computed(at: index, &losses)?.state.map(unescaped)
          var known: [(name: String, state: JSON)]
          var (unknown, unwritten) = (unknown, step.unwritten)
          if isWhole {
            known = try divided(state, at: index)
            if !unknown.isEmpty || state == nil {
              losses.add("states that are not known", at: "$.computedStates[\(index)]")
            }
            // A root state without one of its members is another one, which the app never had.
            if !unknown.isEmpty { (known, unknown) = ([], [StateTracker.rootName]) }
            if !unwritten.isEmpty { unwritten = [StateTracker.rootName] }
          } else {
            known =
              try isRoot
              ? state.map { [(StateTracker.rootName, $0)] } ?? [] : divided(state ?? [:], at: index)
          }
          // A change that does not apply hides its store. The new log says so with a gap, as after other damage.
          if tracker.needsGap(before: unknown, unwritten: unwritten) {
            let number = step.number
            try append(LogGap(from: number, through: number &- 1, why: .damaged), to: log)
          }
          record.changes = tracker.changes(to: known, unwritten: unwritten, unknown: unknown)
          record.leaveOut(unwritten)
        }
        try log.append(record)
      }
    }
    try log.commit()
    return count
  }

  private mutating func append(_ gap: LogGap, to log: CompleteLog) throws(LogError) {
    if gap.why.hidesModel { tracker.forgetAll() } else { tracker.expectWholeModel() }
    try log.append(gap)
  }
}
