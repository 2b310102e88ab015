extension Timeline {
  /// The step at a position as queries see it.
  ///
  /// `{"n","t","action","cause","rejected","changed","state":{store: …},"before":{store: …}}`; what
  /// is absent in the log is absent here, and at ``start`` there is only the number and the states.
  /// Nothing is read or rebuilt before a query asks for it, and of the states only those of the
  /// stores that it names. `before` has for each store the last state that is known before the
  /// step.
  ///
  /// The members throw ``LogError``: where a line cannot be read, and, naming the store, where a
  /// state is not known.
  public func document(at position: Int) -> QueryDocument {
    let isStep = position >= 0
    return QueryDocument(members: [
      .init("n") { [self] in
        number(at: position).map { number in QueryDocument(JSON(writing: { $0.uint(number) })) }
      },
      .init("t") { [self] in
        guard isStep else { return nil }
        return QueryDocument(try JSON.parse(try step(at: position).time.description))
      },
      .init("action") { [self] in
        isStep ? QueryDocument(try step(at: position).action) : nil
      },
      .init("cause") { [self] in
        guard isStep, let cause = try step(at: position).cause else { return nil }
        return QueryDocument(JSON(writing: { $0.uint(cause) }))
      },
      .init("rejected") { [self] in
        isStep ? try step(at: position).rejection.map { QueryDocument($0.json) } : nil
      },
      .init("changed") { [self] in
        let changed = try changedStores(at: position)
        return QueryDocument(JSON(writing: { $0.strings(changed) }))
      },
      .init("state") { [self] in
        states { [self] store throws(LogError) in try state(of: store, at: position) }
      },
      .init("before") { [self] in
        guard isStep else { return nil }
        return states { [self] store throws(LogError) in
          try lastKnown(store, atOrBefore: position - 1).state.json
        }
      },
    ])
  }

  private func states(
    _ state: @escaping (String) throws(LogError) -> JSON?
  ) -> QueryDocument {
    QueryDocument(
      members: log.storeNames.map { store in
        .init(store) { try state(store).map { QueryDocument($0) } }
      })
  }
}

extension LogRejection {
  /// The rejection as it is written in a line.
  fileprivate var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.name("reason")
      writer.string(reason)
      writer.name("message")
      writer.string(message)
      if let store {
        writer.name("store")
        writer.string(store)
      }
      writer.endObject()
    })
  }
}
