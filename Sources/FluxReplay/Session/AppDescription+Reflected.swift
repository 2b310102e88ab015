import FluxLog

// Values that were recorded by reflection are for people: nothing decodes them again.

extension AppDescription {
  /// Refuses a log whose states of the app's stores come from reflection.
  ///
  /// - Throws: ``ReplayFailure`` that says which type to make `Codable`.
  func refuseReflectedStates(of log: LogFile) throws(ReplayFailure) {
    let stores = log.header.stores
    guard let store = stores.first(where: { $0.isReflected && hasStore($0.name) }) else { return }
    throw ReplayFailure(
      .cannotStart(
        why: """
          \(store.type ?? "the state") is not Codable: the log has the states of \(store.name) by reflection; make \
          the type Codable, and record it with start(states:)
          """))
  }

  /// Refuses a step whose action comes from reflection.
  ///
  /// - Throws: ``ReplayFailure`` that says which type to make `Codable`.
  func refuseReflectedAction(of step: LogStep) throws(ReplayFailure) {
    guard step.isReflected, !needsDropped(step) else { return }
    throw ReplayFailure(.cannotStart(why: step.reflectedActionText))
  }
}

extension LogStep {
  /// The reason why the action of the step cannot be dispatched again.
  var reflectedActionText: String {
    """
    the type of \(type) is not Codable: the log has the action of step \(number) by reflection; make the type Codable, and \
    record again
    """
  }
}
