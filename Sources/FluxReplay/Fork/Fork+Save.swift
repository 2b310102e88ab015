package import FluxJSON
package import FluxLog

extension Fork {
  /// Writes the fork as a log of its own, with the fork's initial states.
  ///
  /// The log takes its place when it is complete, and can be verified like any other. Steps keep their numbers, and times still count from the start
  /// of the recording.
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

  /// Writes the log of ``save(to:log:replacesExisting:)`` beside its path; its `commit()` moves it to its place.
  ///
  /// - Throws: The errors of ``save(to:log:replacesExisting:)``.
  func newLog(at path: String, log: String, replacesExisting: Bool) throws -> CompleteLog {
    let redaction = try ForkRedaction(self)
    return try CompleteLog(
      redaction.steps.lazy.map(StepRecord.init),
      header: header(log, redaction.header, initial: redaction.initial), to: path,
      replacesExisting: replacesExisting)
  }

  private func header(
    _ log: String, _ recorded: LogHeader, initial: StoreDictionary<JSON>
  ) -> LogHeader {
    var header = LogHeader(
      log: log, created: recorded.created ?? LogInstant(microseconds: 0), seed: recorded.seed ?? 0,
      first: first, recordsEffects: app.tellsAllEffects, app: recorded.app,
      platform: recorded.platform, circumstances: recorded.circumstances,
      redacted: recorded.redacted,
      only: recorded.only)
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
  fileprivate init(_ step: ForkStep) {
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
    effects = step.storeEffects
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
  /// The states at the start of the fork, by the app's names for its stores.
  package private(set) var initial: StoreDictionary<JSON>
  /// The steps of the fork.
  package private(set) var steps: [ForkStep]
  /// The recording's header, with the app's names for the stores in the redacted places.
  let header: LogHeader

  /// Redacts a fork.
  ///
  /// - Throws: `PointerError` if the header has an invalid redacted path, `LogError` if an action of the
  ///   recording cannot be read, `JSONError` if a value nests too deeply to be written.
  package init(_ fork: Fork) throws {
    header = try fork.app.renamingRedactedPlaces(of: fork.timeline.log.header)
    initial = fork.baseStates
    steps = fork.steps
    var states = try RedactedStates(header.redacted, only: header.only)
    try redactStates(&states)
    try learnActions(of: fork, &states)
    try replace(states.texts)
  }

  /// The states after the last step, as one object `{store: state}`.
  package var model: JSON {
    Fork.model(
      of: steps.reduce(into: initial) { states, step in
        for change in step.changes { states[change.store] = change.state }
      })
  }

  private mutating func redactStates(_ states: inout RedactedStates) throws {
    for (store, state) in initial {
      initial[store] = try states.redacted(state, of: store, recorded: nil)
    }
    for (index, step) in steps.enumerated() {
      for (place, change) in step.changes.enumerated() {
        steps[index].changes[place].state = try change.state.map {
          try states.redacted($0, of: change.store, recorded: nil)
        }
      }
    }
  }

  /// The number of recorded actions to examine for each type: one may lack a member that another has.
  private static let samples = 8

  /// Collects payload values at places where recorded actions of the type have tokens.
  private func learnActions(of fork: Fork, _ states: inout RedactedStates) throws {
    let log = fork.timeline.log
    for (type, steps) in Dictionary(grouping: steps, by: \.type) {
      var begin = 0
      for _ in 0..<Self.samples {
        let found = try log.position(ofRank: 1, in: begin..<log.count) { $0 == type }
        guard let position = found.position else { break }
        let recorded = try log.step(at: position).action
        for step in steps { states.learn(step.action, whereTokensAreIn: recorded) }
        begin = position + 1
      }
    }
  }

  private mutating func replace(_ texts: SecretTexts) throws {
    guard !texts.isEmpty else { return }
    initial = try initial.mapValues { try texts.replaced(in: $0) }
    steps = try steps.map { step in
      var step = step
      step.action = try texts.replaced(inAction: step.action)
      if let message = step.rejection?.message {
        step.rejection?.message = texts.replaced(inMessage: message)
      }
      step.changes = try step.changes.map { change in
        var change = change
        change.state = try change.state.map { try texts.replaced(in: $0) }
        return change
      }
      return step
    }
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
