/// An expression that compares single values at fixed places: it is evaluated without a document.
///
/// Most rules are of this form, as in `cart.total >= 0 && length(cart.lines) > 0`. Evaluating one takes some nanoseconds,
/// where a walk through a document takes about a microsecond.
package struct PlaceExpression: Sendable {
  /// A value at a place.
  package enum Value: Sendable {
    case absent
    case integer(Int64)
    case json(JSON)

    /// Makes the value of a place; nil if there is none.
    package init(_ json: JSON?) {
      guard let json else {
        self = .absent
        return
      }
      self = json.shortInteger.map { .integer($0) } ?? .json(json)
    }

    /// The value; nil if there is none.
    package var json: JSON? {
      switch self {
      case .absent: nil
      case .integer(let integer): JSON(integerLiteral: integer)
      case .json(let json): json
      }
    }
  }

  private indirect enum Node: Sendable {
    case any([Node])
    case all([Node])
    case not(Node)
    case exists(Int)
    case comparison(Term, Comparison, Term)
    case changed(now: Int, before: Int)
  }

  private enum Term: Sendable {
    case constant(Value)
    case place(Int)
    case length(Int)
  }

  /// The places in a step's document.
  package let places: [Pointer]
  private let root: Node

  /// Makes the form of an expression; nil if it has none, as it calls functions or selects several values.
  init?(_ condition: Condition) {
    var places: [Pointer] = []
    guard let root = Self.node(condition, &places) else { return nil }
    (self.root, self.places) = (root, places)
  }

  private static func node(_ condition: Condition, _ places: inout [Pointer]) -> Node? {
    func nodes(_ parts: [Condition]) -> [Node]? {
      let found = parts.compactMap { node($0, &places) }
      return found.count == parts.count ? found : nil
    }
    switch condition {
    case .any(let parts): return nodes(parts).map { .any($0) }
    case .all(let parts): return nodes(parts).map { .all($0) }
    case .not(let part): return node(part, &places).map { .not($0) }
    case .exists(let query): return place(query, &places).map { .exists($0) }
    case .comparison(let left, let comparison, let right):
      guard let left = term(left, &places), let right = term(right, &places) else { return nil }
      return .comparison(left, comparison, right)
    case .changed(let now, let before):
      guard let now = place(now, &places), let before = place(before, &places) else { return nil }
      return .changed(now: now, before: before)
    case .match: return nil
    }
  }

  private static func term(_ operand: Operand, _ places: inout [Pointer]) -> Term? {
    switch operand {
    case .literal(let value): return .constant(Value(value))
    case .query(let query): return place(query, &places).map { .place($0) }
    case .length(.query(let query)): return place(query, &places).map { .length($0) }
    case .length, .count, .value: return nil
    }
  }

  /// Returns the index of a place in the states; nil if the path means one value only for some states.
  private static func place(_ query: Query, _ places: inout [Pointer]) -> Int? {
    guard let place = query.path.place, isReadable(place) else { return nil }
    // As a token, the name '0' would also select an element, and the index 0 a member.
    for case .child(let selectors) in query.path.segments {
      guard case .name(let name) = selectors[0], ArrayIndex(token: name) == nil, name != "-" else {
        return nil
      }
    }
    if let known = places.firstIndex(of: place) { return known }
    places.append(place)
    return places.count - 1
  }

  /// `true` for a place in a store's state, and for the type of the action.
  private static func isReadable(_ place: Pointer) -> Bool {
    let tokens = place.tokens
    return (tokens.first == "state" || tokens.first == "before") && tokens.count > 1
      || tokens == ["action", "type"]
  }

  /// `true` if it reads nothing but the states after the step.
  package var readsStatesOnly: Bool { places.allSatisfy { $0.tokens.first == "state" } }

  /// Returns `true` if the expression holds for values, which `value` returns by the index of their place.
  package func holds(_ value: (Int) -> Value) -> Bool { Self.holds(root, value) }

  private static func holds(_ node: Node, _ value: (Int) -> Value) -> Bool {
    switch node {
    case .any(let parts): return parts.contains { holds($0, value) }
    case .all(let parts): return parts.allSatisfy { holds($0, value) }
    case .not(let part): return !holds(part, value)
    case .exists(let place):
      if case .absent = value(place) { return false }
      return true
    case .changed(let now, let before): return value(now).json != value(before).json
    case .comparison(let left, let comparison, let right):
      let (left, right) = (resolve(left, value), resolve(right, value))
      if case .integer(let left) = left, case .integer(let right) = right {
        return holds(left, comparison, right)
      }
      return QueryEvaluator.holds(left.json, comparison, right.json)
    }
  }

  private static func resolve(_ term: Term, _ value: (Int) -> Value) -> Value {
    switch term {
    case .constant(let constant): return constant
    case .place(let place): return value(place)
    case .length(let place):
      guard case .json(let json) = value(place) else { return .absent }
      return Value(json.length)
    }
  }

  private static func holds(_ left: Int64, _ comparison: Comparison, _ right: Int64) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}

extension JSON {
  /// The value of a number that is written as an integer of up to eighteen digits.
  fileprivate var shortInteger: Int64? {
    guard kind == .number else { return nil }
    return unsafe withBytes { unsafe Int64(shortDecimal: $0) }
  }
}

extension Int64 {
  /// Reads up to eighteen digits, with or without a minus sign; nil for anything else.
  package init?(shortDecimal text: UnsafeRawBufferPointer) {
    let isNegative = unsafe text.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard (1...18).contains(text.count - start) else { return nil }
    // In the bounds, which were checked.
    let first = unsafe text[start]
    // JSON has no such integers, or they would be written in another way.
    guard first != UInt8(ascii: "0") || text.count == 1 else { return nil }
    var value: Int64 = 0
    for index in start..<text.count {
      let digit = unsafe text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    self = isNegative ? -value : value
  }
}
