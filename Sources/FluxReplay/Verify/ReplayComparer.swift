import FluxJSON
import FluxLog

/// Compares two replays of the same steps with each other.
struct ReplayComparer {
  private let context: ComparisonContext
  /// The last states of each replay, by the app's names for its stores.
  private var states: [StoreDictionary<JSON>]
  private(set) var divergences: [Divergence] = []

  /// Compares two replays that begin in the same states.
  init(_ context: ComparisonContext, beginningIn states: StoreDictionary<JSON>) {
    self.context = context
    self.states = [states, states]
  }

  /// Compares a step's outcomes in two replays.
  ///
  /// Only the first difference counts: after it, the states differ anyway.
  mutating func compare(_ step: LogStep, _ first: ReplayedStep, _ second: ReplayedStep) throws {
    guard divergences.isEmpty, let divergence = try difference(step, first, second) else { return }
    divergences.append(try context.locate(divergence, at: step))
  }

  private mutating func difference(
    _ step: LogStep, _ first: ReplayedStep, _ second: ReplayedStep
  ) throws -> Divergence? {
    func divergence(_ kind: Divergence.Kind, _ first: JSON?, _ second: JSON?) -> Divergence {
      var divergence = Divergence(
        kind, step: step.number, action: step.action, comparison: .replays, recorded: first,
        replayed: second)
      divergence.reason = HiddenInput.other.reason(for: context.app.reducers)
      return divergence
    }
    guard first.outcome.isSameEnd(as: second.outcome, context.options.messages) else {
      return divergence(.rejected, first.outcome.json, second.outcome.json)
    }
    let stores = (first.changes + second.changes).map { BytewiseName($0.store) }
    for (index, step) in [first, second].enumerated() {
      for change in step.changes { states[index][change.store] = change.state }
    }
    for name in Set(stores).sorted().map(\.text) {
      let store = context.logName(of: name)
      let states = states.map { $0[name] }
      guard states[0] != states[1],
        let place = try context.compare(states[0], states[1], store).places.first
      else { continue }
      var found = divergence(.different, nil, nil)
      found.take(place, of: store)
      let input = HiddenInput(
        of: place.withoutStore, in: (states[0], states[1]), now: context.now, areReplays: true)
      found.hint = .hiddenInput(input)
      found.reason = input.reason(for: context.app.reducers)
      return found
    }
    let effects = [first, second].map(\.effectNames)
    guard effects[0] == effects[1] else {
      return divergence(
        .effectMissing, JSON { $0.strings(effects[0].map(\.text)) },
        JSON { $0.strings(effects[1].map(\.text)) })
    }
    guard first.followUps != second.followUps else { return nil }
    let place = zip(first.followUps, second.followUps).first { $0 != $1 }
    let index = min(first.followUps.count, second.followUps.count)
    return divergence(
      .followUp, place?.0.json ?? first.followUps.dropFirst(index).first?.json,
      place?.1.json ?? second.followUps.dropFirst(index).first?.json)
  }
}

extension ReplayedStep.Outcome {
  /// Returns `true` if both committed, or were rejected for the same reason and with the same message.
  fileprivate func isSameEnd(as other: Self, _ messages: Verification.Treatment) -> Bool {
    switch (self, other) {
    case (.rejected(let left), .rejected(let right)):
      left.reason == right.reason
        && left.store.map(BytewiseName.init) == right.store.map(BytewiseName.init)
        && (messages == .ignore || left.message.hasSameBytes(as: right.message))
    default: self == other
    }
  }

  fileprivate var json: JSON? {
    switch self {
    case .accepted: nil
    case .rejected(let rejection): rejection.json
    case .undecodable(let why): .init(stringLiteral: why)
    }
  }
}

extension ReplayedStep {
  /// The action in the app's current form; if that has the recorded type, with the recorded tokens.
  func action(of step: LogStep) -> JSON {
    guard let action else { return step.action }
    let keepsTokens = action["type"] == step.action["type"]
    return keepsTokens && RedactionToken.isAnywhere(in: step.action) ? step.action : action
  }

  /// The effects that the step asks for, each with its store if the app tells it.
  var effectNames: [BytewiseName] {
    guard let storeEffects else { return effects.map(BytewiseName.init) }
    return storeEffects.flatMap { effects in
      effects.names.map { BytewiseName("\(effects.store)/\($0)") }
    }
  }
}
