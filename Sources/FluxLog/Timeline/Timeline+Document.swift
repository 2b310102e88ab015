public import FluxJSON

extension Timeline {
  /// Returns the step at a position as a document for queries.
  ///
  /// The members are `{"n","t","action","target","cause","effect","from","effects","at","took","x",
  /// "rejected","changed","state":{store: …},"before":{store: …}}`. A member that is absent in the
  /// log is absent here. At ``start`` there are only the number and the states. `before` has the
  /// last known state of each store before the step.
  ///
  /// The document is lazy: it reads and rebuilds what a query uses, and only the states of the
  /// stores that the query names.
  ///
  /// Reading a member throws ``LogError`` if a line cannot be read, or if a state is unknown; the
  /// error names the store.
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
      .init("target") { [self] in try text(at: position, \.target) },
      .init("cause") { [self] in try number(at: position, \.cause) },
      .init("effect") { [self] in try text(at: position, \.effect) },
      .init("from") { [self] in try text(at: position, \.from) },
      .init("effects") { [self] in
        isStep ? try step(at: position).effects.json.map { QueryDocument($0) } : nil
      },
      .init("at") { [self] in try text(at: position, \.source) },
      .init("took") { [self] in try number(at: position, \.took) },
      .init("x") { [self] in
        guard isStep else { return nil }
        return try JSON.parse(log.lineText(at: position))["x"].map { QueryDocument($0) }
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

  private func text(
    at position: Int, _ member: (LogStep) -> String?
  ) throws -> QueryDocument? {
    guard position >= 0, let text = member(try step(at: position)) else { return nil }
    return QueryDocument(JSON(stringLiteral: text))
  }

  private func number(
    at position: Int, _ member: (LogStep) -> UInt64?
  ) throws -> QueryDocument? {
    guard position >= 0, let number = member(try step(at: position)) else { return nil }
    return QueryDocument(JSON(writing: { $0.uint(number) }))
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
  /// The rejection as a query reads it.
  var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("reason", reason)
      writer.member("message", message)
      writer.member("store", store)
      writer.endObject()
    })
  }
}
