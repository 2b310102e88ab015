import FluxLog

extension Branch {
  /// Writes the branch as a log of its own, which begins in the states that the branch begins in.
  ///
  /// The log verifies like any other. Steps keep their numbers, and times stay those since the recording
  /// was begun.
  ///
  /// What the recording does not show, the log does not show either: values at the places that its header calls
  /// redacted, and where recorded actions of the same type have tokens, are replaced by tokens, and so are the same
  /// texts wherever else they come up.
  ///
  /// - Parameters:
  ///   - path: The file; it must not be there, unless it is to be replaced.
  ///   - log: The identity of the new log, a UUID as a rule.
  ///   - replacesExisting: Whether a log that is there already is replaced.
  /// - Throws: `LogError` where the file cannot be written, or is there already; `PointerError` where the header has
  ///   a redacted path that is none; `JSONError` where a state nests too deep to be written with tokens.
  public func save(to path: String, log: String, replacesExisting: Bool = false) throws {
    let places = try app.redactedPlaces(of: timeline.log.header)
    let redaction = try BranchRedaction(self, places: places)
    var options = LogWriter.Options()
    options.durability = .buffered
    options.replacesExisting = replacesExisting
    let writer = try LogWriter(
      path: path, header: header(log, redacted: places, initial: redaction.initial),
      options: options)
    for step in redaction.steps { writer.append(StepRecord(step)) }
    try writer.close()
  }

  private func header(
    _ log: String, redacted: [String], initial: StoreDictionary<JSON>
  ) -> LogHeader {
    let recorded = timeline.log.header
    var header = LogHeader(
      log: log, created: recorded.created ?? LogInstant(microseconds: 0), seed: recorded.seed ?? 0,
      first: first, app: recorded.app, platform: recorded.platform, redacted: redacted)
    if let name = app.name { header.app = LogHeader.App(name: name, version: app.version) }
    header.stores = app.stores.map { store in
      LogHeader.Store(
        name: store.name, type: store.type, isFeature: store.isFeature,
        initial: initial[store.name])
    }
    return header
  }
}

extension StepRecord {
  fileprivate init(_ step: BranchStep) {
    self.init(
      number: step.number, time: step.time, action: PreparedAction(LogValue(json: step.action)),
      changes: step.changes.map { change in
        Change(store: change.store, state: change.state.map { LogValue(json: $0) })
      },
      rejection: step.rejection)
    target = step.target
    cause = step.cause
    effect = step.effect
    from = step.from
  }
}
