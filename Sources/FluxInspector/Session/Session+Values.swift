public import FluxJSON
package import FluxLog
import FluxReplay

/// A path or an expression whose value is shown after every move.
package struct Display: Sendable {
  package let number: Int
  package let query: ValueQuery
}

// On a fork, the calls that ask for the step here get the step of the fork.
extension Session {
  /// The states of all stores here.
  public func model() throws -> StateResult {
    if let here = forkHere { return StateResult(value: Fork.model(of: here.states)) }
    let rebuilt = try rebuilt(log.storeNames, at: position)
    guard let rebuilt else {
      try requireRebuilt(log.storeNames, at: position)
      return StateResult(value: try timeline.known(timeline.model(at: position, check: check)))
    }
    return StateResult(value: Fork.model(of: try states(at: position)), rebuilt: rebuilt)
  }

  /// The state of one store here.
  public func state(of store: String) throws -> StateResult {
    if forkHere == nil { try requireRebuilt([store], at: position) }
    if let state = try currentState(of: store) {
      return StateResult(value: state, rebuilt: try rebuiltHere([store]))
    }
    guard (forkHere?.fork.stores ?? log.storeNames).contains(exactly: store) else {
      throw noStore(store)
    }
    throw CommandError(.noStore, "the store \(store) is absent \(placeText)")
  }

  /// The values that a path selects here.
  ///
  /// - Throws: ``CommandError`` of code `no-path` if a path that can select one value selects none.
  public func values(at path: Path) throws -> Selection {
    try requireRebuilt(for: path.footprint)
    let nodes = try path.nodes(in: document, check: check)
    if nodes.isEmpty, path.isSingular { throw try missing(path) }
    return Selection(
      values: nodes.map(SelectedValue.init), isSingular: path.isSingular,
      rebuilt: try rebuiltHere(storesAfter(path.footprint)))
  }

  /// The value of an expression here.
  ///
  /// - Throws: ``CommandError`` of code `no-path` if it has none, such as the length of a number.
  public func value(of expression: QueryExpression) throws -> StateResult {
    try requireRebuilt(for: expression.footprint)
    guard let value = try expression.value(in: document, check: check) else {
      for path in expression.singularPaths {
        guard let miss = try path.miss(in: document) else { continue }
        // A path inside an expression has no text of its own.
        let place = miss.place.shorthand
        throw timeline.missing(path, text: place, in: miss, placeText)
      }
      throw CommandError(.noPath, "\(expression.text) has no value \(placeText)")
    }
    return StateResult(
      value: value, rebuilt: try rebuiltHere(storesAfter(expression.footprint)))
  }

  /// The stores whose states here a query may read.
  func storesAfter(_ footprint: Footprint) -> [String] {
    var stores: [String] = []
    for place in footprint.places where place.tokens.first.map({ $0 == "state" }) ?? true {
      guard place.tokens.count > 1 else { return log.storeNames }
      stores.append(place.tokens[1])
    }
    return stores
  }

  private func requireRebuilt(for footprint: Footprint) throws {
    if forkHere == nil { try requireRebuilt(storesAfter(footprint), at: position) }
  }

  /// The origin of the states of some stores here; nil if none of them was rebuilt.
  package func rebuiltHere(_ stores: [String]) throws -> RebuiltStates? {
    forkHere == nil ? try rebuilt(stores, at: position) : nil
  }

  /// The values of a query in a document; those of an expression have its text as their place.
  package func values(
    of query: ValueQuery, in document: QueryDocument
  ) throws -> [SelectedValue] {
    switch query {
    case .path(let path):
      try path.nodes(in: document, check: check).map(SelectedValue.init)
    case .expression(let expression):
      try expression.value(in: document, check: check)
        .map { [SelectedValue(value: $0, of: expression)] } ?? []
    }
  }

  /// The action of the step here, and its origin.
  public func action() throws -> ActionReport {
    guard forkHere != nil || position >= 0 else {
      throw CommandError(
        .badPosition, "there is no action before the first step", next: .goToFirstStep)
    }
    let step = try stepHere()
    return ActionReport(
      action: step.action, target: step.target, cause: step.cause, effect: step.effect,
      from: step.from, effects: step.effects.json, source: step.source, external: step.external,
      isReflected: step.isReflected ? true : nil)
  }

  /// An action of the log for a message: the one here, or that of the first step; nil if it is long or cannot be read.
  package var exampleAction: JSON? {
    guard log.count > 0 else { return nil }
    do {
      let action = try log.step(at: max(position, 0)).action
      return action.byteCount <= 120 ? action : nil
    } catch {
      // The message is about another problem.
      return nil
    }
  }

  /// The stores, and what is known about their states here.
  public func stores() throws -> StoreList {
    return StoreList(
      stores: try log.storeNames.map { name in
        try checkInterruption()
        return StoreEntry(
          name, log.declaredStores[name], state: try storeState(name, at: position),
          isUnwritten: timeline.isUnwritten(name, at: position),
          isImported: timeline.importHiding(name, at: log.sourcePosition(of: position)) != nil)
      })
  }

  // MARK: Displays

  /// Adds a path or an expression whose value every later move shows.
  public mutating func addDisplay(_ query: ValueQuery) throws -> DisplayedValue {
    let display = Display(number: lastDisplayNumber + 1, query: query)
    var value = try value(of: display)
    if case .path(let path) = query, value.values.isEmpty, value.failure == nil, path.isSingular {
      value.notes.append(Note(try missing(path).message))
    }
    displays.append(display)
    lastDisplayNumber = display.number
    return value
  }

  /// Removes a display.
  public mutating func removeDisplay(_ number: Int) throws(CommandError) {
    guard let place = displays.firstIndex(where: { $0.number == number }) else {
      throw CommandError(.notFound, "no display \(number)", next: .listDisplays)
    }
    displays.remove(at: place)
  }

  /// The values of all displays here.
  public func displayedValues() throws -> DisplayList {
    DisplayList(displays: try displays.map { try value(of: $0) })
  }

  func value(of display: Display) throws -> DisplayedValue {
    func displayed(_ values: [SelectedValue], failure: String? = nil) -> DisplayedValue {
      DisplayedValue(
        number: display.number, query: display.query, values: values, failure: failure)
    }
    do {
      return displayed(try values(of: display.query, in: document))
    } catch let error as CommandError {
      throw error
    } catch {
      // A display that cannot be shown here must not prevent a move.
      return displayed([], failure: CommandError(error, in: self).message)
    }
  }
}

extension Timeline {
  /// The states of a model of the log, as one object; an error if not all are known.
  package func known(_ model: RecordedModel) throws -> JSON {
    guard model.unknownStores.isEmpty else {
      throw unknown(model.unknownStores, at: model.position)
    }
    return model.json
  }
}
