/// What a query reads of a step's document: the places below which lies all that can decide its
/// answer.
///
/// Where nothing at or below these places differs between two documents, the query's answer does
/// not either. So whoever evaluates a query over many steps makes only these members, and looks
/// again only where they changed.
public struct Footprint: Sendable, Equatable {
  /// The places, as JSON Pointers into the step's document.
  ///
  /// For example `/action/type` and `/state/todos/items`. The empty pointer is the whole document.
  public let places: [Pointer]

  /// The stores whose states are read, after or before the step; nil where any may be.
  public var stores: Set<String>? {
    var stores: Set<String> = []
    for place in places {
      let tokens = place.tokens
      guard let member = tokens.first else { return nil }
      guard member == "state" || member == "before" else { continue }
      guard tokens.count > 1 else { return nil }
      stores.insert(tokens[1])
    }
    return stores
  }

  /// Whether the query reads the member of that name of a step's document.
  public func reads(_ member: String) -> Bool {
    places.contains { $0.tokens.first.map { $0 == member } ?? true }
  }

  init(_ places: [Pointer]) {
    var distinct: [Pointer] = []
    for place in places where !distinct.contains(place) { distinct.append(place) }
    self.places = distinct
  }
}

extension Path {
  /// What the path reads of the document.
  public var footprint: Footprint { Footprint(places) }

  /// The place that the path points at; nil where it may select several values, or where it depends
  /// on the document what it selects, as with `[-1]`.
  public var place: Pointer? {
    let prefix = prefix
    return root == .document && prefix.tokens.count == segments.count ? prefix : nil
  }

  fileprivate var places: [Pointer] {
    let filters = segments.flatMap(\.selectors).flatMap { selector -> [Pointer] in
      guard case .filter(let condition) = selector else { return [] }
      return condition.places
    }
    return (root == .document ? [prefix] : []) + filters
  }

  /// The place above all that the path can select: as far as each segment selects one child.
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

extension StepExpression {
  /// What the expression reads of the document.
  public var footprint: Footprint { Footprint(condition.places) }
}

extension Condition {
  fileprivate var places: [Pointer] {
    switch self {
    case .any(let parts), .all(let parts): parts.flatMap(\.places)
    case .not(let part): part.places
    case .comparison(let left, _, let right): left.places + right.places
    case .exists(let query): query.path.places
    case .match(let text, .computed(let pattern), _): text.places + pattern.places
    case .match(let text, .compiled, _): text.places
    case .changed(let now, let before):
      now.path.places + before.path.places + [Pointer(tokens: ["changed"])]
    }
  }
}

extension Operand {
  fileprivate var places: [Pointer] {
    switch self {
    case .literal: []
    case .query(let query), .count(let query), .value(let query): query.path.places
    case .length(let inner): inner.places
    }
  }
}
