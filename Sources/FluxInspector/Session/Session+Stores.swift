import FluxLog

extension Session {
  /// The error that says that the log has no such store.
  func noStore(_ store: String) -> CommandError {
    let stores = log.storeNames
    let nearest = Spelling.nearest(to: store, among: stores)
    return CommandError(
      .noStore, "no store \(store)" + (nearest.map { "; did you mean \($0)?" } ?? ""),
      hint: stores.isEmpty ? nil : "the stores are \(stores.joined(separator: ", "))")
  }

  /// What is known of stores at a position, in their order.
  ///
  /// - Throws: ``LogError`` that names those whose states are not known there.
  func knownStates(of stores: [String], at position: Int) throws(LogError) -> [StoreState] {
    var states: [StoreState] = []
    for store in stores { states.append(try timeline.storeState(store, at: position)) }
    let unknown = zip(stores, states).filter { !$1.isKnown }.map(\.0)
    guard unknown.isEmpty else {
      throw LogError(
        path: log.path, reason: .unknownStates(unknown, step: stepNumber(at: position) ?? 0))
    }
    return states
  }
}
