import FluxJSON
import FluxLog
import FluxReplay

/// The names and forms that an app gives to the states of a log whose stores it has renamed, changed or dropped.
///
/// A test dispatches actions in the stores as they are now, without the app's evolution.
struct CurrentForm {
  let app: AppDescription
  private let session: any ReplaySession

  /// Starts a session that converts states of the stores of a log; nil for an app that takes them as they are.
  ///
  /// - Throws: `ReplayFailure` if the app fails, or does not take the states of the start.
  init?(
    of app: any ReplayApp, for stores: [String], from start: SessionStart
  ) throws(ReplayFailure) {
    let description = try app.describe()
    guard stores.contains(where: description.converts) else { return nil }
    self.app = description
    session = try app.start(start)
  }

  func end() { session.end() }

  /// Returns the states of stores, of which the app has dropped some.
  func states(_ recorded: JSON) throws(ReplayFailure) -> JSON {
    let states = try session.upcast(StoreDictionary(recorded), for: app)
    return JSON(
      object: states.ordered.filter { !app.drops(store: $0.key) }.map {
        (app.storeName(for: $0.key), $0.value)
      })
  }
}
