import FluxJSON
import FluxLog

/// Compares the effects of one step with the recorded ones, and with those from which recorded steps came back.
struct EffectComparison {
  private let step: LogStep
  private let context: ComparisonContext
  /// The effects, or lists of effects, in which the two sides differ.
  private(set) var differences: [Divergence] = []
  /// The number of recorded effects that the app does not tell.
  private(set) var untold = 0
  /// The number of recorded effects of stores that are not compared.
  private(set) var skipped = 0

  init(_ step: LogStep, _ context: ComparisonContext) {
    self.step = step
    self.context = context
  }

  /// Compares the effects of the step with those of its replay; nil if the step did not run.
  ///
  /// `returned` has the names of the effects from which recorded steps came back.
  mutating func compare(_ replayed: ReplayedStep?, returned: [String]) {
    var reported: [String] = []
    if let replayed, context.log.header.recordsEffects, step.rejection == nil {
      reported = compareRequests(replayed)
    }
    compareReturned(returned, started: replayed?.effects ?? [], reported: reported)
  }

  /// Compares the recorded requests store by store; returns the names that the replay no longer asks for.
  ///
  /// The names have the form of the log: `save` starts an effect, and `-save` cancels it. An app that tells no stores
  /// is compared by the names of started effects.
  private mutating func compareRequests(_ replayed: ReplayedStep) -> [String] {
    let tells = context.app.tells
    var asked = step.effects
    var gone: [String] = []
    if context.skipsStores {
      let left = asked.filter { context.skips($0.store) }
      asked.removeAll { context.skips($0.store) }
      skipped += left.reduce(0) { $0 + $1.names.count }
      gone = left.flatMap(\.started)
    }
    guard tells.contains(.effects) || !replayed.effects.isEmpty else {
      untold += asked.reduce(0) { $0 + $1.names.count }
      return gone
    }
    guard let now = replayed.storeEffects ?? (replayed.effects.isEmpty ? [] : nil) else {
      untold += asked.reduce(0) { $0 + $1.cancelled.count }
      return gone + compare(nil, asked.flatMap(\.started), replayed.effects)
    }
    var reported = gone
    var rest = now
    for effects in asked {
      let name = context.app.storeName(for: effects.store)
      let place = rest.firstIndex { $0.store.hasSameBytes(as: name) }
      var new = place.map { rest.remove(at: $0).names } ?? []
      var old = effects.names
      if !tells.contains(.cancels) {
        untold += effects.cancelled.count
        old.removeAll { $0.utf8.first == UInt8(ascii: "-") }
        new.removeAll { $0.utf8.first == UInt8(ascii: "-") }
      }
      reported += compare(effects.store, old, new)
    }
    for effects in rest where !context.skips(context.logName(of: effects.store)) {
      _ = compare(context.logName(of: effects.store), [], effects.names)
    }
    return reported
  }

  /// Reports the names that only one side has, or both lists if they differ in order only; returns the missing names.
  private mutating func compare(
    _ store: String?, _ recorded: [String], _ replayed: [String]
  ) -> [String] {
    guard !recorded.elementsEqual(replayed, by: { $0.hasSameBytes(as: $1) }) else { return [] }
    var missing: [String] = []
    var extra = replayed
    for name in recorded {
      if let place = extra.firstIndex(where: { $0.hasSameBytes(as: name) }) {
        extra.remove(at: place)
      } else {
        missing.append(name)
      }
    }
    for name in missing {
      report(.effectMissing, store, recorded: JSON(stringLiteral: name))
    }
    for name in extra {
      report(.effectExtra, store, replayed: JSON(stringLiteral: name))
    }
    if missing.isEmpty, extra.isEmpty {
      report(
        .effectMissing, store, recorded: JSON { $0.strings(recorded) },
        replayed: JSON { $0.strings(replayed) })
    }
    return missing
  }

  /// Compares the effects that the step starts with those from which recorded steps came back.
  private mutating func compareReturned(
    _ needed: [String], started: [String], reported: [String]
  ) {
    guard !needed.isEmpty else { return }
    guard context.app.tells.contains(.effects) || !started.isEmpty else {
      untold += needed.count
      return
    }
    for name in needed where !(started + reported).contains(where: { $0.hasSameBytes(as: name) }) {
      // The log does not tell whose effect it was.
      if context.skipsStores, !context.log.header.recordsEffects {
        skipped += 1
        continue
      }
      report(.effectMissing, nil, recorded: JSON(stringLiteral: name))
    }
  }

  private mutating func report(
    _ kind: Divergence.Kind, _ store: String?, recorded: JSON? = nil, replayed: JSON? = nil
  ) {
    differences.append(
      Divergence(kind, of: step, store: store, recorded: recorded, replayed: replayed))
  }
}
