import FluxJSON
import FluxLog

/// Compares two replays of the same steps with each other.
struct ReplayComparer {
  private let context: ComparisonContext
  private(set) var divergences: [Divergence] = []

  init(_ context: ComparisonContext) {
    self.context = context
  }

  /// Compares a step's outcomes in two replays.
  ///
  /// Only the first difference counts: after it, the states differ anyway.
  mutating func compare(_ step: LogStep, _ first: ReplayedStep, _ second: ReplayedStep) throws {
    guard divergences.isEmpty, first != second else { return }
    guard var divergence = try difference(step, first, second) else { return }
    divergence.reason = LikelyReason.hiddenInput
    divergences.append(try context.locate(divergence, at: step))
  }

  private func difference(
    _ step: LogStep, _ first: ReplayedStep, _ second: ReplayedStep
  ) throws -> Divergence? {
    func divergence(_ kind: Divergence.Kind, _ first: JSON?, _ second: JSON?) -> Divergence {
      Divergence(
        kind, step: step.number, action: step.action, comparison: .replays, recorded: first,
        replayed: second)
    }
    guard first.verdict.isSameEnd(as: second.verdict) else {
      return divergence(.rejected, first.verdict.json, second.verdict.json)
    }
    let stores = (first.changes + second.changes).map { BytewiseName($0.store) }
    for name in Set(stores).sorted().map(\.text) {
      let store = context.logName(of: name)
      let states = [first, second].map { step in
        step.changes.first { $0.store.hasSameBytes(as: name) }?.state
      }
      guard let place = try context.compare(states[0], states[1], store).places.first else {
        continue
      }
      var found = divergence(.different, place.recorded, place.replayed)
      found.store = store
      found.path = Pointer(tokens: place.tokens)
      return found
    }
    guard first.followUps != second.followUps else { return nil }
    let place = zip(first.followUps, second.followUps).first { $0 != $1 }
    let index = min(first.followUps.count, second.followUps.count)
    return divergence(
      .followUp, place?.0.json ?? first.followUps.dropFirst(index).first?.json,
      place?.1.json ?? second.followUps.dropFirst(index).first?.json)
  }
}

extension ReplayedStep.Verdict {
  /// Returns `true` if both committed, or were rejected for the same reason.
  fileprivate func isSameEnd(as other: Self) -> Bool {
    switch (self, other) {
    case (.rejected(let left), .rejected(let right)):
      left.reason == right.reason && left.store == right.store
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
