import FluxJSON
import FluxLog

/// Proves that a divergence comes from something that the recording does not contain.
///
/// The step runs again on its own in two processes: one like that of the replay, and one with another environment, in
/// another second. If their results differ at the place of the divergence, the recording does not determine it. Further
/// processes then show what does.
struct HiddenInputCheck {
  let alone: LoneStep
  let app: any ReplayApp
  /// The same app with another environment; nil to run the step twice in this process.
  let other: (any ReplayApp)?

  /// The result of running a step twice.
  enum Result: Equatable {
    case agree
    case differ(HiddenInput)
  }

  /// The number of processes after which a coincidence is ruled out: two elements have the same order in every second
  /// one.
  private static let mostProcesses = 8

  /// Returns the result for the place of a divergence; nil if the step cannot run on its own.
  ///
  /// If the values suggest a clock, the test waits for another second. If they suggest another order, it starts up to
  /// eight processes.
  ///
  /// - Throws: `LogError` if the log cannot be read, `QueryError` if an ignored path exceeds the limits of a query,
  ///   and `ReplayFailure` if the caller cancelled.
  func result(for found: Divergence) throws -> Result? {
    guard let first = try state(found, in: app) else { return nil }
    if found.hint == .hiddenInput(.clock) { WallClock.waitForAnotherSecond() }
    for _ in 0..<(found.hint == .hiddenInput(.order) ? Self.mostProcesses : 1) {
      guard let second = try state(found, in: other ?? app) else { return nil }
      guard let place = try difference(found, first, second) else { continue }
      let input = HiddenInput(
        of: place.withoutStore, in: (first, second), now: alone.context.now, areReplays: true)
      switch input {
      case .order: return .differ(try isHashing(found) ? .hashing : .order)
      case .other: return .differ(try isEnvironment(found, first) ? .environment : .other)
      case .hashing, .identifiers, .clock, .environment: return .differ(input)
      }
    }
    return .agree
  }

  /// `true` if the order is the same in processes that have the same hash seed.
  private func isHashing(_ found: Divergence) throws -> Bool {
    guard let app = app.hashingAlike(), let first = try state(found, in: app) else { return false }
    return try isAlways(first, found, in: app)
  }

  /// `true` if the state is the same in processes that have the same environment, in another second.
  private func isEnvironment(_ found: Divergence, _ first: JSON) throws -> Bool {
    guard other != nil else { return false }
    WallClock.waitForAnotherSecond()
    return try isAlways(first, found, in: app)
  }

  private func isAlways(_ first: JSON, _ found: Divergence, in app: any ReplayApp) throws -> Bool {
    for _ in 1..<Self.mostProcesses {
      guard let next = try state(found, in: app), try difference(found, first, next) == nil else {
        return false
      }
    }
    return true
  }

  /// Runs the step of a divergence; returns the state of its store.
  private func state(_ found: Divergence, in app: any ReplayApp) throws -> JSON? {
    guard let name = found.store.flatMap(alone.context.appName) else { return nil }
    return try alone.run(found.step, in: app) { run in
      run.replayed.changes.first { $0.store.hasSameBytes(as: name) }?.state
    } ?? nil
  }

  /// Returns the first difference of two states at the place of a divergence, or around it.
  private func difference(
    _ found: Divergence, _ first: JSON, _ second: JSON
  ) throws -> StateComparison.Pair? {
    guard let store = found.store, let path = found.path else { return nil }
    return try alone.context.compare(first, second, store).places.first { place in
      place.path.isWithin(path) || path.isWithin(place.path)
        || Self.shareAnArray(place.tokens, path.tokens) || Self.shareAnObject(place, found)
    }
  }

  /// `true` if the places are elements of one array: another order shows first at any of them.
  private static func shareAnArray(_ one: [String], _ other: [String]) -> Bool {
    let common = zip(one, other).prefix { $0.hasSameBytes(as: $1) }.count
    return common < min(one.count, other.count) && Int(one[common]) != nil
      && Int(other[common]) != nil
  }

  /// `true` if both are members of one object that only one of the two values has: a key that is drawn or chosen outside
  /// the log is another one in each process.
  private static func shareAnObject(
    _ place: StateComparison.Pair, _ found: Divergence
  ) -> Bool {
    guard let path = found.path, (found.recorded == nil) != (found.replayed == nil),
      (place.recorded == nil) != (place.replayed == nil)
    else { return false }
    return Pointer(tokens: place.tokens.dropLast()) == Pointer(tokens: path.tokens.dropLast())
  }
}
