/// Evaluates paths and conditions against one document.
///
/// The caller can stop an evaluation: the evaluator calls `check` once every 1024 visits, and an
/// error that it throws ends the evaluation. The number of visits is also limited, because a path
/// with several `..` can select the same node many times (as RFC 9535 requires). For the same reason, the
/// memory of the selected nodes is limited.
struct QueryEvaluator {
  /// The number of visits after which an evaluation fails.
  static let visitLimit = 20_000_000

  struct Node {
    let value: QueryDocument
    let trail: Trail
  }

  private let root: QueryDocument
  let text: String
  let check: () throws -> Void
  /// The cached results of absolute queries inside filters, by slot.
  private var slots: [[Node]?]
  private var visits = 0
  private let limit: MemoryLimit
  /// The memory of the selected nodes.
  private var heldBytes = 0

  init(
    _ root: QueryDocument, slotCount: Int, text: String, limit: MemoryLimit = .standard,
    check: @escaping () throws -> Void
  ) {
    (self.root, self.text, self.limit, self.check) = (root, text, limit, check)
    slots = Array(repeating: nil, count: slotCount)
  }

  /// Returns the nodes that a query selects, with `@` bound to `current`.
  mutating func nodes(_ query: Query, current: QueryDocument) throws -> [Node] {
    guard let slot = query.slot else { return try nodes(query.path, current: current) }
    if let known = slots[slot] { return known }
    let found = try nodes(query.path, current: current)
    slots[slot] = found
    return found
  }

  mutating func nodes(_ path: Path, current: QueryDocument) throws -> [Node] {
    var nodes = [Node(value: path.root == .document ? root : current, trail: .root)]
    // The caller releases the result before it asks for more, or asks only a few times.
    let held = heldBytes
    defer { heldBytes = held }
    for segment in path.segments where !nodes.isEmpty {
      var selected: [Node] = []
      for node in nodes {
        switch segment {
        case .child(let selectors): try select(selectors, of: node, into: &selected)
        case .descendants(let selectors):
          try selectDescendants(selectors, of: node, into: &selected)
        }
      }
      heldBytes -= nodes.count * Self.nodeByteCount
      nodes = selected
    }
    return nodes
  }

  /// The memory of a selected node: its place in a list that grows, and a link of its trail.
  private static let nodeByteCount = 96

  private mutating func hold(_ byteCount: Int = nodeByteCount) throws(QueryError) {
    heldBytes += byteCount
    guard heldBytes <= limit.byteCount else {
      throw QueryError(
        query: text, column: 1,
        reason: "the query selects more nodes than fit into \(limit.description)",
        hint: "use fewer '..', or \(MemoryLimit.advice)")
    }
  }

  private mutating func add(_ node: Node, to selected: inout [Node]) throws(QueryError) {
    try hold()
    selected.append(node)
  }

  /// Returns the locations and values of nodes.
  mutating func results(_ nodes: consuming [Node]) throws -> [QueryNode] {
    var results: [QueryNode] = []
    try hold(nodes.count * Self.nodeByteCount)
    for node in nodes {
      try visit()
      let location = node.trail.location
      try hold(
        MemoryLayout<QueryNode>.size + 32
          + location.elements.count * MemoryLayout<Location.Element>.stride)
      results.append(QueryNode(location: location, value: try node.value.json()))
    }
    return results
  }

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

  mutating func visit() throws {
    visits += 1
    if visits & 1_023 == 0 { try check() }
    guard visits <= QueryEvaluator.visitLimit else {
      throw QueryError(
        query: text, column: 1,
        reason: "the query visits more than \(QueryEvaluator.visitLimit) nodes",
        hint: "use fewer '..'")
    }
  }

  private mutating func selectDescendants(
    _ selectors: [Path.Selector], of node: Node, into selected: inout [Node]
  ) throws {
    var pending = [node]
    let isWildcard = selectors == [.wildcard]
    while let next = pending.popLast() {
      var children: [Node] = []
      let held = heldBytes
      try select([.wildcard], of: next, into: &children)
      heldBytes = held
      if isWildcard {
        for child in children { try add(child, to: &selected) }
      } else {
        try select(selectors, of: next, into: &selected)
      }
      pending.append(contentsOf: children.lazy.filter(\.value.isContainer).reversed())
    }
  }

  private mutating func select(
    _ selectors: [Path.Selector], of node: Node, into selected: inout [Node]
  ) throws {
    for selector in selectors {
      try visit()
      switch selector {
      case .name, .index, .token:
        if let child = try node.child(selector) { try add(child, to: &selected) }
      case .wildcard:
        try forEachChild(of: node.value) { evaluator, child, element in
          try evaluator.add(
            Node(value: child, trail: .step(node.trail, element)), to: &selected)
        }
      case .slice(let start, let end, let step):
        try selectSlice(start, end, step, of: node, into: &selected)
      case .filter(let condition):
        try forEachChild(of: node.value) { evaluator, child, element in
          guard try evaluator.holds(condition, current: child) else { return }
          try evaluator.add(
            Node(value: child, trail: .step(node.trail, element)), to: &selected)
        }
      }
    }
  }

  private mutating func forEachChild(
    of parent: QueryDocument,
    _ body: (inout QueryEvaluator, QueryDocument, Location.Element) throws -> Void
  ) throws {
    switch parent.content {
    case .members(let members, _):
      for member in members {
        guard let value = try member.value() else { continue }
        try visit()
        try body(&self, value, .name(member.name))
      }
    case .json(let json) where json.kind == .array:
      var index = 0
      for element in json.elements {
        try visit()
        try body(&self, QueryDocument(element), .index(index))
        index += 1
      }
    case .json(let json):
      for member in json.members {
        try visit()
        try body(&self, QueryDocument(member.value), .name(member.name))
      }
    }
  }

  /// Selects a slice of an array (RFC 9535, section 2.3.4.2.2).
  private mutating func selectSlice(
    _ start: Int?, _ end: Int?, _ step: Int, of node: Node, into selected: inout [Node]
  ) throws {
    guard case .json(let json) = node.value.content, json.kind == .array, step != 0 else { return }
    let count = json.count
    func bound(_ index: Int?, _ otherwise: Int, _ range: ClosedRange<Int>) -> Int {
      guard let index else { return otherwise }
      return min(max(index < 0 ? count + index : index, range.lowerBound), range.upperBound)
    }
    let indices =
      step > 0
      ? stride(from: bound(start, 0, 0...count), to: bound(end, count, 0...count), by: step)
      : stride(
        from: bound(start, count - 1, -1...max(count - 1, -1)),
        to: bound(end, -1, -1...max(count - 1, -1)), by: step)
    // Access by index walks the array from its start, so collect the elements in one pass.
    let elements = Array(json.elements)
    for index in indices where elements.indices.contains(index) {
      try visit()
      let value = QueryDocument(elements[index])
      try add(Node(value: value, trail: .step(node.trail, .index(index))), to: &selected)
    }
  }

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
        guard error.reason != .syntax else { return nil }
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
}

extension QueryEvaluator.Node {
  fileprivate func child(_ selector: Path.Selector) throws -> QueryEvaluator.Node? {
    let (element, child) = try value.follow(selector)
    return child.map { Self(value: $0, trail: .step(trail, element)) }
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
