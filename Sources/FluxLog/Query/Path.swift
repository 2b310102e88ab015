/// A JSONPath query (RFC 9535): a root, and segments that each select among the children of what
/// the ones before selected.
///
/// Two dialects are read. ``Dialect/standard`` is the RFC to the letter. ``Dialect/inspector`` adds
/// that a path may start with a bare name, `todos.items[0]` being short for
/// `$.state.todos.items[0]`; that a JSON Pointer from the model, `/todos/items/0`, is a path; and
/// the functions `was` and `changed`.
public struct Path: Sendable, Equatable {
  /// What the parser accepts.
  public enum Dialect: Sendable {
    /// RFC 9535 and nothing else.
    case standard
    /// The queries of the inspector, asked of a step's document.
    case inspector
  }

  /// Where a path starts.
  enum Root: Sendable, Equatable {
    /// `$`, the query argument.
    case document
    /// `@`, the node that a filter looks at.
    case current
  }

  /// One move from nodes to their children, or to all their descendants.
  enum Segment: Sendable, Equatable {
    case child([Selector])
    case descendants([Selector])

    var selectors: [Selector] {
      switch self {
      case .child(let selectors), .descendants(let selectors): selectors
      }
    }
  }

  /// Which children a segment selects.
  indirect enum Selector: Sendable, Equatable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
    /// A reference token of a JSON Pointer: the name of a member or the index of an element,
    /// depending on what it meets.
    case token(String)
  }

  let root: Root
  let segments: [Segment]

  /// How many answers of absolute queries in filters an evaluation keeps.
  let slotCount: Int

  /// The path as it was written, without blanks around it.
  public let text: String

  /// Whether the path can select one node at most (RFC 9535, section 2.3.5.1).
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
  /// - Throws: `QueryError` that points at the column.
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
