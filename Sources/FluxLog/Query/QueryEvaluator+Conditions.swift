extension QueryEvaluator {
  /// Says whether a condition holds, `current` being what `@` means.
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

  /// The value of an operand; nil where it has none.
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
      // Spelled out, as a bare nil can mean the value null as well.
      guard nodes.count == 1 else { return JSON?.none }
      return try nodes[0].value.json()
    }
  }

  /// RFC 9535, section 2.3.5.2.2: a value that is absent equals another absent one only, and
  /// just numbers and strings have an order.
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
      // The first step is `before` on one side and `state` on the other.
      let moved = old.trail.location.elements.dropFirst() != new.trail.location.elements.dropFirst()
      if try moved || old.value.json() != new.value.json() { return true }
    }
    return false
  }

  /// The member of a step's document that lists the stores that the step changed.
  ///
  /// With it, the states of other stores need not be made.
  private static let changedStores = Query(
    path: Path(root: .document, segments: [.child([.name("changed")])]), slot: nil)

  private mutating func value(_ query: Query, _ current: QueryDocument) throws -> JSON? {
    try value(query, current: current)?.json()
  }
}

extension Path {
  /// The one store whose state the path looks into, where it names one.
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
  /// What `length` gives (RFC 9535, section 2.4.4): scalars of a string, elements, or members.
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
