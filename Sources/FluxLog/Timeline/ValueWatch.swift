package import FluxJSON

/// The value of a query at a step.
package struct WatchedValue: Equatable {
  private let values: [JSON]
  /// The places of the values; `nil` if there can be only one value.
  private let locations: [Location]?
  /// `true` for a path with a filter, which may select one element at changing places.
  private let isFiltered: Bool

  /// Evaluates a query.
  ///
  /// - Throws: As the evaluation does.
  package init(
    _ query: ValueQuery, in document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws {
    switch query {
    case .path(let path) where !path.isSingular:
      let nodes = try path.nodes(in: document, check: check)
      self.init(nodes.map(\.value), nodes.map(\.location), isFiltered: path.isFiltered)
    case .path, .expression:
      self.init(try query.expression?.value(in: document, check: check))
    }
  }

  init(_ value: JSON?) {
    self.init(value.map { [$0] } ?? [], nil, isFiltered: false)
  }

  private init(_ values: [JSON], _ locations: [Location]?, isFiltered: Bool) {
    (self.values, self.locations, self.isFiltered) = (values, locations, isFiltered)
  }

  /// Compares the values, and the places only if there can be several.
  ///
  /// `x[-1]` is the last element at any index, and `x[?@.id==2]` is the same element after a move.
  package static func == (left: Self, right: Self) -> Bool {
    guard left.values == right.values else { return false }
    if left.isFiltered, left.values.count <= 1 { return true }
    return left.locations == right.locations
  }

  /// The value; `nil` if there is none.
  ///
  /// For a path that can select several values, an array of all of them.
  var json: JSON? {
    guard locations != nil else { return values.first }
    guard !values.isEmpty else { return nil }
    return JSON(writing: { writer in
      writer.beginArray()
      for value in values { writer.raw(value) }
      writer.endArray()
    })
  }
}

/// Finds the steps that change the value of a query, and skips those that cannot change it.
///
/// A step cannot change the value if it writes none of the query's stores, or if its patches
/// touch other places. All other steps are evaluated. A step wrote a value if it created, changed
/// or removed it.
struct ValueWatch {
  private let timeline: Timeline
  private let query: ValueQuery
  private let check: () throws -> Void
  /// The stores that the query reads; `nil` for all stores.
  private let stores: Set<String>?
  /// `true` if the query reads the step itself, so every step may change the value.
  private let readsStep: Bool
  /// For each store, the places that contain everything the query reads.
  private let places: [String: [Pointer]]

  init(_ query: ValueQuery, in timeline: Timeline, check: @escaping () throws -> Void) {
    self.timeline = timeline
    self.query = query
    self.check = check
    let footprint = query.footprint
    stores = footprint.stores
    readsStep = !footprint.readsStatesOnly
    places = footprint.placesByStore
  }

  /// Returns the value of the query at a position; `nil` if a store that it reads is unknown.
  func value(at position: Int) throws -> WatchedValue? {
    try value(in: timeline.document(at: position))
  }

  /// Returns the value in the model to which the app went back right before the step at a position; `nil` if it did not,
  /// or if the value is unknown there.
  func restoredValue(before position: Int) throws -> WatchedValue? {
    guard timeline.log.isRestored(before: position) else { return nil }
    return try value(in: timeline.document(before: position, for: query))
  }

  private func value(in document: QueryDocument) throws -> WatchedValue? {
    try LogError.ifKnown { try WatchedValue(query, in: document, check: check) }
  }

  /// `true` if the step at a position changes the value compared with the last known one.
  func isChange(at position: Int) throws -> Bool {
    guard let after = try value(at: position) else { return false }
    if let before = try value(in: timeline.document(before: position, for: query)) {
      return before != after
    }
    var known = readsStep ? position - 1 : timeline.baseline(of: position).position
    while known >= 0 {
      if let before = try value(at: known) { return before != after }
      known = try lastKnown(before: known)
    }
    return try value(at: Timeline.start) != after
  }

  /// Returns the last earlier position at which every store that is unknown here was known.
  private func lastKnown(before position: Int) throws(LogError) -> Int {
    var known = position - 1
    for store in stores ?? Set(timeline.log.storeNames) {
      known = min(known, try timeline.lastKnown(store, atOrBefore: position).position)
    }
    return known
  }

  /// A range of fewer steps is not worth a pass.
  let smallestPass = 64

  /// `true` if a pass over the next steps of a range is faster than asking for the next one that may change the value.
  ///
  /// The index knows which steps write a store. If few do, a pass would read all the others for nothing.
  func isWorthPass(_ range: Range<Int>, _ direction: SearchDirection) -> Bool {
    guard range.count > smallestPass else { return false }
    return next(in: near(range, direction), direction) != nil
  }

  /// The first steps of a range in a direction, for which a pass is not worth it.
  private func near(_ range: Range<Int>, _ direction: SearchDirection) -> Range<Int> {
    direction == .forwards ? range.prefix(smallestPass) : range.suffix(smallestPass)
  }

  /// Returns the nearest position in the range whose step changes the value.
  func change(in range: Range<Int>, _ direction: SearchDirection) throws -> Int? {
    let near = self.near(range, direction)
    if let found = try examine(near, direction) { return found }
    var rest = direction.rest(of: range, beyondPiece: near)
    var search = PieceSearch(direction) { [timeline, query] piece in
      timeline.values(of: query, in: piece)
    }
    while let written = next(in: rest, direction) {
      try check()
      let beyond = direction.rest(of: rest, beyond: written)
      guard isWorthPass(beyond, direction) else {
        if try mayChange(at: written), try isChange(at: written) { return written }
        rest = beyond
        continue
      }
      rest = direction.rest(of: rest, from: written)
      for (piece, values) in search.next(in: rest) {
        let found: Int?
        if let values, let changes = try changes(in: values, from: piece.lowerBound) {
          found = direction == .forwards ? changes.first : changes.last
        } else {
          found = try examine(piece, direction)
        }
        if let found { return found }
        rest = direction.rest(of: rest, beyondPiece: piece)
      }
    }
    return nil
  }

  /// Returns the positions of a piece whose steps change the value; `nil` if the value before it is unknown.
  private func changes(
    in values: [(position: Int, value: WatchedValue)], from start: Int
  ) throws -> [Int]? {
    guard let before = try value(at: start - 1) else { return nil }
    let isFirstChanged = values.first.map { $0.value != before } ?? false
    return values.dropFirst(isFirstChanged ? 0 : 1).map(\.position)
  }

  /// Returns the nearest position in the range whose step changes the value, and asks about step after step.
  private func examine(_ range: Range<Int>, _ direction: SearchDirection) throws -> Int? {
    var rest = range
    while let found = try candidate(in: rest, direction) {
      if try isChange(at: found) { return found }
      rest = direction.rest(of: rest, beyond: found)
    }
    return nil
  }

  /// Returns the nearest position in the range whose step may change the value.
  func candidate(in range: Range<Int>, _ direction: SearchDirection) throws -> Int? {
    var rest = range
    while let found = next(in: rest, direction) {
      try check()
      if try mayChange(at: found) { return found }
      rest = direction.rest(of: rest, beyond: found)
    }
    return nil
  }

  /// Returns the nearest position in the range whose step writes a store of the query, or does not continue the model.
  private func next(in range: Range<Int>, _ direction: SearchDirection) -> Int? {
    guard !range.isEmpty else { return nil }
    if readsStep { return direction == .forwards ? range.first : range.last }
    let written = timeline.log.position(in: range, direction, shapeWhere: writes)
    let broken = timeline.log.resumption(in: range, direction)
    guard let written, let broken else { return written ?? broken }
    return direction == .forwards ? min(written, broken) : max(written, broken)
  }

  private func writes(_ shape: StepShape) -> Bool {
    guard let stores else { return !shape.writes.isEmpty }
    return shape.writes.contains { stores.contains($0.store) }
  }

  private func mayChange(at position: Int) throws(LogError) -> Bool {
    guard !readsStep, let shape = timeline.log.shape(at: position), let stores,
      !timeline.baseline(of: position).afterGap
    else { return true }
    for write in shape.writes where stores.contains(write.store) {
      // A patch after unwritten states shows all that they changed.
      guard write.kind == .patch, !timeline.isUnwritten(write.store, at: position - 1) else {
        return true
      }
      // Uses the cache: if the step has to be evaluated, its line is already read.
      guard let patch = try timeline.step(at: position).patches?[write.store] else { return true }
      for place in places[write.store] ?? [] where place.mayChange(by: patch) { return true }
    }
    return false
  }
}

extension Timeline {
  /// Returns the document that the step at a position is compared with.
  ///
  /// For a query about the states, it is that of the last known model before the step, or of the model to which the app
  /// went back. For a query that reads the step itself, it is that of the previous step.
  package func document(before position: Int, for query: ValueQuery)
    -> QueryDocument
  {
    guard query.footprint.readsStatesOnly else { return document(at: position - 1) }
    if case .states(let states)? = log.restoredModel(before: position) {
      return QueryDocument(members: [.init("state") { QueryDocument(states) }])
    }
    return document(at: baseline(of: position).position)
  }
}

extension LogFile {
  /// Returns the nearest position in the range whose step does not continue the model: the first
  /// step after damage or after the app went back to another model, or the first accepted step after a gap.
  fileprivate func resumption(
    in range: Range<Int>, _ direction: SearchDirection
  ) -> Int? {
    guard let last = breaks.lastPlace(atOrBefore: range.upperBound - 1) else { return nil }
    // The first accepted step after a gap before the range may be in the range.
    let first = breaks.lastPlace(atOrBefore: range.lowerBound) ?? 0
    for offset in 0...last - first {
      let found = breaks[direction == .forwards ? first + offset : last - offset]
      var positions = found.kind == .gap ? [] : [found.position]
      if found.endsWithWholeModel,
        let accepted = firstAccepted(in: found.position..<range.upperBound)
      {
        positions.append(accepted)
      }
      positions.removeAll { !range.contains($0) }
      if let position = direction == .forwards ? positions.first : positions.last {
        return position
      }
    }
    return nil
  }
}

extension Footprint {
  /// The places in the states after a step, by store; excludes the places in the states before it.
  fileprivate var placesByStore: [String: [Pointer]] {
    var byStore: [String: [Pointer]] = [:]
    for place in places {
      let tokens = place.tokens
      guard tokens.first == "state", tokens.count > 1 else { continue }
      byStore[tokens[1], default: []].append(Pointer(tokens: tokens.dropFirst(2)))
    }
    return byStore
  }
}
