/// A recursive descent parser for RFC 9535 and the inspector's extensions.
///
/// Each extension in its own file parses one level of the grammar: segments, selectors, conditions,
/// functions and literals.
struct QueryParser {
  /// The maximum nesting depth of filters, parentheses and function calls.
  static let depthLimit = 64

  let text: String
  let dialect: Path.Dialect
  let scalars: [Unicode.Scalar]
  let end: Int
  var offset = 0
  var slotCount = 0
  /// The places of single values outside of filters; see ``QueryExpression/places``.
  private(set) var places: [SinglePlace] = []
  private var depth = 0
  /// The number of filters that are open at the offset.
  var filterDepth = 0

  init(_ text: String, dialect: Path.Dialect) {
    self.text = text
    self.dialect = dialect
    scalars = Array(text.unicodeScalars)
    // The inspector passes the rest of a line, which may end in blanks.
    let isPadded = dialect == .inspector
    end = isPadded ? (scalars.lastIndex { !$0.isQueryBlank } ?? -1) + 1 : scalars.count
  }

  mutating func wholePath() throws(QueryError) -> Path {
    if dialect == .inspector { skipBlanks() }
    let start = offset
    guard current != nil else { throw failure("there is no path", hint: rootHint) }
    guard current != "@" else {
      throw failure("'@' is only allowed inside a filter", hint: rootHint)
    }
    guard let path = try path(isWhole: true) else {
      throw failure("a path cannot start with \(found)", hint: rootHint)
    }
    guard offset == end else {
      throw unexpected("a segment: '.name', '[…]' or '..'", start: start)
    }
    return Path(root: path.root, segments: path.segments, slotCount: slotCount, text: trimmed)
  }

  mutating func wholeCondition() throws(QueryError) -> Condition {
    skipBlanks()
    guard offset < end else { throw failure("there is no expression") }
    let condition = try condition()
    guard offset == end else { throw unexpected("'&&', '||' or the end") }
    return condition
  }

  /// Parses a condition, and ends right behind it.
  mutating func firstCondition() throws(QueryError) -> Condition {
    guard offset < end else { throw failure("there is no expression") }
    let condition = try condition()
    while offset > 0, scalars[offset - 1].isQueryBlank { offset -= 1 }
    return condition
  }

  /// Reads a function call that is the whole text; nil for anything else.
  mutating func wholeCall() -> Term? {
    skipBlanks()
    do throws(QueryError) {
      guard let call = try functionCall() else { return nil }
      return offset == end ? call : nil
    } catch {
      // The caller reads the text as an expression, whose error is the same.
      return nil
    }
  }

  var trimmed: String {
    String(String.UnicodeScalarView(scalars[..<end].drop { $0.isQueryBlank }))
  }

  private var rootHint: String {
    dialect == .inspector
      ? "start with the name of a store, with '/' for a JSON Pointer, or with '$'"
      : "a path starts with '$'"
  }

  /// Returns a query for a path: with a slot if it is absolute and inside a filter, and with the place of a single value.
  mutating func query(_ path: Path) -> Query {
    guard filterDepth == 0 else {
      guard path.root == .document else { return Query(path: path, slot: nil, place: nil) }
      defer { slotCount += 1 }
      return Query(path: path, slot: slotCount, place: nil)
    }
    let place = SinglePlace(path)
    if let place, !places.contains(place) { places.append(place) }
    return Query(path: path, slot: nil, place: place)
  }

  // MARK: Scalars

  var current: Unicode.Scalar? { peek(0) }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    offset + distance < end ? scalars[offset + distance] : nil
  }

  mutating func skipBlanks() {
    while let scalar = current, scalar.isQueryBlank { offset += 1 }
  }

  mutating func take(_ word: String) -> Bool {
    let wanted = word.unicodeScalars
    guard offset + wanted.count <= end else { return false }
    guard scalars[offset..<(offset + wanted.count)].elementsEqual(wanted) else { return false }
    offset += wanted.count
    return true
  }

  mutating func takeName() -> String? {
    guard let first = current, first.startsQueryName else { return nil }
    var name = String.UnicodeScalarView()
    while let scalar = current, scalar.continuesQueryName {
      name.append(scalar)
      offset += 1
    }
    return String(name)
  }

  // MARK: Errors

  func failure(_ reason: String, at start: Int? = nil, hint: String? = nil) -> QueryError {
    QueryError(query: text, column: (start ?? offset) + 1, reason: reason, hint: hint)
  }

  /// Describes the scalar at the offset, for messages.
  var found: String {
    guard let scalar = current else { return "the end" }
    return scalar.value < 0x20 ? "a control character" : "'\(scalar)'"
  }

  func unexpected(_ expected: String, start: Int? = nil) -> QueryError {
    failure("expected \(expected), found \(found)", hint: hint(start: start))
  }

  private func hint(start: Int?) -> String? {
    switch current {
    case "=" where peek(1) == ">": return "at least is '>='"
    case "=": return "values are compared with '=='"
    case "&": return "conditions are joined with '&&'"
    case "|": return "conditions are joined with '||'"
    case "-":
      return "write a name with characters other than letters, digits and '_' as ['some-name']"
    case let scalar? where scalar.isQueryBlank && dialect == .standard:
      return "no blank is allowed here"
    default: break
    }
    let rest = String(String.UnicodeScalarView(scalars[offset..<end]))
    if rest.hasPrefix("and ") { return "write '&&' for 'and'" }
    return rest.hasPrefix("or ") ? "write '||' for 'or'" : nil
  }

  /// Runs `body` one level deeper; throws if that exceeds the depth limit.
  mutating func nested<Result>(
    _ body: (inout QueryParser) throws(QueryError) -> Result
  ) throws(QueryError) -> Result {
    guard depth < QueryParser.depthLimit else {
      throw failure("more than \(QueryParser.depthLimit) levels of brackets and parentheses")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }
}

extension Unicode.Scalar {
  /// `true` for an ASCII digit.
  var isDigit: Bool { ("0"..."9").contains(self) }

  /// `true` for a blank of RFC 9535: space, tab, line feed or carriage return.
  fileprivate var isQueryBlank: Bool {
    self == " " || self == "\t" || self == "\n" || self == "\r"
  }

  /// `true` if an unquoted member name may start with this scalar.
  var startsQueryName: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value >= 0x80
  }

  var continuesQueryName: Bool {
    startsQueryName || isDigit
  }
}

/// An error in the text of a path or an expression, or in its evaluation.
public struct QueryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The whole text of the query.
  public let query: String
  /// The column of the error, in Unicode scalars, starting at 1.
  public let column: Int
  /// The problem, as a sentence without a full stop.
  public let reason: String
  /// A suggestion that fixes the problem; nil if there is none.
  public let hint: String?

  /// Creates an error for the scalar at `column` of the query; a column outside of the query gets a caret at its start or end.
  public init(query: String, column: Int, reason: String, hint: String? = nil) {
    self.query = query
    self.column = column
    self.reason = reason
    self.hint = hint
  }

  /// The full error message, in three or four lines.
  ///
  /// It consists of the reason, the query, a caret under the column, and the hint.
  public var message: String {
    // Line breaks and tabs would move the caret away from its column.
    let line = String(
      String.UnicodeScalarView(
        query.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    let place = min(max(column, 1), query.unicodeScalars.count + 1)
    let caret = String(repeating: " ", count: place - 1) + "^"
    let lines = ["column \(column): \(reason)", "  \(line)", "  \(caret)"]
    return (lines + (hint.map { [$0] } ?? [])).joined(separator: "\n")
  }

  /// The same text as `message`.
  public var description: String { message }
}
