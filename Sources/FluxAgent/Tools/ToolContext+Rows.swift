import FluxInspector
import FluxJSON

extension ToolContext {
  /// The bytes of a row at most, and those that a page keeps for other members.
  private var largestRow: Int { max(400, call.frame.room / 4) }

  /// Encodes a value of the session as it is.
  func verbatim(_ value: some Encodable) throws -> VerbatimJSON {
    VerbatimJSON(try LogEncoder(order: .declaration).encode(value))
  }

  /// Collects the rows that fit into an answer; returns them, and what follows them unless the page is full.
  ///
  /// `used` is the bytes of the other members. `extras` receives what was left out, and the cursor of the next page, which
  /// `next` makes of the row that it begins with, and of the last one of this page.
  ///
  /// - Throws: ``ToolFailure`` for a cursor of another call, and errors of the rows.
  func page<Header, Row, Trailer>(
    _ rows: Rows<Header, Row, Trailer>, from cursor: String?, limit: Int = .max, used: Int = 0,
    _ extras: inout Extras, next: (_ first: Row, _ last: Row?) -> Cursor
  ) throws -> (rows: [VerbatimJSON], end: Rows<Header, Row, Trailer>.End?) {
    let start = try cursors.cursor(cursor)
    var page = Page(room: call.frame.room - used, largestRow: largestRow, limit: limit)
    var place: Cursor?
    var last: Row?
    var end: Rows<Header, Row, Trailer>.End?
    do {
      end = try rows.run(call.work, from: start) { row in
        guard page.append(try LogEncoder(order: .declaration).encode(row)) else {
          place = next(row, last)
          throw PageIsFull()
        }
        last = row
      }
      extras.notes += end?.notes.map(\.toolText) ?? []
      if let left = end?.next {
        place = left
        extras.notes.append(
          "the time of the call is over; these are the rows so far\(last == nil ? ": none" : "")")
      }
    } catch is PageIsFull {}
    if let place { extras.cursor = cursors.text(place) }
    page.noteFolds(&extras)
    return (page.rows, end)
  }

  /// Collects the elements of an array that fit into an answer, as ``page(_:from:limit:used:_:next:)`` does.
  func page(
    _ all: [JSON], from cursor: String?, _ extras: inout Extras
  ) throws -> [VerbatimJSON] {
    let start = min(try cursors.index(cursor) ?? 0, all.count)
    var page = Page(room: call.frame.room, largestRow: largestRow)
    for (index, json) in all.enumerated().dropFirst(start) {
      guard page.append(json) else {
        extras.cursor = cursors.text(index)
        break
      }
    }
    page.noteFolds(&extras)
    return page.rows
  }

  /// Collects the part of a text that fits into an answer, up to the end of a line if that is possible.
  ///
  /// All parts are together the text. `used` is the bytes of the other members, and `extras` receives the cursor of the
  /// next part.
  ///
  /// - Throws: ``ToolFailure`` for a cursor of another call.
  func page(
    _ text: String, from cursor: String?, used: Int = 0, _ extras: inout Extras
  ) throws -> String {
    let start = min(try cursors.index(cursor) ?? 0, text.utf8.count)
    let rest = text.dropping(bytes: start)
    let room = max(call.frame.room / 4, call.frame.room - used)
    var part = rest.cut(toBytes: room)
    while case let size = WireText.size(of: JSON(stringLiteral: part)), size > room {
      part = part.cut(toBytes: part.utf8.count * room / size)
    }
    let count = part.utf8.count
    guard count < rest.utf8.count else { return rest }
    if let line = part.utf8.lastIndex(of: UInt8(ascii: "\n")) {
      part = String(part.unicodeScalars[...line])
    }
    extras.cursor = cursors.text(start + part.utf8.count)
    return part
  }
}

private struct PageIsFull: Error {}

/// The rows of an answer, as many as fit.
struct Page {
  private var room: Int
  private let largestRow: Int?
  private let limit: Int
  private var fold = Fold()
  private(set) var rows: [VerbatimJSON] = []

  /// Makes a page without rows, with room for this many bytes of them.
  ///
  /// A row with more bytes than the largest one is folded to that; nil if no row is folded.
  init(room: Int, largestRow: Int? = nil, limit: Int = .max) {
    (self.room, self.largestRow, self.limit) = (room, largestRow, limit)
  }

  /// Adds a row, of which the first always fits; returns `false` if the page is full.
  mutating func append(_ row: JSON) -> Bool {
    guard rows.count < limit else { return false }
    var trial = fold
    var folded = row
    if let largestRow {
      var target = largestRow
      for _ in 0..<4 where WireText.size(of: folded) > largestRow {
        trial = fold
        folded = trial.fold(row, at: nil, to: target)
        target /= 2
      }
    }
    let size = WireText.size(of: folded) + 1
    guard size <= room || rows.isEmpty else { return false }
    fold = trial
    room -= size
    rows.append(VerbatimJSON(folded))
    return true
  }

  func noteFolds(_ extras: inout Extras) {
    guard fold.count > 0 else { return }
    extras.left.append(
      "\(fold.sentence("large value")) in the rows; step, or state with a path, has one of them whole"
    )
  }
}
