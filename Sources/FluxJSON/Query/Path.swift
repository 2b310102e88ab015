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

  /// The node that a path starts from.
  enum Root: Sendable, Equatable {
    /// `$`, the query argument.
    case document
    /// `@`, the current node of a filter.
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
    ///
    /// It selects an element by index in an array, and a member by name in an object.
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
}
