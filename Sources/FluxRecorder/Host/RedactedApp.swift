import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// An app whose sessions answer as a recorder writes: each state, action and message has passed its redaction.
final class RedactedApp: SourceTellingApp {
  private let app: any ReplayApp
  private let recorder: Recorder
  private let description = Monitor<AppDescription?>(nil)
  private let redactor = Monitor<Redactor?>(nil)

  init(_ app: any ReplayApp, _ recorder: Recorder) { (self.app, self.recorder) = (app, recorder) }

  /// Describes the app; the first time, its stores are made for that.
  func describe() throws(ReplayFailure) -> AppDescription {
    if let known = description.withLock({ $0 }) { return known }
    var described = try encoding { () throws(ReplayFailure) in try app.describe() }
    let circumstances = described.circumstances
    if !circumstances.isEmpty {
      described.circumstances = try redacting("a circumstance") { redactor in
        try redactor.rewrite(circumstances: circumstances)
      }
    }
    description.withLock { [described] in $0 = described }
    return described
  }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    let session = try encoding { () throws(ReplayFailure) in try app.start(start) }
    return RedactedSession(app: self, session)
  }

  /// Returns the expressions of recorded actions, whose secrets are tokens; the source of the stores has names of types only.
  func source(of actions: [JSON]) throws(ReplayFailure) -> AppSource {
    var source = try encoding { () throws(ReplayFailure) in try app.toldSource(of: actions) }
    let sources = source.sources
    source.sources = try redacting("an expression") { redactor in
      sources.map { $0.map(redactor.rewrite) }
    }
    return source
  }

  /// Runs code of the app, in which values of type `Secret` become the tokens of the recording; its failures are redacted.
  fileprivate func encoding<Value>(
    _ body: () throws(ReplayFailure) -> Value
  ) throws(ReplayFailure) -> Value {
    let userInfo = try redacting("a value") { $0.userInfo }
    let result = LogEncoder.$ambientUserInfo.withValue(userInfo) {
      Result { () throws(ReplayFailure) in try body() }
    }
    switch result {
    case .success(let value): return value
    case .failure(let failure): throw try redacted(failure)
    }
  }

  /// Redacts something with the key of the recording, so that equal values have the tokens that they have in the log.
  ///
  /// Without a recording, nothing is sent.
  fileprivate func redacting<Result>(
    _ what: String, _ body: (Redactor) throws -> Result
  ) throws(ReplayFailure) -> Result {
    let redactor: Redactor
    do throws(LogError) {
      redactor = try ownRedactor()
    } catch {
      throw ReplayFailure(.cannotStart(why: error.message))
    }
    return try ReplayFailure.encoding(what) { try body(redactor) }
  }

  /// The redactor of the replays, which may have more secrets than the recorder remembers.
  private func ownRedactor() throws(LogError) -> Redactor {
    if let known = redactor.withLock({ $0 }) { return known }
    let own = try recorder.recording().redactor.forOthers()
    return redactor.withLock { known in
      if known == nil { known = own }
      return known ?? own
    }
  }

  fileprivate func redacted(_ failure: ReplayFailure) throws(ReplayFailure) -> ReplayFailure {
    try redacting("a failure") { redactor in
      var failure = failure
      switch failure.reason {
      case .statesNotRestorable(var problems):
        for index in problems.indices {
          problems[index].why = redactor.rewrite(problems[index].why)
        }
        failure.reason = .statesNotRestorable(problems)
      case .cannotEncode(let what, let why):
        failure.reason = .cannotEncode(what, why: redactor.rewrite(why))
      case .cannotStart(let why): failure.reason = .cannotStart(why: redactor.rewrite(why))
      case .refused(let method, let why):
        failure.reason = .refused(method: method, why: redactor.rewrite(why))
      case .undecodable(let why): failure.reason = .undecodable(redactor.rewrite(why))
      case .protocolViolation(let found, let expected):
        failure.reason = .protocolViolation(found: redactor.rewrite(found), expected: expected)
      case .exited, .timedOut, .unresponsive, .ended, .cancelled: break
      }
      failure.note = failure.note.map(redactor.rewrite)
      return failure
    }
  }

  fileprivate func redacted(_ step: ReplayedStep) throws(ReplayFailure) -> ReplayedStep {
    try redacting("step \(step.number)") { redactor in
      var step = step
      for (index, change) in step.changes.enumerated() {
        step.changes[index].state = try change.state.map {
          try redactor.rewrite(.state(change.store), $0)
        }
      }
      step.action = try step.action.map { try redactor.rewrite(.action, $0) }
      for (index, followUp) in step.followUps.enumerated() {
        step.followUps[index].action = try redactor.rewrite(.action, followUp.action)
      }
      switch step.outcome {
      case .accepted: break
      case .rejected(var rejection):
        rejection.message = redactor.rewrite(rejection.message)
        step.outcome = .rejected(rejection)
      case .undecodable(let why): step.outcome = .undecodable(redactor.rewrite(why))
      }
      return step
    }
  }

  fileprivate func redacted(_ state: JSON, of recorded: String) throws(ReplayFailure) -> JSON {
    let store = try describe().storeName(for: recorded)
    return try redacting("the state of \(store)") { try $0.rewrite(.state(store), state) }
  }
}

private final class RedactedSession: ReplaySession {
  private let app: RedactedApp
  private let session: any ReplaySession

  init(app: RedactedApp, _ session: any ReplaySession) { (self.app, self.session) = (app, session) }

  func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
    let steps = try app.encoding { () throws(ReplayFailure) in try session.dispatch(actions) }
    return try steps.map { step throws(ReplayFailure) in try app.redacted(step) }
  }

  func states() throws(ReplayFailure) -> StoreDictionary<JSON> {
    var states = try app.encoding { () throws(ReplayFailure) in try session.states() }
    for (store, state) in states.ordered { states[store] = try app.redacted(state, of: store) }
    return states
  }

  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    let today = try app.encoding { () throws(ReplayFailure) in try session.upcast(states) }
    return try zip(states, today).map { recorded, state throws(ReplayFailure) in
      try app.redacted(state, of: recorded.store)
    }
  }

  func end() { session.end() }
}
