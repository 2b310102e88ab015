package import FluxJSON
package import FluxLog

extension Fork {
  /// Writes the fork as a separate log, with the fork's initial states.
  ///
  /// The log takes its place when it is complete, and can be verified like any other. Steps keep their numbers, and
  /// times still count from the start of the recording.
  ///
  /// The log hides what the recording hides. Tokens replace values at the redacted places of the recording's
  /// header, and at places where recorded actions of the same type have tokens. They replace the same texts
  /// everywhere else, too.
  ///
  /// - Parameters:
  ///   - path: The file, which must not exist unless `replacesExisting` is `true`.
  ///   - log: The identity of the new log, usually a UUID.
  ///   - replacesExisting: `true` to replace an existing log.
  /// - Throws: `LogError` if the file cannot be written or already exists; `PointerError` if the header has
  ///   an invalid redacted path; `JSONError` if a state nests too deeply to be written with tokens.
  public func save(to path: String, log: String, replacesExisting: Bool = false) throws {
    try newLog(at: path, log: log, replacesExisting: replacesExisting).commit()
  }

  /// Writes the log of ``save(to:log:replacesExisting:)`` next to its path; its `commit()` moves it to its place.
  func newLog(at path: String, log: String, replacesExisting: Bool) throws -> CompleteLog {
    let redaction = try ForkRedaction(self)
    let file = try CompleteLog(
      header(log, redaction.header, initial: try redaction.initial), to: path,
      replacesExisting: replacesExisting)
    try redaction.forEachStep { step, changes in try file.append(StepRecord(step, changes)) }
    return file
  }

  private func header(
    _ log: String, _ recorded: LogHeader, initial: StoreDictionary<JSON>
  ) -> LogHeader {
    var header = LogHeader(
      log: log, created: recorded.created ?? LogInstant(microseconds: 0), seed: recorded.seed ?? 0,
      first: history.first, recordsEffects: app.tellsAllEffects, app: recorded.app,
      platform: recorded.platform, circumstances: recorded.circumstances,
      redacted: recorded.redacted,
      only: recorded.only)
    if let name = app.name { header.app = LogHeader.App(name: name, version: app.version) }
    if steps.contains(where: { $0.randomStep != nil }) { header.version = .current }
    header.stores = app.stores.map { store in
      LogHeader.Store(
        name: store.name, type: store.type, isFeature: store.isFeature,
        initial: initial[store.name])
    }
    return header
  }
}

extension StepRecord {
  fileprivate init(_ step: ForkStep, _ changes: [ReplayedStep.Change]) {
    self.init(
      number: step.number, time: step.time, action: LogValue(json: step.action),
      target: step.target, cause: step.cause, effect: step.effect, from: step.from,
      effects: step.storeEffects,
      changes: changes.map { Change(store: $0.store, json: $0.state) }, rejection: step.rejection)
    randomStep = step.randomStep
    // Its cause did not dispatch it on the fork, and would not in a replay.
    if step.isOrphan, step.effect != nil || step.from != nil { moveCause() }
  }
}

extension StepRecord.Change {
  /// Creates a change to a state; nil if the step removed the feature.
  init(store: String, json: JSON?) {
    self.init(store: store, state: json.map { LogValue(json: $0) })
  }
}

/// The steps and initial states of a fork, without the values that the recording hides.
///
/// The recording's header lists the redacted places in states, and its actions show those in payloads. Tokens
/// replace the fork's values at those places, and the same texts in all states, actions and rejection
/// messages. A replay of the saved fork, which begins with the tokens, therefore reaches the saved states.
///
/// Whatever writes a fork to a file writes this.
package struct ForkRedaction {
  /// The recording's header, with the app's names for the stores in the redacted places.
  let header: LogHeader
  private let history: ForkHistory
  /// The values at the redacted places of all states, and their tokens.
  private var secrets: RedactedStates

  /// Redacts a fork.
  ///
  /// - Throws: `PointerError` if the header has an invalid redacted path, `LogError` if an action of the
  ///   recording cannot be read, `JSONError` if a value nests too deeply to be written.
  package init(_ fork: Fork) throws {
    header = try fork.app.renamingRedactedPlaces(of: fork.timeline.log.header)
    history = fork.history
    secrets = try RedactedStates(header.redacted, only: header.only)
    try learnStates()
    try learnActions(of: fork.timeline.log)
  }

  private var steps: [ForkStep] { history.steps }

  package var stepCount: Int { steps.count }

  /// The states at the start of the fork, by the app's names for its stores.
  package var initial: StoreDictionary<JSON> {
    get throws { try redacted(history.states.initial) }
  }

  /// The states after the last step, as one object `{store: state}`.
  package var model: JSON {
    get throws { Fork.model(of: try redacted(history.states.current)) }
  }

  package func step(at index: Int) throws -> ForkStep {
    var step = steps[index]
    guard !secrets.texts.isEmpty else { return step }
    step.action = try secrets.texts.replaced(inAction: step.action)
    if let message = step.rejection?.message {
      step.rejection?.message = secrets.texts.replaced(inMessage: message)
    }
    return step
  }

  func forEachStep(_ body: (ForkStep, [ReplayedStep.Change]) throws -> Void) throws {
    var walk = ForkStates.Walk(history.states)
    for index in steps.indices {
      walk.advance()
      let step = try step(at: index)
      try body(
        step,
        step.changed.map { store in
          ReplayedStep.Change(
            store: store, state: try walk.state(of: store).map { try redacted($0, of: store) })
        })
    }
  }

  private func redacted(_ states: StoreDictionary<JSON>) throws -> StoreDictionary<JSON> {
    var redacted: StoreDictionary<JSON> = [:]
    for (store, state) in states { redacted[store] = try self.redacted(state, of: store) }
    return redacted
  }

  private func redacted(_ state: JSON, of store: String) throws -> JSON {
    // All values at redacted places have tokens by now, so the copy learns nothing.
    var secrets = secrets
    let state = try secrets.redacted(state, of: store, recorded: nil)
    return secrets.texts.isEmpty ? state : try secrets.texts.replaced(in: state)
  }

  private mutating func learnStates() throws {
    for (store, state) in history.states.initial {
      _ = try secrets.redacted(state, of: store, recorded: nil)
    }
    guard secrets.hidesPlaces else { return }
    var walk = ForkStates.Walk(history.states)
    for index in steps.indices {
      walk.advance()
      for store in steps[index].changed {
        guard let state = walk.state(of: store) else { continue }
        _ = try secrets.redacted(state, of: store, recorded: nil)
      }
    }
  }

  /// The number of recorded actions to examine for each type: one may lack a member that another has.
  private static let samples = 8

  /// Collects payload values at places where recorded actions of the type have tokens, alone or in a batch.
  private mutating func learnActions(of log: LogFile) throws {
    let batched = try Self.samples(of: AppDescription.batch, in: log).flatMap(Self.actions(of:))
    var samples: [String: [JSON]] = [:]
    for action in steps.flatMap({ Self.actions(of: $0.action) }) {
      guard let type = action["type"]?.string else { continue }
      if samples[type] == nil {
        samples[type] =
          try Self.samples(of: type, in: log) + batched.filter { $0["type"]?.string == type }
      }
      for recorded in samples[type] ?? [] { secrets.learn(action, whereTokensAreIn: recorded) }
    }
  }

  /// Returns an action, and those in it if it is a batch.
  private static func actions(of action: JSON) -> [JSON] {
    guard action["type"]?.string == AppDescription.batch,
      let inside = action["payload"]?["actions"]
    else { return [action] }
    return [action] + inside.elements.flatMap(actions(of:))
  }

  /// Returns recorded actions of a type that have tokens.
  private static func samples(of type: String, in log: LogFile) throws -> [JSON] {
    var samples: [JSON] = []
    var begin = 0
    for _ in 0..<Self.samples {
      let found = log.position(ofRank: 1, in: begin..<log.count) { $0 == type }
      guard let position = found.position else { break }
      let action = try log.step(at: position).action
      if RedactionToken.isAnywhere(in: action) { samples.append(action) }
      begin = position + 1
    }
    return samples
  }
}

extension RedactedStates {
  /// Assigns a token to each value at a place where another action has a token.
  fileprivate mutating func learn(_ value: JSON, whereTokensAreIn other: JSON) {
    if RedactionToken.isIn(other) {
      if !value.isNull { learn(value) }
      return
    }
    for member in other.members {
      if let value = value[member.name] { learn(value, whereTokensAreIn: member.value) }
    }
    for (value, other) in zip(value.elements, other.elements) {
      learn(value, whereTokensAreIn: other)
    }
  }
}
