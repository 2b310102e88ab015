/// A JSONPath query (RFC 9535).
///
/// A path is a root and a list of segments. Each segment selects children or descendants of the
/// nodes that the previous segment selected.
///
/// There are two dialects. ``Dialect/standard`` is exactly RFC 9535. ``Dialect/inspector`` adds
/// three things. A path may start with the name of a store: `todos.items[0]` is short for
/// `$.state.todos.items[0]`. A path may be a JSON Pointer into the states, such as
/// `/todos/items/0`. Expressions may call the functions `was` and `changed`.
public struct Path: Sendable, Equatable {
  /// The syntax that the parser accepts.
  public enum Dialect: Sendable {
    /// RFC 9535 without extensions.
    case standard
    /// RFC 9535 with the inspector's extensions, for queries on a step's document.
    case inspector
  }

  enum Root: Sendable, Equatable {
    case document
    case current
  }

  /// A step from nodes to their children, or to their descendants.
  enum Segment: Sendable, Equatable {
    case child([Selector])
    case descendants([Selector])

    var selectors: [Selector] {
      switch self {
      case .child(let selectors), .descendants(let selectors): selectors
      }
    }
  }

  /// A rule that selects children of a node.
  indirect enum Selector: Sendable, Equatable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
    /// A reference token of a JSON Pointer.
    case token(String)
  }

  let root: Root
  let segments: [Segment]

  /// The number of slots that an evaluation needs to cache absolute queries in filters.
  let slotCount: Int

  /// The source text of the path, without surrounding blanks.
  public let text: String

  /// `true` if the path selects at most one node (RFC 9535, section 2.3.5.1).
  public var isSingular: Bool {
    segments.allSatisfy { segment in
      guard case .child(let selectors) = segment, selectors.count == 1 else { return false }
      switch selectors[0] {
      case .name, .index, .token: return true
      case .wildcard, .slice, .filter: return false
      }
    }
  }

  /// `true` if the path has a filter.
  package var isFiltered: Bool {
    segments.contains { segment in
      segment.selectors.contains { if case .filter = $0 { true } else { false } }
    }
  }

  /// Parses a path.
  ///
  /// - Throws: `QueryError` with the column of the error.
  public init(_ text: String, dialect: Dialect = .standard) throws(QueryError) {
    var parser = QueryParser(text, dialect: dialect)
    self = try parser.wholePath()
  }

  init(root: Root, segments: [Segment], slotCount: Int = 0, text: String = "") {
    self.root = root
    self.segments = segments
    self.slotCount = slotCount
    self.text = text
  }

  /// Returns the nodes that the path selects, in the order of RFC 9535.
  ///
  /// A node appears more than once if the path selects it more than once.
  ///
  /// The evaluator calls `check` at intervals. An error that it throws ends the evaluation.
  ///
  /// - Throws: Any error that `check` or a member of the document throws; `QueryError` if the
  ///   evaluation visits or selects too many nodes.
  public func nodes(
    in document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws -> [QueryNode] {
    try nodes(in: document, limit: .standard, check: check)
  }

  func nodes(
    in document: QueryDocument, limit: MemoryLimit, check: @escaping () throws -> Void = {}
  ) throws -> [QueryNode] {
    // Where a token leads, to a member or an element, is only known from the document.
    let names = plainNames
    if let reader = document.reader, names.count == segments.count, let place = SinglePlace(self) {
      guard let value = try reader(place).json else { return [] }
      return [QueryNode(location: Location(names.map { .name($0) }), value: value)]
    }
    var evaluator = QueryEvaluator(
      document, slotCount: slotCount, text: text, limit: limit, check: check)
    return try evaluator.results(evaluator.nodes(self, current: document))
  }

  /// Returns the nodes that the path selects in a value.
  ///
  /// - Throws: The same errors as for a ``QueryDocument``.
  public func nodes(
    in value: JSON, check: @escaping () throws -> Void = {}
  ) throws -> [QueryNode] {
    try nodes(in: QueryDocument(value), check: check)
  }

  /// Returns the point at which a singular path leaves the document.
  ///
  /// The result is nil if the path selects a node, or if the path is not singular. It suggests a path whose misspelled names
  /// are replaced, as far as the document has it.
  ///
  /// - Throws: Any error that a member of the document throws.
  public func miss(in document: QueryDocument) throws -> PathMiss? {
    guard isSingular else { return nil }
    var value = document
    var elements: [Location.Element] = []
    var miss: PathMiss?
    for segment in segments {
      let (element, child) = try value.follow(segment.selectors[0])
      if let child {
        elements.append(element)
        value = child
        continue
      }
      miss =
        miss
        ?? PathMiss(
          reached: Location(elements), missing: element.token,
          place: Location(elements + [element]), elementCount: value.elementCount)
      // The name is correct if the store exists but is absent at this step.
      let names = value.names
      guard !names.contains(where: { $0.utf8.elementsEqual(element.token.utf8) }),
        let nearest = Spelling.nearest(to: element.token, among: names)
      else { break }
      elements.append(.name(nearest))
      guard let child = try value.follow(.name(nearest)).child else { break }
      value = child
    }
    if let reached = miss?.reached.elements, elements.count > reached.count {
      miss?.suggestion = Location(elements)
    }
    return miss
  }
}

/// A node that a path selected: a value and its location.
public struct QueryNode: Sendable, Equatable {
  /// The location of the value in the query argument.
  public let location: Location
  /// The value.
  public let value: JSON
}

/// The point at which a singular path leaves the document.
public struct PathMiss: Sendable, Equatable {
  /// The last location on the path that exists.
  public let reached: Location
  /// The name, index or reference token that selects nothing at `reached`.
  public let missing: String
  /// The location of what is missing.
  package let place: Location
  /// The location with similar names in place of those that are missing, as far as there is one; nil if no name is similar.
  public fileprivate(set) var suggestion: Location?
  /// The number of elements of the array at `reached`; nil if there is none.
  package let elementCount: Int?

  /// The location of ``suggestion`` as far as ``place`` leads.
  package var nearest: Location? {
    suggestion.map { Location(Array($0.elements.prefix(place.elements.count))) }
  }
}
