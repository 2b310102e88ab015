public import FluxLog

extension Branch {
  /// Writes the branch as a log of its own, which begins in the states that the branch begins in.
  ///
  /// The log verifies like any other. Steps keep their numbers, and times stay those since the recording
  /// was begun.
  ///
  /// - Parameters:
  ///   - path: The file; it must not be there, unless it is to be replaced.
  ///   - log: The identity of the new log, a UUID as a rule.
  ///   - replacesExisting: Whether a log that is there already is replaced.
  /// - Throws: `LogError` where the file cannot be written, or is there already.
  public func save(
    to path: String, log: String, replacesExisting: Bool = false
  ) throws(LogError) {
    var options = LogWriter.Options()
    options.durability = .buffered
    options.replacesExisting = replacesExisting
    let writer = try LogWriter(path: path, header: header(log), options: options)
    for step in steps { writer.append(StepRecord(step)) }
    try writer.close()
  }

  private func header(_ log: String) -> LogHeader {
    let recorded = timeline.log.header
    var header = LogHeader(
      log: log, created: recorded.created ?? LogInstant(microseconds: 0), seed: recorded.seed ?? 0,
      first: first, app: recorded.app, platform: recorded.platform, redacted: recorded.redacted)
    if let name = app.name { header.app = LogHeader.App(name: name, version: app.version) }
    header.stores = app.stores.map { store in
      LogHeader.Store(
        name: store.name, type: store.type, isFeature: store.isFeature,
        initial: baseStates[store.name])
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
