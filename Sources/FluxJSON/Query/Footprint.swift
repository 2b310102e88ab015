/// The parts of a step's document that a query reads.
///
/// The result of a query depends only on the values at or below these places. If these values are
/// equal in two documents, the query's results are equal too. To evaluate a query over many steps,
/// compute only these members, and evaluate it again only if they changed.
public struct Footprint: Sendable, Equatable {
  /// The places, as JSON Pointers into the step's document.
  ///
  /// For example, `/action/type` and `/state/todos/items`. The empty pointer is the whole document.
  public let places: [Pointer]

  /// The stores whose states the query reads, after or before the step, each once.
  ///
  /// Names are compared byte by byte. It is nil if the query may read any store.
  public var stores: [String]? {
    var stores: [String] = []
    for place in places {
      let tokens = place.tokens
      guard let member = tokens.first else { return nil }
      guard member == "state" || member == "before" else { continue }
      guard tokens.count > 1 else { return nil }
      if !stores.contains(where: { $0.utf8.elementsEqual(tokens[1].utf8) }) {
        stores.append(tokens[1])
      }
    }
    return stores
  }

  /// Returns `true` if the query reads this member of a step's document.
  public func reads(_ member: String) -> Bool {
    places.contains { $0.tokens.first.map { $0 == member } ?? true }
  }

  /// `true` if the query reads nothing but the states after the step, so it can be asked at the start as well.
  package var readsStatesOnly: Bool { places.allSatisfy { $0.tokens.first == "state" } }

  /// `true` if the query may read which of all stores the step changed.
  package var readsAllChanges: Bool {
    places.contains { place in
      switch place.tokens.first {
      case nil: true
      case "changed"?: place.tokens.count == 1 || Int(arrayIndex: place.tokens[1].utf8) != nil
      default: false
      }
    }
  }

  init(_ places: [Pointer]) {
    var distinct: [Pointer] = []
    for place in places where !distinct.contains(place) { distinct.append(place) }
    self.places = distinct
  }
}

extension Path {
  /// The parts of the document that the path reads.
  public var footprint: Footprint { Footprint(places) }

  /// The one place that the path selects, independent of the document.
  ///
  /// It is nil if the path may select several values, if it is relative to a filter's node, or if
  /// the place depends on the document, as with `[-1]`.
  public var place: Pointer? {
    let prefix = prefix
    return root == .document && prefix.tokens.count == segments.count ? prefix : nil
  }

  /// The names that the segments select, as far as they select one member each.
  var plainNames: [String] {
    segments.compactMap { segment in
      guard case .child(let selectors) = segment, case .name(let name) = selectors[0] else {
        return nil
      }
      return name
    }
  }

  fileprivate var places: [Pointer] {
    let filters = segments.flatMap(\.selectors).flatMap { selector -> [Pointer] in
      guard case .filter(let condition) = selector else { return [] }
      return condition.places
    }
    return (root == .document ? [prefix] : []) + filters
  }

  /// The deepest place that contains everything the path can select.
  private var prefix: Pointer {
    var tokens: [String] = []
    for segment in segments {
      guard case .child(let selectors) = segment, selectors.count == 1 else { break }
      switch selectors[0] {
      case .name(let name): tokens.append(name)
      case .token(let token): tokens.append(token)
      case .index(let index) where index >= 0: tokens.append(String(index))
      default: return Pointer(tokens: tokens)
      }
    }
    return Pointer(tokens: tokens)
  }
}

extension Condition {
  /// The parts of the document that the condition reads.
  var places: [Pointer] {
    leaves.flatMap { leaf in
      guard case .changed(let now, let before) = leaf else { return leaf.queries.places }
      return [now, before].places
        + [Pointer(tokens: ["changed"] + (now.path.store.map { [$0] } ?? []))]
    }
  }

  /// The parts of the document whose values the condition reads, and does not only compare to see what changed.
  var placesOfValues: [Pointer] {
    leaves.filter { if case .changed = $0 { false } else { true } }.flatMap(\.places)
  }
}

extension [Query] {
  /// The parts of the document that the queries read.
  var places: [Pointer] { flatMap(\.path.places) }
}
