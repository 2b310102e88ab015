extension Dispatcher {
  /// Sets the dispatcher to another model, for example to an earlier one.
  ///
  /// This is not a step: it has no number, and step numbers, time and query numbers continue. Running effects are
  /// cancelled. Queued follow-ups, and other queued actions with a cause, are ignored, because their cause never
  /// happened in the restored model. Other queued actions run afterwards. Stores whose states differ count as
  /// changed: middleware and then observers learn of it in one pass, and what observers dispatch has no cause.
  /// Queries follow their receipts: a query store whose open queries differ from those in the model gets one
  /// action that resets them. If the store rejects it, the queries are opened and closed one by one.
  /// ```swift
  /// let before = dispatcher.model
  /// dispatcher.dispatch(TodoAction.clearCompleted)
  /// try dispatcher.restore(before)
  /// ```
  /// A call from inside a step is queued behind that step's follow-ups. If a recorder is in use, the log contains
  /// the model before this method returns. To only show an old model, use ``present(_:whilePresenting:)``.
  ///
  /// - Parameter model: The model, from this dispatcher or from one with the same stores.
  /// - Throws: ``RestoreError`` if the dispatcher is not in ``Mode/live``, or if the model does not fit its stores.
  public func restore(_ model: Model) throws(RestoreError) {
    guard mode == .live else { throw .notLive(mode) }
    try engine.check(model)
    engine.perform(waitsForFollowUps: true) { $0.restore(model) }
  }

  /// Sets the dispatcher to a model that is presented, and ends the presentation.
  ///
  /// Actions are no longer ignored when the model is restored, so what observers dispatch in it runs.
  package func resume(in model: Model) throws(RestoreError) {
    guard mode == .live else { throw .notLive(mode) }
    try present(model)
    try restore(model)
    endPresenting()
  }
}

/// The reason why a dispatcher does not accept a model.
public enum RestoreError: Error, Equatable {
  /// The dispatcher replays or simulates.
  case notLive(Dispatcher.Mode)
  /// The model has other stores.
  case differentStores(expected: [StoreID], found: [StoreID])
  /// A store's state has another type in the model.
  case differentStateType(store: StoreID)
}

extension RestoreError: CustomStringConvertible {
  /// The reason, as a sentence.
  public var description: String {
    switch self {
    case .notLive(let mode):
      "the dispatcher is in mode \(mode); only a live one can be set to another model"
    case .differentStores(let expected, let found):
      "the model has the stores \(found.names), expected \(expected.names); "
        + "restore a model of this dispatcher or of one with the same stores"
    case .differentStateType(let store):
      "the state of \(store) has another type in the model; "
        + "restore a model of this dispatcher or of one with the same stores"
    }
  }
}

extension Engine {
  /// Checks that a model can become that of this dispatcher; a state of another type would be misread.
  func check(_ model: Model) throws(RestoreError) {
    guard model.layout !== layout else { return }
    guard model.stores == layout.ids else {
      throw .differentStores(expected: layout.ids, found: model.stores)
    }
    let own = publishedModel.snapshots
    for (index, snapshot) in model.snapshots.enumerated()
    where type(of: snapshot) != type(of: own[index]) {
      throw .differentStateType(store: layout.ids[index])
    }
  }
}
