import FluxJSON
import FluxLog
import FluxSystem

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
  private var places: Set<Pointer> = []

  /// Finds the places in two states of a store.
  ///
  /// - Throws: `QueryError` if a query exceeds its limits.
  init(_ paths: [IgnoredPath], _ store: String, _ states: [JSON]) throws {
    for path in paths {
      switch path.form {
      case .pattern(let tokens):
        guard let first = tokens.first, first == "*" || first.hasSameBytes(as: store) else {
          continue
        }
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
      places.insert(pointer)
    }
  }

  /// Returns `true` if a place is skipped; `tokens` begin with the store.
  func contains(_ tokens: [String]) -> Bool {
    places.contains(Pointer(tokens: tokens))
      || patterns.contains { pattern in
        pattern.count == tokens.count
          && zip(pattern, tokens).allSatisfy { $0 == "*" || $0.hasSameBytes(as: $1) }
      }
  }
}

extension [IgnoredPath] {
  /// The notes of a report on the paths, and on those that select nothing in the states at the ends of a range.
  ///
  /// - Throws: `LogError` if a state cannot be read, `QueryError` if a query exceeds its limits.
  func notes(on timeline: Timeline, _ range: Range<Int>) throws -> [String] {
    guard let last = indices.last else { return [] }
    let list = map(\.text).joined(separator: ", ")
    var notes = [
      "\(count.counted("path")) ignored, with everything inside \(last == 0 ? "it" : "them"): \(list)"
    ]
    let models = try [range.lowerBound - 1, range.upperBound - 1].map { try timeline.model(at: $0) }
    // Any path may select something in a state that is unknown.
    guard models.allSatisfy(\.unknownStores.isEmpty) else { return notes }
    for path in self where try !models.contains(where: { try path.selects(in: $0) }) {
      notes.append(
        "\(path.text) is neither at the start nor at the end of the log, and may match nothing")
    }
    return notes
  }
}

extension IgnoredPath {
  fileprivate func selects(in model: RecordedModel) throws -> Bool {
    switch form {
    case .query(let query):
      let states = QueryDocument(members: [.init("state") { QueryDocument(model.json) }])
      return try !query.nodes(in: states).isEmpty
    case .pattern(let tokens):
      var found = [model.json]
      for token in tokens {
        found = found.flatMap { value in
          token == "*" ? Array(value.parts.map(\.value)) : value.child(token).map { [$0] } ?? []
        }
      }
      return !tokens.isEmpty && !found.isEmpty
    }
  }
}
