// The conditions of filters, and the values that they compare.
extension QueryEvaluator {
  /// Returns `true` if a condition holds, with `@` bound to `current`.
  mutating func holds(_ condition: Condition, current: QueryDocument) throws -> Bool {
    switch condition {
    case .any(let parts): return try decides(true, in: parts, current: current)
    case .all(let parts): return try !decides(false, in: parts, current: current)
    case .not(let part): return try !holds(part, current: current)
    case .exists(let query):
      if let read = root.reader, let place = query.place { return try read(place) != .absent }
      guard query.slot == nil, query.path.isSingular else {
        return try !nodes(query, current: current).isEmpty
      }
      return try node(query, current: current) != nil
    case .comparison(let left, let comparison, let right):
      return try QueryEvaluator.holds(
        value(left, current: current), comparison, value(right, current: current))
    case .match(let text, let pattern, let whole):
      return try matches(text, pattern, whole: whole, current: current)
    case .changed(let now, let before):
      return try changed(now, since: before, current: current)
    }
  }

  /// Returns `true` if one of the conditions has a value that decides the result of all, whatever the others have.
  ///
  /// - Throws: The error of the first condition that reads an unknown value, if no other condition decides; any other error.
  private mutating func decides(
    _ value: Bool, in parts: [Condition], current: QueryDocument
  ) throws -> Bool {
    var unknown: (any Error)?
    for part in parts {
      do {
        if try holds(part, current: current) == value { return true }
      } catch let error as any UnknownValueError where error.isUnknownValue {
        unknown = unknown ?? error
      }
    }
    if let unknown { throw unknown }
    return false
  }

  // MARK: Values

  mutating func value(_ operand: Operand, current: QueryDocument) throws -> QueryValue {
    switch operand {
    case .literal(let value): return value
    case .query(let query): return try value(query, current: current)
    case .length(let inner): return QueryValue(try value(inner, current: current).json?.length)
    case .count(let query): return .integer(Int64(try nodes(query, current: current).count))
    case .value(let query):
      let nodes = try nodes(query, current: current)
      // The operand is absent, not the JSON value null.
      return nodes.count == 1 ? QueryValue(try nodes[0].value.json()) : .absent
    }
  }

  /// Compares two values (RFC 9535, section 2.3.5.2.2).
  private static func holds(
    _ left: QueryValue, _ comparison: Comparison, _ right: QueryValue
  ) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: isLess(left, right)
    case .greater: isLess(right, left)
    case .lessOrEqual: isLess(left, right) || left == right
    case .greaterOrEqual: isLess(right, left) || left == right
    }
  }

  private static func isLess(_ left: QueryValue, _ right: QueryValue) -> Bool {
    if case .integer(let left) = left, case .integer(let right) = right { return left < right }
    guard let left = left.json, let right = right.json else { return false }
    if let left = left.number, let right = right.number { return left < right }
    guard let left = left.string, let right = right.string else { return false }
    return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
  }

  // MARK: Functions

  private mutating func matches(
    _ text: Operand, _ pattern: Pattern, whole: Bool, current: QueryDocument
  ) throws -> Bool {
    guard let text = try value(text, current: current).json?.string,
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
      guard let text = try value(operand, current: current).json?.string else { return nil }
      do throws(RegularExpression.SyntaxError) {
        return try RegularExpression(text)
      } catch {
        guard error != .syntax else { return nil }
        throw QueryError(query: self.text, column: 1, reason: "the pattern \(text) is too large")
      }
    }
  }

  private mutating func changed(
    _ now: Query, since before: Query, current: QueryDocument
  ) throws -> Bool {
    if let store = now.path.store, try !root.mayChange(store) { return false }
    if let read = root.reader, let before = before.place, let now = now.place {
      return try read(before) != read(now)
    }
    let former = try nodes(before, current: current)
    let latter = try nodes(now, current: current)
    guard former.count == latter.count else { return true }
    // A filter that selects one element means that element, wherever it is.
    let comparesPlaces = !now.path.isFiltered || latter.count > 1
    for (old, new) in zip(former, latter) {
      // Skip the first element: it is `before` in one location and `state` in the other.
      let moved =
        comparesPlaces
        && old.trail.location.elements.dropFirst() != new.trail.location.elements.dropFirst()
      if try moved || old.value.json() != new.value.json() { return true }
    }
    return false
  }

  // MARK: Singular queries

  /// Returns the value that a singular query selects.
  private mutating func value(_ query: Query, current: QueryDocument) throws -> QueryValue {
    if let read = root.reader, let place = query.place { return try read(place) }
    return QueryValue(try node(query, current: current)?.json())
  }

  /// Returns the node that a singular query selects.
  private mutating func node(_ query: Query, current: QueryDocument) throws -> QueryDocument? {
    var value = query.path.root == .document ? root : current
    for segment in query.path.segments {
      try visit()
      guard let child = try value.follow(segment.selectors[0]).child else { return nil }
      value = child
    }
    return value
  }
}

extension Path {
  /// The store whose state the path reads; nil if the path does not name exactly one.
  var store: String? {
    guard root == .document, segments.count > 1, case .child(let first) = segments[0],
      first.count == 1, case .name("state") = first[0],
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
  var length: JSON? {
    let length: Int? =
      switch kind {
      case .string: string?.unicodeScalars.count
      case .array, .object: count
      case .null, .bool, .number: nil
      }
    return length.map { length in JSON(writing: { $0.int(length) }) }
  }
}
