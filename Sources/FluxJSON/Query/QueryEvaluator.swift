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

  let root: QueryDocument
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
        let (element, child) = try node.value.follow(selector)
        guard let child else { continue }
        try add(Node(value: child, trail: .step(node.trail, element)), to: &selected)
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
}
