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

/// A branch as it may be written: without the values that the recording does not show.
///
/// The recording's header says where in states such values are, and its own actions show where payloads have
/// them. What the branch has at those places gets a token, and so does the same text wherever else it comes up:
/// in states, in actions, in the messages of rejections. So a replay of the saved branch, which is given tokens,
/// comes to the saved states again.
struct BranchRedaction {
  /// The states that the branch begins in.
  private(set) var initial: StoreDictionary<JSON>
  /// The steps of the branch.
  private(set) var steps: [BranchStep]

  /// - Throws: `PointerError` where the header has a redacted path that is none, `LogError` where an action of the
  ///   recording cannot be read, `JSONError` where a value nests too deep to be written.
  init(_ branch: Branch, places: [String]) throws {
    initial = branch.baseStates
    steps = branch.steps
    var states = try RedactedStates(places)
    try redactStates(&states)
    try learnActions(of: branch, &states)
    try replace(states.texts)
  }

  /// Puts tokens into the places of the header.
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

  /// How many recorded actions of a type are looked at: one may lack what another has.
  private static let samples = 8

  /// Learns the values of payloads that are tokens in recorded actions of the type.
  private func learnActions(of branch: Branch, _ states: inout RedactedStates) throws {
    let log = branch.timeline.log
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
  /// Gives a token to each value of an action that stands where another action has one.
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
