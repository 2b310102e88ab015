import FluxJSON
import FluxLog

/// Finds the redacted value on which a divergence depends.
///
/// The log has a token in the place of the value, so a reducer that looks at it decides otherwise than it did in the
/// recording. The step runs again from its recorded states, each time with another value in all places of one token. If
/// that changes what diverged, the recording does not determine it. Values with which the step is accepted or rejected
/// against the recording are impossible, and do not count.
///
/// A reducer also looks for a value of the action in the states, such as an identifier, or writes it there. The token of a
/// whole payload hides which one it equals, so these values are tried as well. One counts only if it leads to what was
/// recorded: another element would change something else, whatever the reducer does wrong.
///
/// The token of a list or a dictionary leads to an empty one, so some elements are tried: tokens, which any type with
/// substitutes accepts.
///
/// A running app gets no other values, because a step with one may crash and take the app down. There, a divergence of an
/// action that has a token may depend on it, and so may a decision of a store that has one: what it accepts, starts and
/// dispatches. A value that differs in such a store is reported, or nothing of that store would be.
struct RedactedInputCheck {
  /// The redacted value because of which a divergence is not reported.
  struct Finding {
    let place: String
    /// `true` if another value changes what diverged; `false` if none was tried.
    let isProven: Bool
  }

  let alone: LoneStep
  let app: any ReplayApp
  /// The recorded states, by store, in which the replay began after missing steps; empty if it began as the app did.
  ///
  /// A list or a dictionary that is redacted there was empty in the replay, and still lacks elements.
  let begin: StoreDictionary<JSON>

  /// The values to try, by the types that accept them: if a type refuses the first of a row, it refuses the others.
  ///
  /// Their lengths and sizes differ, because reducers check those. None is negative or large, because a reducer may count
  /// up to it.
  private static let candidates: [[JSON]] = [
    [1, 1234, 123_456, 0.5],
    [true],
    [
      "", "a", "1234", "123456", "4111111111111111", "someone@example.com",
      "A longer text, with 7 words in it.",
    ],
    ["00000000-0000-4000-8000-000000000001"],
    ["2026-11-20T12:00:00Z"],
    ["https://example.com/a"],
  ]

  /// The most tokens to replace for one divergence: each takes up to 80 runs of the step.
  ///
  /// Beyond them the divergence is reported.
  private static let mostTokens = 16

  /// The number of times that a change has to be seen, so that it is none of a clock or a random number.
  private static let repetitions = 3

  /// Returns the redacted value on which a divergence depends, or may depend; nil if there is none.
  ///
  /// - Throws: `LogError` if the log cannot be read, and `ReplayFailure` if the caller cancelled.
  func finding(for found: Divergence) throws -> Finding? {
    guard isTestable(found), let recorded = try alone.inputs(of: found.first) else { return nil }
    let store = (found.store ?? recorded.step.target).map(alone.context.logName)
    let recordedTokens = RedactedToken.all(in: recorded, first: store)
    guard app.restarts else {
      let deciding = found.kind == .different ? nil : store
      return recordedTokens.first { $0.isIn(deciding) }.map {
        Finding(place: $0.description, isProven: false)
      }
    }
    guard !recordedTokens.isEmpty else { return nil }
    return try place(for: found, recorded).map { Finding(place: $0, isProven: true) }
  }

  /// Returns the place of a redacted value on which a divergence depends; nil if there is none.
  private func place(for found: Divergence, _ recorded: LoneStep.Inputs) throws -> String? {
    let inputs = try expanded(alone.fitting(recorded, in: app, compared: found.store))
    let tokens = RedactedToken.all(in: inputs, first: found.store)
    let plain = try outcome(found, of: inputs)
    guard plain != .refused, plain != .impossible || found.isOfOutcome else { return nil }
    // A state is searched for them once, and only if no other value shows that the divergence depends on a token.
    lazy var ofPayload = inputs.likelyValuesOfPayload(for: found)
    lazy var ofStates = inputs.likelyValuesOfStates()
    for token in tokens.prefix(Self.mostTokens) {
      let rows = Self.candidates + token.collections(from: begin)
      let likely = token.isInPayload ? ofPayload : ofStates
      for (row, isLikely) in rows.map({ ($0, false) }) + likely.map({ ($0, true) }) {
        for value in row {
          guard let changed = try token.replaced(by: value, in: inputs) else { break }
          let result = try outcome(found, of: changed)
          // Texts of the states have many forms.
          if result == .refused, !isLikely { break }
          if result != .refused, result != .impossible, result != plain,
            !isLikely || result.agrees(with: found),
            try isSteady(found, (inputs, plain), (changed, result))
          {
            return token.description
          }
        }
      }
    }
    return nil
  }

  /// Returns the inputs with an object of tokens in the place of each token that stands for an object.
  ///
  /// Only the app knows the members of such an object, and that each can be replaced.
  private func expanded(_ inputs: LoneStep.Inputs) throws -> LoneStep.Inputs {
    var inputs = inputs
    let payload = try alone.run(inputs, in: app) { $0.replayed.action?["payload"] } ?? nil
    if let payload, let action = try inputs.step.action.expanded(like: ["payload": payload]) {
      inputs.step.action = action
    }
    guard let session = try alone.session(inputs, in: app) else { return inputs }
    defer { session.end() }
    let own = try session.states()
    for (store, state) in inputs.start.states?.ordered ?? [] {
      guard let own = alone.context.appName(of: store).flatMap({ own[$0] }) else { continue }
      inputs.start.states?[store] = try state.expanded(like: own) ?? state
    }
    return inputs
  }

  private func isTestable(_ found: Divergence) -> Bool {
    switch found.kind {
    case .different: found.store != nil
    case .rejected, .accepted, .reason, .missing, .extra, .followUp, .effectMissing, .effectExtra:
      true
    case .initial, .message, .undecodable: false
    }
  }

  /// The outcome of a run with one value.
  private enum Outcome: Equatable {
    /// The step does not run with this value.
    case refused
    /// The step is accepted or rejected against the recording.
    case impossible
    /// The parts that may diverge, as texts.
    case part([String])

    /// `true` if the parts are the recorded ones, at the place of a divergence.
    func agrees(with found: Divergence) -> Bool {
      guard case .part(let texts) = self else { return false }
      func contains(_ value: JSON?) -> Bool {
        value.map { texts.contains($0.canonical().text) } ?? false
      }
      return switch found.kind {
      case .different: texts == [found.recorded?.canonical().text ?? "nothing"]
      case .missing, .followUp: contains(found.recorded)
      case .extra: !contains(found.replayed)
      case .rejected, .accepted, .reason: true
      case .effectMissing, .effectExtra, .initial, .message, .undecodable: false
      }
    }
  }

  private typealias Case = (inputs: LoneStep.Inputs, outcome: Outcome)

  /// `true` if both cases end in the same way again and again.
  private func isSteady(_ found: Divergence, _ one: Case, _ other: Case) throws -> Bool {
    for _ in 0..<Self.repetitions {
      for expected in [one, other]
      where try outcome(found, of: expected.inputs) != expected.outcome {
        return false
      }
    }
    return true
  }

  /// Runs the step, and returns the part of its outcome that diverged.
  private func outcome(_ found: Divergence, of inputs: LoneStep.Inputs) throws -> Outcome {
    try alone.run(inputs, in: app) { run in
      let step = run.replayed
      switch (inputs.step.rejection, step.outcome) {
      case (_, .undecodable): return .refused
      case (nil, .accepted): break
      case (let old?, .rejected(let new)) where alone.context.isSameReason(old, new): break
      default: return .impossible
      }
      return switch found.kind {
      case .different: .part([value(found, step)])
      case .effectMissing, .effectExtra: .part(step.effectNames.map(\.text))
      case .missing, .extra, .followUp: .part(step.followUps.map { $0.json.canonical().text })
      case .rejected, .accepted, .reason, .initial, .message, .undecodable: .part([])
      }
    } ?? .refused
  }

  /// Returns the value at the place of a divergence, as text; of a redacted value, only whether there is one.
  private func value(_ found: Divergence, _ step: ReplayedStep) -> String {
    guard let store = found.store.flatMap(alone.context.appName),
      let change = step.changes.first(where: { $0.store.hasSameBytes(as: store) })
    else { return "unchanged" }
    var value = change.state
    for token in found.path?.tokens.dropFirst() ?? [] { value = value?.child(token) }
    guard let value else { return "nothing" }
    guard found.isRedacted else { return value.canonical().text }
    return value.kind == .null ? "nothing" : "something"
  }
}

extension Divergence {
  /// `true` if the two sides disagree on the acceptance of the step.
  fileprivate var isOfOutcome: Bool { [.rejected, .accepted, .reason].contains(kind) }
}

extension JSON {
  /// Returns the value with objects of tokens in the place of tokens for which another value has an object; nil if there
  /// are none.
  fileprivate func expanded(like other: JSON) throws -> JSON? {
    if isRedactionToken {
      return other.kind == .object ? try other.tokens(named: text) : nil
    }
    return try replacingChildren { name, child in
      guard RedactionToken.isAnywhere(in: child) else { return nil }
      return try other.child(name).flatMap { try child.expanded(like: $0) }
    }
  }

  /// Returns the value with a different token in the place of each text, number and Boolean; nil if it has none.
  ///
  /// `name` tells the value from others.
  private func tokens(named name: String) throws -> JSON? {
    switch kind {
    case .object: try replacingChildren { try $1.tokens(named: "\(name)/\($0)") }
    case .string, .number, .bool: .init(stringLiteral: RedactionToken.named(name))
    case .array, .null: nil
    }
  }
}
