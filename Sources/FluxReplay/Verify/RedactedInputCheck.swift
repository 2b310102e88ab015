import FluxJSON
import FluxLog

/// Finds the redacted value on which a divergence depends.
///
/// The log has a token in the place of the value, so a reducer that looks at it decides otherwise than it did in the
/// recording. The step runs again from its recorded states, each time with another value in the place of one token. If
/// that changes what diverged, the recording does not determine it.
struct RedactedInputCheck {
  let alone: LoneStep
  let app: any ReplayApp

  /// The values to try, by the types that accept them: if a type refuses the first of a row, it refuses the others.
  ///
  /// Their lengths, signs and sizes differ, because reducers check those.
  private static let candidates: [[JSON]] = [
    [1, 1234, 123_456, 1_234_567_890, -7, 0.5],
    [true],
    ["", "a", "1234", "123456", "someone@example.com", "A longer text, with 7 words in it."],
    ["00000000-0000-4000-8000-000000000001"],
    ["2026-11-20T12:00:00Z"],
    ["https://example.com/a"],
  ]

  /// The most tokens to replace for one divergence: each takes up to a dozen runs of the step.
  ///
  /// Beyond them the divergence is reported.
  private static let mostTokens = 16

  /// The number of times that a change has to be seen, so that it is none of a clock or a random number.
  private static let repetitions = 3

  /// Returns the place of a redacted value on which a divergence depends; nil if there is none.
  ///
  /// - Throws: `LogError` if the log cannot be read, and `ReplayFailure` if the caller cancelled.
  func place(for found: Divergence) throws -> String? {
    guard isTestable(found), let inputs = try alone.inputs(of: found.first) else { return nil }
    let tokens = Token.all(in: inputs, first: found.store)
    guard !tokens.isEmpty, let plain = try part(found, of: inputs) else { return nil }
    for token in tokens.prefix(Self.mostTokens) {
      for row in Self.candidates {
        for value in row {
          guard let changed = try token.replaced(by: value, in: inputs),
            let part = try part(found, of: changed)
          else { break }
          if part != plain, try isSteady(found, (inputs, plain), (changed, part)) {
            return token.description
          }
        }
      }
    }
    return nil
  }

  private func isTestable(_ found: Divergence) -> Bool {
    switch found.kind {
    case .different: !found.isRedacted && found.store != nil
    case .rejected, .accepted, .reason, .missing, .extra, .followUp, .effectMissing, .effectExtra:
      true
    case .initial, .message, .undecodable: false
    }
  }

  private typealias Case = (inputs: LoneStep.Inputs, part: [String])

  /// `true` if both cases end in the same way again and again.
  private func isSteady(_ found: Divergence, _ one: Case, _ other: Case) throws -> Bool {
    for _ in 0..<Self.repetitions {
      for expected in [one, other] where try part(found, of: expected.inputs) != expected.part {
        return false
      }
    }
    return true
  }

  /// Runs the step, and returns the part of its outcome that diverged; nil if it does not run.
  private func part(_ found: Divergence, of inputs: LoneStep.Inputs) throws -> [String]? {
    try alone.run(inputs, in: app) { run in
      let step = run.replayed
      var parts: [String]
      switch step.verdict {
      case .undecodable: return nil
      case .rejected(let rejection): parts = ["rejected", rejection.reason, rejection.store ?? ""]
      case .accepted: parts = ["accepted"]
      }
      switch found.kind {
      case .different: parts.append(value(found, step))
      case .effectMissing, .effectExtra: parts += step.effectNames.map(\.text)
      case .missing, .extra, .followUp: parts += step.followUps.map { $0.json.canonical().text }
      case .rejected, .accepted, .reason, .initial, .message, .undecodable: break
      }
      return parts
    } ?? nil
  }

  /// Returns the value at the place of a divergence, as text.
  private func value(_ found: Divergence, _ step: ReplayedStep) -> String {
    guard let store = found.store.flatMap(alone.context.appName),
      let change = step.changes.first(where: { $0.store.hasSameBytes(as: store) })
    else { return "unchanged" }
    var value = change.state
    for token in found.path?.tokens.dropFirst() ?? [] { value = value?.child(token) }
    return value?.canonical().text ?? "nothing"
  }
}

extension RedactedInputCheck {
  /// The tokens of one redacted place: those whose paths differ only in indices.
  private struct Token {
    /// The store of the state; nil for the payload.
    let store: String?
    var places: [Pointer]

    /// The first place: a pointer from the model, or into the payload.
    var description: String {
      let place = places.first?.description ?? ""
      guard let store else { return place.isEmpty ? "the payload" : place }
      return Pointer(tokens: [store]).description + place
    }

    /// Finds the tokens of the payload, then those of the states, beginning with one store.
    static func all(in inputs: LoneStep.Inputs, first: String?) -> [Token] {
      var tokens: [Token] = []
      if let payload = inputs.action?.action["payload"] { add(payload, nil, to: &tokens) }
      let states = inputs.start.states?.ordered ?? []
      for (store, state) in states.filter({ $0.key == first }) + states.filter({ $0.key != first })
      {
        add(state, store, to: &tokens)
      }
      return tokens
    }

    private static func add(_ value: JSON, _ store: String?, to tokens: inout [Token]) {
      guard RedactionToken.isAnywhere(in: value) else { return }
      var found: [[String]: Int] = [:]
      var pending: [(path: [String], pattern: [String], value: JSON)] = [([], [], value)]
      while let (path, pattern, value) = pending.popLast() {
        if value.isRedactionToken {
          if let known = found[pattern] {
            tokens[known].places.append(Pointer(tokens: path))
          } else {
            found[pattern] = tokens.count
            tokens.append(Token(store: store, places: [Pointer(tokens: path)]))
          }
        }
        for member in value.members.reversed() {
          pending.append((path + [member.name], pattern + [member.name], member.value))
        }
        for (index, element) in value.elements.enumerated().reversed() {
          pending.append((path + [String(index)], pattern + ["*"], element))
        }
      }
    }

    /// Returns the inputs with another value in the place of the token; nil if it cannot be replaced.
    func replaced(by value: JSON, in inputs: LoneStep.Inputs) throws -> LoneStep.Inputs? {
      let patch = Patch(places.map { .replace($0, value) })
      var inputs = inputs
      if let store {
        guard let state = inputs.start.states?[store] else { return nil }
        inputs.start.states?[store] = try patch.applied(to: state)
      } else {
        guard let action = inputs.action?.action, let payload = action["payload"] else {
          return nil
        }
        let replaced = try patch.applied(to: payload)
        inputs.action?.action = try Patch([.replace(Pointer(tokens: ["payload"]), replaced)])
          .applied(to: action)
      }
      return inputs
    }
  }
}
