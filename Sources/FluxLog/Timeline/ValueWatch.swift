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
  private static let smallestPass = 64
  /// The steps to pass between two reports.
  private static let reportSize = 4096

  /// Calls `visit` with the steps of a range that may change the value, until it returns `false`.
  ///
  /// Evaluates pieces of the range by passes, and steps one by one if a pass cannot tell or is not worth it. The index
  /// knows which steps write a store: if few do, a pass over all the others would be wasted.
  ///
  /// - Parameters:
  ///   - range: The positions to search.
  ///   - direction: The order of the steps.
  ///   - goesOn: Called from time to time with the positions that are left; returns `false` to stop.
  ///   - visit: Receives a position; the value from there on if a pass found it; and `true` if that differs from the value
  ///     right before.
  /// - Returns: The positions that are left; `nil` if the search is complete.
  /// - Throws: ``LogError`` if a line cannot be read, and any error of the closures.
  func forEachCandidate(
    in range: Range<Int>, _ direction: SearchDirection, goesOn: (Range<Int>) throws -> Bool,
    _ visit: (_ position: Int, _ value: WatchedValue?, _ isChange: Bool) throws -> Bool
  ) throws -> Range<Int>? {
    var search = PieceSearch(direction) { [timeline, query] in timeline.values(of: query, in: $0) }
    var rest = range
    var plain = direction.beginning(of: range, count: Self.smallestPass)
    while !rest.isEmpty {
      guard try goesOn(rest) else { return rest }
      let asked = plain.clamped(to: rest)
      if asked.isEmpty, isWorthPass(rest, direction) {
        for (piece, values) in search.next(in: rest) {
          guard let values else {
            plain = piece
            break
          }
          // Each value has the position from which on it holds, so the last one visited is where it was written.
          // Within a piece, each value differs from its neighbors.
          for (position, value) in direction == .forwards ? values : values.reversed()
          where try !visit(position, value, position != values[0].position) {
            return direction.rest(of: rest, beyond: position)
          }
          rest = direction.rest(of: rest, beyondPiece: piece)
        }
        continue
      }
      let part = direction.beginning(of: asked.isEmpty ? rest : asked, count: Self.reportSize)
      let found = try candidate(in: part, direction)
      let passed = found ?? (direction == .forwards ? part.upperBound - 1 : part.lowerBound)
      rest = direction.rest(of: rest, beyond: passed)
      if let found, try !visit(found, nil, false) { return rest }
    }
    return nil
  }

  /// Returns the nearest position in the range whose step changes the value.
  func change(in range: Range<Int>, _ direction: SearchDirection) throws -> Int? {
    var found: Int?
    let goesOn = { (_: Range<Int>) throws in
      try check()
      return true
    }
    _ = try forEachCandidate(in: range, direction, goesOn: goesOn) { position, _, differs in
      guard try differs || isChange(at: position) else { return true }
      found = position
      return false
    }
    return found
  }

  func isWorthPass(_ range: Range<Int>, _ direction: SearchDirection) -> Bool {
    guard range.count > Self.smallestPass else { return false }
    return next(in: direction.beginning(of: range, count: Self.smallestPass), direction) != nil
  }

  /// Returns the nearest position in the range whose step may change the value.
  private func candidate(in range: Range<Int>, _ direction: SearchDirection) throws -> Int? {
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
      let place = direction == .forwards ? first + offset : last - offset
      let found = breaks[place]
      var positions = found.kind == .gap ? [] : [found.position]
      // The next break begins another model.
      let end = place < last ? breaks[place + 1].position : range.upperBound
      if found.endsWithWholeModel, let accepted = firstAccepted(in: found.position..<end) {
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
