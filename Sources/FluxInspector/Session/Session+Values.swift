public import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// A name for a position.
struct Bookmark: Sendable, Equatable {
  let name: String
  /// The position, as `Timeline` counts.
  let position: Int

  /// Returns `true` for letters, digits, `_`, `-` and `.` behind a letter or `_`, but no `..`, which would end the name in
  /// a range.
  static func isName(_ text: String) -> Bool {
    text.unicodeScalars.first.map { $0.properties.isAlphabetic || $0 == "_" } ?? false
      && !text.contains("..")
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || scalar == "_" || scalar == "-" || scalar == "."
      }
  }
}

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
      return StateResult(value: try timeline.knownModel(at: position, check: check))
    }
    return StateResult(value: Fork.model(of: try states(at: position)), rebuilt: rebuilt)
  }

  /// The state of one store here.
  public func state(of store: String) throws -> StateResult {
    if forkHere == nil { try requireRebuilt([store], at: position) }
    if let state = try currentState(of: store) {
      return StateResult(value: state, rebuilt: try rebuiltHere([store]))
    }
    guard (forkHere?.fork.stores ?? log.storeNames).contains(store) else { throw noStore(store) }
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
  public func value(of expression: QueryExpression) throws -> ExpressionValue {
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
    return ExpressionValue(
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
  func values(of query: ValueQuery, in document: QueryDocument) throws -> [SelectedValue] {
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
      effects: step.effects.json, source: step.source, external: step.external,
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

  // MARK: Bookmarks

  /// Removes a bookmark.
  ///
  /// - Throws: ``CommandError`` if there is none of that name.
  public mutating func removeBookmark(_ name: String) throws {
    guard let place = namedPositions.firstIndex(where: { $0.name == name }) else {
      throw missingBookmark(name)
    }
    namedPositions.remove(at: place)
  }

  /// Gives the position here a name; moves a bookmark that exists.
  public mutating func addBookmark(
    _ name: String, at position: Position = .here
  ) throws -> BookmarkEntry {
    guard Bookmark.isName(name) else {
      throw CommandError(
        .usage, "\(name) is not a name",
        hint: "a name begins with a letter or '_', and has letters, digits, '_', '-' and '.'")
    }
    let resolved = try resolve(position)
    let bookmark = Bookmark(name: name, position: resolved.position)
    var entry = entry(bookmark)
    entry.notes += resolved.notes
    if let place = namedPositions.firstIndex(where: { $0.name == name }) {
      entry.notes.append("$\(name) was step \(number(at: namedPositions[place].position)) before")
      namedPositions[place] = bookmark
    } else {
      namedPositions.append(bookmark)
    }
    return entry
  }

  /// All bookmarks, oldest first.
  public func bookmarks() -> BookmarkList {
    BookmarkList(bookmarks: namedPositions.map { entry($0) })
  }

  private func entry(_ bookmark: Bookmark) -> BookmarkEntry {
    BookmarkEntry(
      name: bookmark.name, step: number(at: bookmark.position),
      type: log.type(at: bookmark.position))
  }

  // MARK: What is not there

  /// The error of a path that selects nothing here, with a suggestion.
  func missing(_ path: Path) throws -> CommandError {
    timeline.missing(path, in: try path.miss(in: document), placeText)
  }

  /// A remark on a path that selects nothing here; nil if it selects something.
  func miss(of path: Path) throws -> String? {
    guard try path.miss(in: document) != nil else { return nil }
    return try missing(path).message
  }

  /// The error of a store that the log does not have.
  func noStore(_ store: String) -> CommandError {
    let stores = log.storeNames
    return CommandError(
      .noStore, "no store \(store)\(Spelling.question(store, among: stores))",
      hint: stores.isEmpty ? nil : "the stores are \(stores.joined(separator: ", "))")
  }

  /// The place here in words, for messages: `at step 42`, `on fork 1`.
  package var placeText: String {
    forkPlace.map { "on fork \($0.number)" } ?? "at step \(number(at: position))"
  }
}

extension Timeline {
  /// The error of a path that leaves a document, with a suggestion.
  func missing(
    _ path: Path, text: String? = nil, in miss: PathMiss?, _ place: String
  ) -> CommandError {
    let meant =
      miss.flatMap { rootMeant($0) } ?? miss?.suggestion?.shorthand
      ?? miss.flatMap { stateMeant($0, path) }
    return CommandError(
      .noPath,
      "no path \(text ?? path.text) \(place)" + (meant.map { "; did you mean \($0)?" } ?? ""),
      note: meant == nil
        ? miss.flatMap { lastElement($0) ?? habit($0, path) ?? storesHint($0) } : nil)
  }

  /// The number of elements that there are, for an index that is too large.
  private func lastElement(_ miss: PathMiss) -> Note? {
    guard let count = miss.elementCount, case .index? = miss.place.elements.last else { return nil }
    let last = Location(miss.reached.elements + [.index(count - 1)])
    return Note(
      "\(miss.reached.shorthand) has \(count.counted("element"))"
        + (count > 0 ? "; the last is \(last.shorthand)" : ""))
  }

  /// Suggests a path for one as other tools write it; nil if nothing is likely.
  func habit(_ miss: PathMiss, _ path: Path) -> Note? {
    let reached = miss.reached
    switch miss.missing {
    case "rejected" where reached.elements.isEmpty:
      return Note("the step was not rejected", next: .listRejections)
    case "payload" where reached.elements.isEmpty, "type" where reached.elements.isEmpty:
      return Note("", next: .readAction(miss.missing))
    case "count" where reached.elements.count > 1, "length" where reached.elements.count > 1,
      "size" where reached.elements.count > 1:
      return "for the number of elements: length(\(reached.shorthand))"
    case "state" where reached.elements == [.name("state")] && path.text.hasPrefix("state."):
      return "paths begin with a store: \(path.text.dropFirst("state.".count))"
    default: return nil
    }
  }

  /// The stores, for a path that begins with none of them.
  private func storesHint(_ miss: PathMiss) -> Note? {
    let stores = log.storeNames
    guard miss.reached.elements == [.name("state")], !stores.contains(miss.missing),
      !stores.isEmpty
    else { return nil }
    switch miss.missing {
    case "payload", "type":
      return Note("", next: .readAction(miss.missing))
    case "action", "effect", "cause", "rejected":
      return Note("", next: .readStep(miss.missing))
    default: return "the stores are \(stores.joined(separator: ", "))"
    }
  }

  /// The place in a store's state, for one without the name of the store: `cart.total` for `total`; nil if no state or
  /// several have such a member.
  package func rootMeant(_ miss: PathMiss) -> String? {
    guard miss.reached.elements == [.name("state")], !log.storeNames.contains(miss.missing) else {
      return nil
    }
    for position in [Timeline.start, end] {
      do {
        let states = try model(at: position).states.ordered
        let stores = states.filter { $0.value.json?[miss.missing] != nil }.map(\.key)
        guard stores.count == 1 else { continue }
        return Location([.name("state"), .name(stores[0]), .name(miss.missing)]).shorthand
      } catch {
        // The error at hand is about the path, and this only adds to it.
        continue
      }
    }
    return nil
  }

  /// The path below the states, for a path that starts with a store right below the step.
  private func stateMeant(_ miss: PathMiss, _ path: Path) -> String? {
    guard miss.reached.elements.isEmpty, log.storeNames.contains(miss.missing) else { return nil }
    return "$.state" + path.text.dropFirst()
  }

  /// The states of all stores at a position, as one object; an error if not all are known.
  package func knownModel(at position: Int, check: () throws -> Void = {}) throws -> JSON {
    let model = try model(at: position, check: check)
    guard model.unknownStores.isEmpty else {
      throw unknown(model.unknownStores, at: position)
    }
    return model.json
  }
}
