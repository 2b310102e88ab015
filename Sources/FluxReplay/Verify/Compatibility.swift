import FluxLog

extension AppDescription {
  /// Returns the stores and actions removed or added since the recording; `range` is that of the steps to
  /// replay.
  func incompatibilities(
    with log: LogFile, in range: Range<Int>
  ) throws(LogError) -> [Incompatibility] {
    let recorded = log.storeNames
    let known = Set(recorded.map { BytewiseName(storeName(for: $0)) })
    var found: [Incompatibility] = []
    for (type, step) in try unknownActions(of: log, in: range) {
      found.append(Incompatibility(.unknownAction(type: type, step: step)))
    }
    for store in recorded where !hasStore(store) {
      found.append(Incompatibility(.missingStore(store)))
    }
    for store in stores where !known.contains(BytewiseName(store.name)) {
      found.append(Incompatibility(.newStore(store.name)))
    }
    return found
  }

  /// Returns the types of actions that no store handles, each with its first step.
  ///
  /// Actions that no store handled in the recording do not count.
  private func unknownActions(
    of log: LogFile, in range: Range<Int>
  ) throws(LogError) -> [(type: String, step: UInt64)] {
    var unknown: [(type: String, step: UInt64)] = []
    for type in try log.typeCounts().map({ $0.type }).sorted() where !takes(type) {
      var rest = range
      while let position = try log.firstPosition(in: rest, typeWhere: { $0.hasSameBytes(as: type) })
      {
        let step = try log.step(at: position)
        if step.rejection?.neverRan != true {
          unknown.append((type, step.number))
          break
        }
        rest = position + 1..<range.upperBound
      }
    }
    return unknown
  }
}

extension LogRejection {
  /// `true` if the action never reached a store: a middleware rejected it, or no store handles it.
  var neverRan: Bool { reason == "intercepted" || reason == "unhandled" }

  /// `true` if a middleware rejected the action; a replay has no middleware.
  var isIntercepted: Bool { reason == "intercepted" }
}
