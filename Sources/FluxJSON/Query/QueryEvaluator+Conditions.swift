extension QueryEvaluator {
  /// Returns `true` if a condition holds, with `@` bound to `current`.
  mutating func holds(_ condition: Condition, current: QueryDocument) throws -> Bool {
    switch condition {
    case .any(let parts):
      for part in parts where try holds(part, current: current) { return true }
      return false
    case .all(let parts):
      for part in parts where try !holds(part, current: current) { return false }
      return true
    case .not(let part): return try !holds(part, current: current)
    case .exists(let query):
      guard query.slot == nil, query.path.isSingular else {
        return try !nodes(query, current: current).isEmpty
      }
      return try value(query, current: current) != nil
    case .comparison(let left, let comparison, let right):
      return try QueryEvaluator.holds(
        value(left, current: current), comparison, value(right, current: current))
    case .match(let text, let pattern, let whole):
      return try matches(text, pattern, whole: whole, current: current)
    case .changed(let now, let before):
      return try changed(now, since: before, current: current)
    }
  }

  // MARK: Values

  /// Returns the value of an operand; nil if it has none.
  private mutating func value(_ operand: Operand, current: QueryDocument) throws -> JSON? {
    switch operand {
    case .literal(let value): return value
    case .query(let query): return try value(query, current: current)?.json()
    case .length(let inner): return try value(inner, current: current)?.length
    case .count(let query):
      let count = try nodes(query, current: current).count
      return JSON(writing: { $0.int(count) })
    case .value(let query):
      let nodes = try nodes(query, current: current)
      // The operand is absent, not the JSON value null.
      guard nodes.count == 1 else { return JSON?.none }
      return try nodes[0].value.json()
    }
  }

  /// Compares two values (RFC 9535, section 2.3.5.2.2).
  ///
  /// An absent value equals only another absent value. Only numbers and strings are ordered.
  private static func holds(_ left: JSON?, _ comparison: Comparison, _ right: JSON?) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: isLess(left, right)
    case .greater: isLess(right, left)
    case .lessOrEqual: isLess(left, right) || left == right
    case .greaterOrEqual: isLess(right, left) || left == right
    }
  }

  private static func isLess(_ left: JSON?, _ right: JSON?) -> Bool {
    guard let left, let right else { return false }
    if let left = left.number, let right = right.number { return left < right }
    guard let left = left.string, let right = right.string else { return false }
    return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
  }

  // MARK: Functions

  private mutating func matches(
    _ text: Operand, _ pattern: Pattern, whole: Bool, current: QueryDocument
  ) throws -> Bool {
    guard let text = try value(text, current: current)?.string,
      let expression = try compiled(pattern, current: current)
    else { return false }
    return whole
      ? try expression.matches(text, check: check)
      : try expression.isFound(in: text, check: check)
  }

  private mutating func compiled(
    _ pattern: Pattern, current: QueryDocument
  ) throws -> RegularExpression? {
    switch pattern {
    case .compiled(let expression): return expression
    case .computed(let operand):
      guard let text = try value(operand, current: current)?.string else { return nil }
      do throws(RegularExpression.SyntaxError) {
        return try RegularExpression(text)
      } catch {
        guard error.reason != .syntax else { return nil }
        throw QueryError(query: self.text, column: 1, reason: "the pattern \(text) is too large")
      }
    }
  }

  private mutating func changed(
    _ now: Query, since before: Query, current: QueryDocument
  ) throws -> Bool {
    if let store = now.path.store, let changed = try value(QueryEvaluator.changedStores, current) {
      let name = JSON(stringLiteral: store)
      guard changed.elements.contains(name) else { return false }
    }
    let former = try nodes(before, current: current)
    let latter = try nodes(now, current: current)
    guard former.count == latter.count else { return true }
    for (old, new) in zip(former, latter) {
      // Skip the first element: it is `before` in one location and `state` in the other.
      let moved = old.trail.location.elements.dropFirst() != new.trail.location.elements.dropFirst()
      if try moved || old.value.json() != new.value.json() { return true }
    }
    return false
  }

  /// Selects the member of a step's document that lists the changed stores.
  ///
  /// With this list, the evaluator does not have to compute the states of the other stores.
  private static let changedStores = Query(
    path: Path(root: .document, segments: [.child([.name("changed")])]), slot: nil)

  private mutating func value(_ query: Query, _ current: QueryDocument) throws -> JSON? {
    try value(query, current: current)?.json()
  }
}

extension Path {
  /// The store whose state the path reads; nil if the path does not name exactly one.
  fileprivate var store: String? {
    guard root == .document, segments.count > 1, segments[0] == .child([.name("state")]),
      case .child(let selectors) = segments[1], selectors.count == 1
    else { return nil }
    switch selectors[0] {
    case .name(let name), .token(let name): return name
    default: return nil
    }
  }
}

extension JSON {
  /// The result of `length` (RFC 9535, section 2.4.4).
  ///
  /// It counts the scalars of a string, the elements of an array or the members of an object.
  fileprivate var length: JSON? {
    let length: Int? =
      switch kind {
      case .string: string?.unicodeScalars.count
      case .array, .object: count
      case .null, .bool, .number: nil
      }
    return length.map { length in JSON(writing: { $0.int(length) }) }
  }
}
