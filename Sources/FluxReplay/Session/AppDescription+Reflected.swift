import FluxLog

// Values that were recorded by reflection are for people: nothing decodes them again.

extension LogFile {
  /// The reason why no app can be started in the states of the log, which reflection recorded; nil if one of its stores has
  /// others.
  package var reflectionFailure: ReplayFailure? {
    let stores = header.stores
    guard let first = stores.first, stores.allSatisfy(\.isReflected) else { return nil }
    return first.reflectionFailure
  }
}

extension LogHeader.Store {
  /// The failure to decode the states of the store, which reflection recorded.
  fileprivate var reflectionFailure: ReplayFailure {
    // A tuple, as a watch often returns one, has no conformances.
    let advice =
      type?.hasPrefix("(") == true
      ? "record a Codable type in place of a tuple, with Codable actions and start(states:)"
      : "make \(type ?? "the state") and its actions Codable, and record with start(states:)"
    let why = "reflection recorded the states of \(name), which cannot be decoded; \(advice)"
    return ReplayFailure(.cannotStart(why: why))
  }
}

extension AppDescription {
  /// Refuses a log whose states, or those of the app's stores, come from reflection; the failure says which type to make
  /// `Codable`.
  func refuseReflectedStates(of log: LogFile) throws(ReplayFailure) {
    if let failure = log.reflectionFailure { throw failure }
    let store = log.header.stores.first { $0.isReflected && hasStore($0.name) }
    if let store { throw store.reflectionFailure }
  }

  /// Refuses a step whose action comes from reflection; the failure says which type to make `Codable`.
  func refuseReflectedAction(of step: LogStep) throws(ReplayFailure) {
    guard step.isReflected, !needsDropped(step) else { return }
    throw ReplayFailure(.cannotStart(why: step.reflectedActionText))
  }
}

extension LogStep {
  /// The reason why the action of the step cannot be dispatched again.
  var reflectedActionText: String {
    """
    reflection recorded the action of step \(number), \(type), which cannot be decoded; make its type Codable, and \
    record again, or drop it in the app's Evolution
    """
  }
}
