/// An expression about a step's document: a function call, or an RFC 9535 logical expression, whose value is true or
/// false.
///
/// Paths use the dialect `Path.Dialect.inspector`. Two functions extend RFC 9535. `changed(PATH)` is true if the step
/// changed what the path selects. `was(PATH)` reads the path in the state before the step.
///
/// The values that an expression reads are present, absent or unknown. If one is unknown, the function that reads it throws,
/// and so does the evaluation.
public struct QueryExpression: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    case operand(Operand)
    case condition(Condition)
  }

  private let content: Content
  /// The number of answers of absolute queries that an evaluation keeps.
  private let slotCount: Int
  /// The places that the expression reads as single values, which a caller can supply without the document around them.
  package let places: [SinglePlace]
  /// The source text, without surrounding blanks.
  public let text: String

  /// Parses a logical expression.
  ///
  /// - Throws: `QueryError` with the column of the error.
  public init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text, dialect: .inspector)
    self.init(.condition(try parser.wholeCondition()), parser, text: parser.trimmed)
  }

  /// Parses the longest logical expression at the beginning of a text.
  ///
  /// - Parameters:
  ///   - text: The text, which may continue after the expression.
  ///   - count: Receives the number of Unicode scalars of the expression.
  /// - Throws: `QueryError` with the column of the error.
  package init(beginning text: String, count: inout Int) throws(QueryError) {
    var parser = QueryParser(text, dialect: .inspector)
    let condition = try parser.firstCondition()
    count = parser.offset
    self.init(
      .condition(condition), parser,
      text: String(String.UnicodeScalarView(parser.scalars[..<count])))
  }

  init(_ content: Content, _ parser: QueryParser, text: String) {
    (self.content, self.text) = (content, text)
    (slotCount, places) = (parser.slotCount, parser.places)
  }

  /// Makes the expression whose value is the one that a path selects; nil if the path can select several values.
  package init?(_ path: Path) {
    guard path.isSingular else { return nil }
    let place = SinglePlace(path)
    content = .operand(.query(Query(path: path, slot: nil, place: place)))
    (slotCount, text, places) = (path.slotCount, path.text, place.map { [$0] } ?? [])
  }

  /// Returns `true` if the value of the expression is true.
  ///
  /// The evaluation calls `check` from time to time. An error that it throws ends the evaluation.
  ///
  /// - Throws: Any error of `check` or of a member of the document; `QueryError` if the expression asks for more work
  ///   than any evaluation may take.
  public func holds(
    for document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws -> Bool {
    var evaluator = evaluator(document, check)
    switch content {
    case .condition(let condition): return try evaluator.holds(condition, current: document)
    case .operand(let operand): return try evaluator.value(operand, current: document).json == true
    }
  }

  /// Returns the value of the expression; nil if it has none, such as the length of a number.
  ///
  /// - Throws: As ``holds(for:check:)``.
  public func value(
    in document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws -> JSON? {
    try queryValue(in: document, check: check).json
  }

  /// Returns the value of the expression as it was read, which saves writing a number as JSON.
  ///
  /// - Throws: As ``holds(for:check:)``.
  package func queryValue(
    in document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws -> QueryValue {
    var evaluator = evaluator(document, check)
    switch content {
    case .operand(let operand): return try evaluator.value(operand, current: document)
    case .condition(let condition):
      return .json(try evaluator.holds(condition, current: document) ? true : false)
    }
  }

  private func evaluator(
    _ document: QueryDocument, _ check: @escaping () throws -> Void
  ) -> QueryEvaluator {
    QueryEvaluator(document, slotCount: slotCount, text: text, check: check)
  }

  /// Compares the text byte by byte, and what it was read as: a path can be a value or a condition.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8) && left.content == right.content
  }

  private var queries: [Query] {
    switch content {
    case .operand(let operand): operand.queries
    case .condition(let condition): condition.queries
    }
  }

  private var leaves: [Condition] {
    guard case .condition(let condition) = content else { return [] }
    return condition.leaves
  }

  /// The paths of the expression that start at the document and can select one value only.
  package var singularPaths: [Path] { queries.compactMap(\.singularPath) }

  /// The singular paths that stand alone as conditions, which are true where the path selects a value, even `false`.
  package var existenceTests: [Path] {
    leaves.compactMap { if case .exists(let query) = $0 { query.singularPath } else { nil } }
  }

  /// The comparisons of a singular path with a literal; `isUnequal` is `true` for `!=`.
  package var comparisonsWithLiterals: [(path: Path, literal: JSON, isUnequal: Bool)] {
    leaves.compactMap { leaf in
      switch leaf {
      case .comparison(.query(let query), let comparison, .literal(let value)),
        .comparison(.literal(let value), let comparison, .query(let query)):
        guard let path = query.singularPath, let literal = value.json else { return nil }
        return (path, literal, comparison == .notEqual)
      default: return nil
      }
    }
  }

  /// The sides of comparisons that consist of one name, which is that of a store, or was meant as a text.
  package var comparedNames: [String] {
    leaves.flatMap { leaf -> [Operand] in
      guard case .comparison(let left, _, let right) = leaf else { return [] }
      return [left, right]
    }.compactMap { side in
      guard case .query(let query) = side, let path = query.singularPath, path.segments.count == 2,
        path.segments[0] == .child([.name("state")]), case .child(let store) = path.segments[1],
        case .name(let name)? = store.first
      else { return nil }
      return name
    }
  }

  /// `true` if the expression reads nothing but single values, so it never reads the document.
  package var readsPlacesOnly: Bool { queries.allSatisfy { $0.place != nil } }

  /// The parts of the document that the expression reads.
  public var footprint: Footprint {
    switch content {
    case .operand(let operand): Footprint(operand.queries.places)
    case .condition(let condition): Footprint(condition.places)
    }
  }

  /// The parts of the document whose values the expression reads; ``footprint`` also has those that `changed()` compares.
  package var footprintOfValues: Footprint {
    switch content {
    case .operand: footprint
    case .condition(let condition): Footprint(condition.placesOfValues)
    }
  }
}

/// A logical expression (RFC 9535, section 2.3.5).
indirect enum Condition: Sendable, Equatable {
  case any([Condition])
  case all([Condition])
  case not(Condition)
  case comparison(Operand, Comparison, Operand)
  case exists(Query)
  case match(text: Operand, pattern: Pattern, whole: Bool)
  /// The step changed the nodes that the query selects, or their values.
  case changed(now: Query, before: Query)
}

extension Condition {
  /// The conditions that `&&`, `||` and `!` join to this one.
  var leaves: [Condition] {
    switch self {
    case .any(let parts), .all(let parts): parts.flatMap(\.leaves)
    case .not(let part): part.leaves
    case .comparison, .exists, .match, .changed: [self]
    }
  }

  /// The queries of the condition; not those inside of filters.
  var queries: [Query] {
    switch self {
    case .any(let parts), .all(let parts): parts.flatMap(\.queries)
    case .not(let part): part.queries
    case .comparison(let left, _, let right): left.queries + right.queries
    case .exists(let query): [query]
    case .match(let text, .computed(let pattern), _): text.queries + pattern.queries
    case .match(let text, .compiled, _): text.queries
    case .changed(let now, _): [now]
    }
  }
}

extension Operand {
  var queries: [Query] {
    switch self {
    case .literal: []
    case .query(let query), .count(let query), .value(let query): [query]
    case .length(let inner): inner.queries
    }
  }
}

enum Comparison: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// An expression with one value, or with none.
indirect enum Operand: Sendable, Equatable {
  case literal(QueryValue)
  case query(Query)
  case length(Operand)
  case count(Query)
  case value(Query)
}

struct Query: Sendable, Equatable {
  let path: Path
  /// The slot that caches the result of an absolute query.
  let slot: Int?
  /// The single place that the path selects, which is one of the places of the expression.
  let place: SinglePlace?

  /// The path if it starts at the document and can select one value only.
  fileprivate var singularPath: Path? { path.root == .document && path.isSingular ? path : nil }
}

enum Pattern: Sendable, Equatable {
  /// A literal, compiled once; nil if it is not a valid I-Regexp and so matches nothing.
  case compiled(RegularExpression?)
  /// An operand whose value is compiled during evaluation.
  case computed(Operand)
}
