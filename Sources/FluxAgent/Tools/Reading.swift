import FluxInspector
import FluxJSON
import FluxLog

// Texts of arguments become typed values here; their errors say what would be right.
extension ToolContext {
  /// The position of a step's number; the number before the first step is the state at the start.
  ///
  /// A number inside a gap leads to the last known step before it, and the answer says so.
  func position(_ number: Int64, _ session: Session, _ extras: inout Extras) throws -> Int {
    let first = session.timeline.log.header.first
    if number == -1, first == 0 { return try session.resolve(.start).position }
    guard let number = UInt64(exactly: number) else {
      throw ToolFailure("there is no step \(number); steps begin with \(first)")
    }
    let resolved = try session.resolve(.step(number))
    if let note = resolved.note, !extras.notes.contains(note) { extras.notes.append(note) }
    return resolved.position
  }

  /// The position of a step's number, or the end of the log.
  func position(orEnd number: Int64?, _ session: Session, _ extras: inout Extras) throws -> Int {
    guard let number else { return try session.resolve(.end).position }
    return try position(number, session, &extras)
  }

  /// Reads a path or an expression.
  func query(_ text: String) throws -> ValueQuery {
    try reading(text) { (text) throws(QueryError) in try ValueQuery(text) }
  }

  func path(_ text: String) throws -> Path {
    try reading(text) { (text) throws(QueryError) in try Path(text, dialect: .inspector) }
  }

  func expression(_ text: String) throws -> QueryExpression {
    try reading(text) { (text) throws(QueryError) in try QueryExpression(text) }
  }

  /// Reads a filter: a glob for types, an expression, or a text to search in the log.
  func filter(_ text: String, _ session: Session) throws -> StepFilter {
    try reading(text) { (text) throws(QueryError) in try session.timeline.filter(text) }
  }

  private static let longestQuery = 10_000

  private func reading<Value>(
    _ text: String, _ body: (String) throws(QueryError) -> Value
  ) throws -> Value {
    guard !text.isEmpty, text.utf8.count <= Self.longestQuery else {
      throw ToolFailure("a path or an expression has 1 to \(Self.longestQuery) bytes")
    }
    do throws(QueryError) {
      return try body(text)
    } catch {
      throw ToolFailure(CommandError(.usage, error))
    }
  }
}

extension Session {
  /// The position of a step's number that a result has.
  func position(of number: StepNumber) -> Int {
    number.value.flatMap { timeline.log.position(atOrBefore: $0) } ?? Timeline.start
  }
}
