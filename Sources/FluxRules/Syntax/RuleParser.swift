import FluxJSON
import FluxLog

/// Parses one line of a file of rules.
struct RuleParser {
  private let text: String
  private let number: Int
  private let file: String
  let scalars: [Unicode.Scalar]
  var offset = 0
  /// The offset of the rule's name.
  private(set) var nameStart = 0

  init(_ text: String, number: Int, file: String) {
    (self.text, self.number, self.file) = (text, number, file)
    let scalars = Array(text.unicodeScalars)
    self.scalars = Array(scalars[..<((scalars.lastIndex { !$0.isBlank } ?? -1) + 1)])
  }

  /// Parses the line; returns `nil` if it has no rule.
  mutating func rule() throws(RuleError) -> Rule? {
    skipBlanks()
    guard offset < scalars.count, scalars[offset] != "#" else { return nil }
    guard take("rule") else {
      guard scalars[offset] != "{" else {
        throw RuleError(
          file: file, line: number, column: offset + 1, text: "{…}",
          reason: "expected 'rule NAME:', found a line of JSON",
          hint: "the file of rules comes before the logs")
      }
      throw unexpected("'rule NAME:'", among: ["rule"])
    }
    let name = try ruleName()
    skipBlanks()
    let start = offset
    guard offset < scalars.count else { throw failure("the rule is missing after its name") }
    var scope: Rule.Scope?
    if let word, Self.scopes.contains(word) { scope = try self.scope() }
    let pattern = try pattern()
    if scope == nil, let word, Self.scopes.contains(word) { scope = try self.scope() }
    guard offset >= scalars.count else {
      let ends = scope == nil ? Array(Self.scopes) : []
      throw unexpected(
        scope == nil ? "a scope or the end of the rule" : "the end of the rule",
        among: ends + ["within", "until", "if"])
    }
    return Rule(
      name: name, text: String(String.UnicodeScalarView(scalars[start...])), line: number,
      scope: scope ?? .globally, pattern: pattern)
  }

  private mutating func ruleName() throws(RuleError) -> String {
    skipBlanks()
    nameStart = offset
    while offset < scalars.count, scalars[offset] != ":", !scalars[offset].isBlank { offset += 1 }
    let name = String(String.UnicodeScalarView(scalars[nameStart..<offset]))
    guard !name.isEmpty else { throw failure("the rule needs a name, as in 'rule total: …'") }
    skipBlanks()
    guard offset < scalars.count, scalars[offset] == ":" else {
      throw failure("expected ':' after the name of the rule, found \(found)")
    }
    offset += 1
    return name
  }

  // MARK: Scopes and patterns

  static let scopes: Set = ["globally", "before", "after", "between"]
  private static let starts = ["always", "never", "eventually", "at"]
  private static let infixes = ["precedes", "leads", "never"]

  private mutating func scope() throws(RuleError) -> Rule.Scope {
    if take("globally") { return .globally }
    if take("before") { return .before(try condition()) }
    if take("after") {
      let opening = try condition()
      return .after(opening, until: take("until") ? try condition() : nil)
    }
    _ = take("between")
    let opening = try condition()
    try expect("and")
    return .between(opening, try condition())
  }

  private mutating func pattern() throws(RuleError) -> Rule.Pattern {
    if take("always") { return .always(try condition()) }
    if take("never") { return .never(try condition()) }
    if take("eventually") { return .eventually(try condition()) }
    if take("at") {
      try expect("most")
      let limit = try count()
      try expect("of")
      return .atMost(limit, try condition())
    }
    guard offset < scalars.count else {
      throw failure("expected a pattern, found the end", hint: Self.patternHint)
    }
    let start = offset
    let first = word
    let condition = try condition()
    let end = offset
    if take("precedes") { return .precedes(condition, try self.condition()) }
    if take("leads") {
      try expect("to")
      let answer = try self.condition()
      return .leads(condition, to: answer, within: take("within") ? try deadline() : nil)
    }
    let placeOfNever = offset
    if take("never") {
      if take("increases") { return .neverMoves(try path(condition, start, end), .up) }
      if take("decreases") { return .neverMoves(try path(condition, start, end), .down) }
      throw unexpected("'increases' or 'decreases'", among: ["increases", "decreases"])
    }
    offset = placeOfNever
    let words = Self.starts + Array(Self.scopes) + (condition.glob == nil ? [] : ["until"])
    if let first, let near = Spelling.nearest(to: first, among: words) {
      throw failure("'\(first)' is not a pattern", at: start, hint: "did you mean '\(near)'?")
    }
    let near = word.flatMap { Spelling.nearest(to: $0, among: Self.infixes) }
    throw failure(
      "expected 'precedes', 'leads to' or 'never increases|decreases', found \(found)",
      hint: near.map { "did you mean '\($0)'?" } ?? Self.patternHint)
  }

  private static let patternHint =
    "a pattern is 'always A', 'never A', 'eventually A', 'A precedes A', 'at most N of A', "
    + "'A leads to A' or 'PATH never increases|decreases'"

  /// Returns the path that was read as a condition.
  private func path(
    _ condition: Rule.Condition, _ start: Int, _ end: Int
  ) throws(RuleError) -> Path {
    let last = scalars[start..<end].lastIndex { !$0.isBlank } ?? start
    let text = String(String.UnicodeScalarView(scalars[start...last]))
    let path: Path
    do throws(QueryError) {
      path = try Path(text, dialect: .inspector)
    } catch {
      throw failure(error.reason, at: start + error.column - 1, hint: error.hint)
    }
    guard path.isSingular, let stores = path.footprint.stores, stores.count == 1,
      !path.footprint.reads("before")
    else {
      throw failure(
        "expected a path to one value of a store", at: start, hint: "for example cart.total")
    }
    return path
  }

  private mutating func count() throws(RuleError) -> Int64 {
    guard let word, let count = Int64(word), count >= 0, take(word) else {
      throw failure("expected a number, at least 0, found \(found)")
    }
    return count
  }

  private mutating func deadline() throws(RuleError) -> Rule.Deadline {
    let start = offset
    var digits = ""
    while offset < scalars.count, "0123456789.".unicodeScalars.contains(scalars[offset]) {
      digits.unicodeScalars.append(scalars[offset])
      offset += 1
    }
    skipBlanks()
    let unit = word ?? ""
    if unit == "steps" || unit == "step" {
      guard let steps = UInt64(digits), take(unit) else {
        throw failure("expected a number of steps", at: start)
      }
      return .steps(steps)
    }
    guard unit == "s" || unit == "ms", let time = LogTime(seconds: digits) else {
      throw failure("expected a time such as 5s or 200ms, or a number of steps", at: start)
    }
    _ = take(unit)
    return .microseconds(unit == "s" ? time.microseconds : time.microseconds / 1000)
  }

  // MARK: Words

  /// The characters up to the next blank; `nil` at the end.
  var word: String? {
    guard offset < scalars.count else { return nil }
    let rest = scalars[offset...].prefix { !$0.isBlank }
    return rest.isEmpty ? nil : String(String.UnicodeScalarView(rest))
  }

  mutating func skipBlanks() {
    while offset < scalars.count, scalars[offset].isBlank { offset += 1 }
  }

  /// Advances past a word and the blanks behind it, if it is next.
  mutating func take(_ wanted: String) -> Bool {
    guard word == wanted else { return false }
    offset += wanted.unicodeScalars.count
    skipBlanks()
    return true
  }

  private mutating func expect(_ wanted: String) throws(RuleError) {
    guard take(wanted) else { throw unexpected("'\(wanted)'", among: [wanted]) }
  }

  // MARK: Errors

  var found: String { word.map { "'\($0)'" } ?? "the end" }

  func unexpected(_ expected: String, among words: [String]) -> RuleError {
    // A keyword that is spelled correctly is in the wrong place.
    let near = word.flatMap { words.contains($0) ? nil : Spelling.nearest(to: $0, among: words) }
    return failure(
      "expected \(expected), found \(found)", hint: near.map { "did you mean '\($0)'?" })
  }

  func failure(_ reason: String, at start: Int? = nil, hint: String? = nil) -> RuleError {
    RuleError(
      file: file, line: number, column: (start ?? offset) + 1, text: text, reason: reason,
      hint: hint)
  }
}

extension Unicode.Scalar {
  var isBlank: Bool { self == " " || self == "\t" || self == "\r" }
}
