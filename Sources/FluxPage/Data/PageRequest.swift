import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The members of a request, and the time that its answer may take.
struct PageRequest {
  /// The largest number of rows that an answer has.
  static let largestCount = 500

  let members: JSON
  let deadline: ContinuousClock.Instant
  /// The session of the client's console, for its forks; nil if there is none.
  let console: Session?
  /// The app that rebuilds states which the log lacks; nil if there is none.
  let app: (any ReplayApp)?

  /// Reads a request.
  ///
  /// - Throws: `PageError` if it is no object.
  init(
    _ members: JSON, deadline: ContinuousClock.Instant,
    console: Session? = nil, app: (any ReplayApp)? = nil
  ) throws(PageError) {
    guard members.kind == .object else {
      throw PageError(.badRequest, "expected an object, found \(members.kind.described)")
    }
    self.members = members
    self.deadline = deadline
    (self.console, self.app) = (console, app)
  }

  /// `true` if the answer has to be sent with what it has.
  var isOver: Bool { ContinuousClock.now >= deadline }

  func has(_ name: String) -> Bool { members[name].map { !$0.isNull } ?? false }

  func integer(_ name: String) throws(PageError) -> Int? {
    try value(name, "an integer") { $0.number?.int64.flatMap { Int(exactly: $0) } }
  }

  func text(_ name: String) throws(PageError) -> String? {
    try value(name, "a string") { $0.string }
  }

  func flag(_ name: String) throws(PageError) -> Bool {
    try value(name, "true or false") { $0.bool } ?? false
  }

  /// Reads a member; nil if it is missing or null.
  private func value<Value>(
    _ name: String, _ expected: String, _ read: (JSON) -> Value?
  ) throws(PageError) -> Value? {
    guard let json = members[name], !json.isNull else { return nil }
    guard let value = read(json) else {
      throw PageError(.badRequest, "\(name): expected \(expected), found \(json.kind.described)")
    }
    return value
  }

  func texts(_ name: String) throws(PageError) -> [String] {
    try list(name, "strings") { $0.string } ?? []
  }

  /// Reads the elements of an array; nil if it is missing or null.
  private func list<Element>(
    _ name: String, _ expected: String, _ read: (JSON) -> Element?
  ) throws(PageError) -> [Element]? {
    let list = try value(name, "an array of \(expected)") { $0.kind == .array ? $0 : nil }
    return try list?.elements.map { (element) throws(PageError) in
      guard let value = read(element) else {
        throw PageError(
          .badRequest, "\(name): expected \(expected), found \(element.kind.described)")
      }
      return value
    }
  }

  /// A place in a list; the nearest one that it has if there is none of that number.
  func place(_ name: String, standard: Int = 0, through end: Int) throws(PageError) -> Int {
    max(0, min(try integer(name) ?? standard, end))
  }

  /// A number of rows or points, at least 1.
  func count(
    _ name: String, standard: Int, largest: Int = largestCount
  ) throws(PageError) -> Int {
    max(1, min(try integer(name) ?? standard, largest))
  }

  func required(_ name: String) throws(PageError) -> String {
    guard let text = try text(name) else { throw PageError(.badRequest, "\(name) is missing") }
    return text
  }

  /// A position as people write it.
  func position() throws -> (text: String, position: Position) {
    let text = try required("position")
    guard let position = Position(text) else {
      throw CommandError(.usage, "\(text) is not a position", hint: Position.forms)
    }
    return (text, position)
  }

  /// A row that exists.
  func row(_ name: String, in rows: RowMap) throws(PageError) -> (number: Int, row: LogRow) {
    guard let number = try integer(name) else {
      throw PageError(.badRequest, "\(name) is missing")
    }
    guard let row = rows[number] else {
      throw PageError(.badRequest, "\(name): there is no row \(number)")
    }
    return (number, row)
  }

  /// A row of a fork that exists.
  func row(in fork: ForkRows) throws(PageError) -> (number: Int, row: ForkRow) {
    guard let number = try integer("row") else { throw PageError(.badRequest, "row is missing") }
    guard let row = fork[number] else {
      throw PageError(.badRequest, "row: fork \(fork.number) has no row \(number)")
    }
    return (number, row)
  }

  /// The rows that a request for steps wants, single ones or a range; `from` is nil for single ones.
  func wantedRows(of total: Int) throws(PageError) -> (from: Int?, rows: [Int]) {
    let rows = try list("rows", "integers") { $0.number?.int64.flatMap { Int(exactly: $0) } }
    guard let rows else {
      let from = try place("from", through: total)
      return (from, Array(from..<min(total, from + (try count("count", standard: 200)))))
    }
    return (nil, Array(rows.prefix(Self.largestCount)))
  }

  /// A JSON Pointer into the model.
  func pointer(_ name: String) throws(PageError) -> Pointer {
    do {
      return try Pointer(try text(name) ?? "")
    } catch let error as PageError {
      throw error
    } catch {
      throw PageError(.badRequest, "\(error)")
    }
  }
}

/// The failure of a request: `{"error":{"code","message","hint"?}}`.
struct PageError: Error, Encodable {
  /// A failure that is not that of a command, and the status of its answer.
  struct Code {
    let name: String
    let status: Int

    static let badRequest = Code(name: "bad-request", status: 400)
    static let noToken = Code(name: "no-token", status: 403)
    static let foreignOrigin = Code(name: "foreign-origin", status: 403)
    static let notFound = Code(name: "not-found", status: 404)
    static let method = Code(name: "method", status: 405)
    static let gone = Code(name: "gone", status: 410)
    static let lengthMissing = Code(name: "length-missing", status: 411)
    static let tooLarge = Code(name: "too-large", status: 413)
    static let foreignHost = Code(name: "foreign-host", status: 421)
    static let tooManySessions = Code(name: "too-many-sessions", status: 429)
    static let headTooLarge = Code(name: "head-too-large", status: 431)
    static let `internal` = Code(name: "internal", status: 500)
  }

  // The status is that of the answer, which has it in its head.
  private enum CodingKeys: CodingKey { case error }

  /// The failure in the words of a command.
  struct Content: Encodable {
    let code: String
    let message: String
    let hint: String?
  }

  let status: Int
  let error: Content

  init(_ code: Code, _ message: String) {
    error = Content(code: code.name, message: message, hint: nil)
    status = code.status
  }

  init(_ failure: CommandError) {
    error = Content(
      code: failure.code.rawValue, message: failure.message,
      hint: failure.note.map(\.words))
    status = failure.code == .usage ? 400 : 422
  }

  /// Converts any failure of a request about a log.
  init(_ failure: any Error, in timeline: Timeline) {
    self = failure as? PageError ?? PageError(CommandError(failure, in: timeline))
  }
}
