import FluxJSON

/// Places in the states that a comparison skips, with everything inside them.
///
/// Either a JSON Pointer from the model `{store: state}`, in which `*` stands for any member or element, as
/// in `/todos/items/*/created`; or a JSONPath in the inspector's dialect, as in `todos.items[*].created` or
/// `todos..created`, which is evaluated for one store at a time.
public struct IgnoredPath: Sendable, Equatable {
  fileprivate enum Form: Equatable {
    case pattern([String])
    case query(Path)
  }

  fileprivate let form: Form
  /// The path as the caller gave it.
  let text: String

  /// Reads a path.
  ///
  /// - Throws: `PointerError` or `QueryError` if it is invalid, ``NoState`` if it never selects a part of a state.
  public init(_ text: String) throws {
    self.text = text
    guard !text.hasPrefix("/") else {
      form = .pattern(try Pointer(text).tokens)
      return
    }
    let path = try Path(text, dialect: .inspector)
    // The first place is that of the path; the others are those of its filters.
    if let member = path.footprint.places.first?.tokens.first, member != "state" {
      throw NoState(path: text)
    }
    form = .query(path)
  }

  /// A path into a step that leads to no state, such as `$.action.payload`.
  public struct NoState: Error, Equatable, CustomStringConvertible {
    let path: String

    /// The problem and the remedy.
    public var description: String {
      let meant = path.hasPrefix("$.") ? "; did you mean \(path.dropFirst(2))?" : ""
      return "the path leads to no state; begin with a store or with $.state\(meant)"
    }
  }
}

/// The places of one store that a comparison skips.
struct IgnoredPlaces {
  private var patterns: [[String]] = []
  private var places: Set<[String]> = []

  /// Finds the places in two states of a store.
  ///
  /// - Throws: `QueryError` if a query exceeds its limits.
  init(_ paths: [IgnoredPath], _ store: String, _ states: [JSON]) throws {
    for path in paths {
      switch path.form {
      case .pattern(let tokens):
        guard let first = tokens.first, first == "*" || first == store else { continue }
        patterns.append(tokens)
      case .query(let query):
        for state in states { try add(query, store, state) }
      }
    }
  }

  private mutating func add(_ query: Path, _ store: String, _ state: JSON) throws {
    let model = QueryDocument(members: [
      .init("state") { QueryDocument(members: [.init(store) { QueryDocument(state) }]) }
    ])
    for node in try query.nodes(in: model) {
      guard let pointer = node.location.modelPointer else { continue }
      places.insert(pointer.tokens)
    }
  }

  /// Returns `true` if a place is skipped; `tokens` begin with the store.
  func contains(_ tokens: [String]) -> Bool {
    places.contains(tokens)
      || patterns.contains { pattern in
        pattern.count == tokens.count && zip(pattern, tokens).allSatisfy { $0 == "*" || $0 == $1 }
      }
  }
}
