import FluxJSON
import FluxLog

/// A result that is too long to be held at once: header members, an array of rows, trailer members.
///
/// The rows are computed while they are consumed. Every ``run(_:from:_:)`` reads them again from the log.
///
/// ```swift
/// let steps = try session.steps(matching: .glob(Glob("todo/*")))
/// let end = try steps.run(Work(limit: 100)) { step in print(step.type) }
/// if let next = end.next {  // there are more
///   _ = try steps.run(Work(limit: 100), from: next) { step in print(step.type) }
/// }
/// ```
public struct Rows<Header, Row, Trailer>: Sendable
where Header: Encodable & Sendable, Row: Encodable & Sendable, Trailer: Encodable & Sendable {
  /// The end of a run.
  public struct End: Sendable {
    /// The members behind the rows.
    public let trailer: Trailer
    /// The place of the next row if ``Work/limit`` or ``Work/deadline`` ended the run; nil at the end.
    public let next: Cursor?
    /// The exit code of a batch of this one command.
    public let exitCode: Int32
    /// Remarks about how the rows came to be.
    public let notes: [Note]

    package init(_ trailer: Trailer, next: Cursor? = nil, exitCode: Int32 = 0, notes: [Note] = []) {
      self.trailer = trailer
      self.next = next
      self.exitCode = exitCode
      self.notes = notes
    }
  }

  package typealias Body =
    @Sendable (_ work: Work, _ from: Cursor?, _ each: (Row) throws -> Void) throws -> End

  /// The name of the member that holds the rows.
  public let name: String
  /// The members before the rows.
  public let header: Header
  private let body: Body

  package init(_ name: String, header: Header, _ body: @escaping Body) {
    self.name = name
    self.header = header
    self.body = body
  }

  /// Passes one row after the other to a closure.
  ///
  /// - Parameters:
  ///   - work: The limits of the run.
  ///   - start: The row to begin with: ``End/next`` of an earlier run, or nil for the first.
  ///   - each: Receives a row.
  /// - Returns: The trailer, and the place to go on from.
  /// - Throws: ``CommandError`` of code `cancelled` if the work is cancelled, `LogError` if a line cannot be
  ///   read, and errors of `each`.
  @discardableResult
  public func run(
    _ work: Work = Work(), from start: Cursor? = nil, _ each: (Row) throws -> Void
  ) throws -> End {
    try body(work, start, each)
  }

  /// Returns the rows as an array, up to the limit of the work, and the end of the run.
  public func collect(
    _ work: Work = Work(), from start: Cursor? = nil
  ) throws -> (rows: [Row], end: End) {
    var rows: [Row] = []
    let end = try run(work, from: start) { rows.append($0) }
    return (rows, end)
  }
}

/// A place between two rows.
public struct Cursor: Sendable, Hashable {
  let place: Place

  /// The place in a search for writes.
  var writes: WriteCursor?

  init(place: Place) { self.place = place }
  init(_ writes: WriteCursor) {
    (place, self.writes) = (.recording(writes.rest.lowerBound), writes)
  }
  package init(position: Int) { place = .recording(position) }

  /// The place right behind a write, in a search forwards.
  package init(behindWriteAt position: Int) {
    self.init(
      WriteCursor(known: position, isHidden: false, rest: position + 1..<position + 1))
  }

  /// The position on the recording.
  package var position: Int { if case .recording(let position) = place { position } else { 0 } }

  /// The place in a search for writes as numbers, which ``init(writes:)`` reads; nil elsewhere.
  package var numbers: [Int]? {
    writes.map { [$0.known ?? -2, $0.isHidden ? 1 : 0, $0.rest.lowerBound, $0.rest.upperBound] }
  }

  /// Reads the numbers of a place in a search for writes; nil for others.
  package init?(writes numbers: [Int]) {
    guard numbers.count == 4, numbers[2] >= 0, numbers[2] <= numbers[3] else { return nil }
    self.init(
      WriteCursor(
        known: numbers[0] < -1 ? nil : numbers[0], isHidden: numbers[1] != 0,
        rest: numbers[2]..<numbers[3]))
  }
}

extension Rows where Header == NoMembers {
  init(_ name: String, _ body: @escaping Body) {
    self.init(name, header: NoMembers(), body)
  }
}

extension Rows: Encodable {
  /// Encodes all rows at once; a command writes them one by one instead.
  public func encode(to encoder: any Encoder) throws {
    try header.encode(to: encoder)
    var members = encoder.container(keyedBy: LogKey.self)
    var rows = members.nestedUnkeyedContainer(forKey: LogKey(stringValue: name))
    try run { try rows.encode($0) }.trailer.encode(to: encoder)
  }
}

/// No members before or behind rows.
public struct NoMembers: Encodable, Sendable {}

/// Counts the rows of a run against the limits of its work.
///
/// The first row is always taken, so that each run makes progress.
package struct RowBudget {
  private let isCancelled: @Sendable () -> Bool
  private let deadline: ContinuousClock.Instant?
  private(set) var rest: Int
  private var isFirst = true

  package init(_ work: Work) {
    isCancelled = work.isCancelled
    deadline = work.deadline
    rest = work.limit ?? .max
  }

  /// `true` if the time is over.
  var isOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

  /// Takes one row; false if the run ends before it.
  package mutating func take() throws(CommandError) -> Bool {
    if isCancelled() { throw .cancelled }
    guard rest > 0 else { return false }
    if isOver, !isFirst { return false }
    (rest, isFirst) = (rest - 1, false)
    return true
  }
}
