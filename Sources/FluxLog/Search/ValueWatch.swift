package import FluxJSON

/// The value of a query at a step.
package struct WatchedValue: Equatable {
  private let values: [JSON]
  /// The places of the values; `nil` if there can be only one value.
  private let locations: [Location]?
  /// `true` for a path with a filter, which may select one element at changing places.
  private let isFiltered: Bool

  /// Evaluates a query.
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
  package var json: JSON? {
    guard locations != nil else { return values.first }
    return values.isEmpty ? nil : JSON(array: values)
  }
}

/// Compares the values of a query before and after steps.
///
/// A step wrote a value if it created, changed or removed it.
struct ValueWatch {
  let question: DocumentQuestion<WatchedValue>
  private let timeline: Timeline
  private let query: ValueQuery
  private let check: () throws -> Void

  init(_ query: ValueQuery, in timeline: Timeline, check: @escaping () throws -> Void) {
    (self.query, self.timeline, self.check) = (query, timeline, check)
    question = DocumentQuestion(query, in: timeline)
  }

  /// Returns the value of the query at a position; `nil` if a store that it reads is unknown.
  func value(at position: Int) throws -> WatchedValue? {
    try question.answer(at: position, check: check)
  }

  /// Returns the value in the model to which the app went back right before the step at a position; `nil` if it did not,
  /// or if the value is unknown there.
  func restoredValue(before position: Int) throws -> WatchedValue? {
    guard timeline.log.isRestored(before: position) else { return nil }
    return try value(before: position)
  }

  private func value(before position: Int) throws -> WatchedValue? {
    try question.answer(in: timeline.document(before: position, for: query), check: check)
  }

  /// Returns the nearest position in the range whose step changes the value.
  func change(in range: Range<Int>, _ direction: SearchDirection) throws -> Int? {
    var found: Int?
    let scan = Scan(question, range, direction)
    _ = try scan.run(check: { [check] _ in try check() }) { run in
      let position = run.positions.lowerBound
      guard let after = run.answer, try run.isChange ?? isChange(at: position, to: after) else {
        return true
      }
      found = position
      return false
    }
    return found
  }

  /// `true` if the step at a position changes the value compared with the last known one.
  private func isChange(at position: Int, to after: WatchedValue) throws -> Bool {
    if let before = try value(before: position) { return before != after }
    let known =
      query.footprint.readsStatesOnly ? timeline.baseline(of: position).position : position - 1
    return try lastKnown(atOrBefore: known)?.value != after
  }

  /// Returns the value at the last position up to this one at which it is known; `nil` if there is none.
  func lastKnown(atOrBefore position: Int) throws -> (position: Int, value: WatchedValue)? {
    var known = position
    while true {
      if let value = try value(at: known) { return (known, value) }
      guard known >= 0 else { return nil }
      known = try lastKnown(before: known)
    }
  }

  /// Returns the last earlier position at which every store that is unknown here was known.
  private func lastKnown(before position: Int) throws(LogError) -> Int {
    var known = position - 1
    for store in query.footprint.stores ?? timeline.log.storeNames {
      known = min(known, try timeline.lastKnown(store, atOrBefore: position).position)
    }
    return known
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
    if let states = log.restoredStates(before: position) {
      return QueryDocument(members: [.init("state") { QueryDocument(states) }])
    }
    return document(at: baseline(of: position).position)
  }
}
