public import FluxJSON

extension Timeline {
  /// Returns the step at a position as a document for queries.
  ///
  /// The members are `{"n","t","action","target","cause","effect","from","effects","at","took","x",
  /// "rejected","changed","state":{store: …},"before":{store: …}}`. A member that is absent in the
  /// log is absent here. At ``start`` there are only the number and the states. `before` has the
  /// last known state of each store before the step, which is that of the restored model if the app went back to one.
  ///
  /// The document is lazy: it reads and rebuilds what a query uses, and only the states of the
  /// stores that the query names. For a path to one value of a state, only that value is read.
  ///
  /// Reading a member throws ``LogError`` if a line cannot be read, or if a state is unknown; the
  /// error names the store.
  public func document(at position: Int) -> QueryDocument {
    document(at: position, rebuilt: { _ in nil })
  }

  /// Returns the document of ``document(at:)`` with states that the log lacks.
  ///
  /// `rebuilt` returns the state of a store that is not written here; nil if it is unknown.
  package func document(
    at position: Int, rebuilt: @escaping (_ store: String) throws -> StoreState?
  ) -> QueryDocument {
    func states(_ state: @escaping (String) throws -> StoreState) -> QueryDocument {
      let stores = log.storeNames
      return QueryDocument(states: stores, { try state(stores[$0]) }) { [self] in
        unknown([$0], at: position)
      }
    }
    let document = QueryDocument(
      number: { [self] in number(at: position) },
      isStep: { position >= 0 }, step: { [self] in try step(at: position) },
      changed: { [self] in
        let unrecorded = try unrecordedStores(at: position)
        guard unrecorded.isEmpty else { throw unknown(unrecorded, at: position) }
        return try changedStores(at: position)
      },
      changes: { [self] store in
        guard let isChanged = try isChanged(store, at: position) else {
          throw unknown([store], at: position)
        }
        return isChanged
      },
      after: {
        states { [self] store in
          let state = try storeState(store, at: position)
          return state.isKnown ? state : try rebuilt(store) ?? state
        }
      },
      before: { states { [self] store in try lastKnown(store, before: position) } })
    return document.reading { [self] in try value(at: $0, ofStepAt: position, rebuilt) }
  }

  /// Returns the value at a place of ``document(at:rebuilt:)`` that is in the state of a store or the type of the action.
  private func value(
    at place: SinglePlace, ofStepAt position: Int,
    _ rebuilt: (_ store: String) throws -> StoreState?
  ) throws -> QueryValue {
    let tokens = place.pointer.tokens
    guard tokens.count > 1, tokens[0] != "action" else {
      return QueryValue(log.type(at: position).map { JSON(stringLiteral: $0) })
    }
    let (store, place) = (tokens[1], place.inState)
    guard log.hasStore(store) else { return .absent }
    var found: StoreState
    if tokens[0] == "state" {
      found = try value(place, of: store, at: position)
      if !found.isKnown, let state = try rebuilt(store) { found = state.value(at: place) }
    } else if position >= 0 {
      found = try lastKnown(store, before: position).value(at: place)
    } else {
      found = .absent
    }
    guard found.isKnown else { throw unknown([store], at: position) }
    return QueryValue(found.json)
  }
}
