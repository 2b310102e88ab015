import FluxJSON
import FluxLog
import FluxSystem
import Foundation

/// Proves that a divergence comes from something that the recording does not contain.
///
/// The step runs again on its own in two processes: one like that of the replay, and one with another environment, in
/// another second. If their results differ at the place of the divergence, the recording does not determine it.
struct HiddenInputCheck {
  let alone: LoneStep
  let app: any ReplayApp
  /// The same app with another environment.
  let other: any ReplayApp

  /// Returns the hidden input of a divergence; nil if the processes do not show one.
  ///
  /// If the values suggest a clock, the test waits for another second. If they suggest another order, it starts up to
  /// eight processes: two elements of a set have the same order in every second process.
  ///
  /// - Throws: `LogError` if the log cannot be read, `QueryError` if an ignored path exceeds the limits of a query,
  ///   and `ReplayFailure` if the caller cancelled.
  func reason(for found: Divergence) throws -> String? {
    guard let store = found.store, let path = found.path,
      let name = alone.context.appName(of: store)
    else { return nil }
    func state(in app: any ReplayApp) throws -> JSON? {
      try alone.run(found.step, in: app) { run in
        run.replayed.changes.first { $0.store.hasSameBytes(as: name) }?.state
      } ?? nil
    }
    guard let first = try state(in: app) else { return nil }
    if found.hint == .hiddenInput(.clock) { WallClock.waitForAnotherSecond() }
    for _ in 0..<(found.hint == .hiddenInput(.order) ? 8 : 1) {
      guard let second = try state(in: other) else { return nil }
      let places = try alone.context.compare(first, second, store).places
      let place = places.first {
        $0.tokens.starts(with: path.tokens) || path.tokens.starts(with: $0.tokens)
          || Self.shareAnArray($0.tokens, path.tokens)
      }
      guard let place else { continue }
      return HiddenInput(
        of: place.withoutStore, in: (first, second), now: alone.context.now, areReplays: true
      ).reason(for: alone.context.app.reducers)
    }
    return nil
  }

  /// `true` if the places are elements of one array: another order shows first at any of them.
  private static func shareAnArray(_ one: [String], _ other: [String]) -> Bool {
    let common = zip(one, other).prefix { $0 == $1 }.count
    return common < min(one.count, other.count) && Int(one[common]) != nil
      && Int(other[common]) != nil
  }
}

/// The system's clock, as an app reads it.
enum WallClock {
  /// Waits until the clock's second is another one: a reducer may keep whole seconds.
  static func waitForAnotherSecond() {
    func second() -> Double { Date().timeIntervalSince1970.rounded(.down) }
    let start = second()
    while second() == start {
      let rest = 1 - Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 1)
      Descriptor.wait(reading: [], writing: nil, milliseconds: Int32(rest * 1000) + 1)
    }
  }
}
