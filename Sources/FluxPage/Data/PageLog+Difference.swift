import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// `difference`: what a step changed, or the differences between the models at two rows.
  func difference(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    let difference: FluxInspector.Difference = try self.difference(request, "b", rows)
    let lines = difference.lines
    return Self.answer(
      difference, lines, from: try request.place("from", through: lines.count),
      count: try request.count("count", standard: 200))
  }

  /// Returns the changes of the step at the row of a request, in the number that it wants, and all their paths; the failure if
  /// they are unknown.
  func changes(
    _ request: PageRequest, _ rows: PageRows
  ) throws -> (answer: Result<Answer, PageError>, paths: [Pointer])? {
    guard request.has("changes") else { return nil }
    let count = try request.count("changes", standard: 200)
    do {
      let difference: FluxInspector.Difference = try self.difference(request, "row", rows)
      let lines = difference.lines
      return (.success(Self.answer(difference, lines, from: 0, count: count)), lines.map(\.path))
    } catch {
      return (.failure(PageError(error, in: timeline)), [])
    }
  }

  /// Returns at most `count` lines of a difference, beginning with the one at `first`.
  private static func answer(
    _ difference: FluxInspector.Difference, _ lines: [ReadableDifference.Line], from first: Int,
    count: Int
  ) -> Answer {
    Answer { members in
      try members.set("from", difference.from)
      try members.set("to", difference.to)
      try members.set("afterGap", ifPresent: difference.afterGap)
      try members.set("restored", ifPresent: difference.restored)
      try members.set("unwritten", ifPresent: difference.unwritten)
      try members.set("notRecorded", ifPresent: difference.notRecorded)
      try members.set("total", lines.count)
      try members.set("notes", difference.notes.map(\.words))
      try members.set("first", first)
      try members.set("changes", lines[first...].prefix(count).map(Self.answer))
    }
  }

  private func difference(
    _ request: PageRequest, _ name: String, _ rows: PageRows
  ) throws -> FluxInspector.Difference {
    let new = try place(name, of: request, rows)
    let old = request.has("a") ? try place("a", of: request, rows) : nil
    if new.row != nil, old?.row != nil || old == nil, try request.text("of") == "replayed" {
      return try new.session.difference(fromRecordedTo: replayedStates(at: new))
    }
    if let old { return try new.session.difference(fromPlace: old.session.place) }
    guard new.isStep else { return FluxInspector.Difference(at: new.session.numberHere) }
    var difference = try new.session.difference()
    if case .step(let position)? = new.row, timeline.isComparedAfterRestoring(at: position) {
      difference.restored = true
    }
    return difference
  }

  /// The replayed states of the step at a row.
  func replayedStates(at place: PagePlace) throws -> ReplayedStates {
    guard case .step(let position)? = place.row, let number = log.number(at: position),
      let states = verification.replayedStates[number]
    else { throw CommandError(.notFound, "the replayed states of this step are not here") }
    return states
  }

  private static func answer(_ line: ReadableDifference.Line) -> Answer {
    Answer { members in
      try members.set("path", line.path.description)
      switch line {
      case .value(let change, let identity):
        try members.set("op", change.kind)
        try members.set("identity", ifPresent: identity)
        try members.setValue("old", change.old)
        try members.setValue("new", change.new)
        if let old = change.old?.string, let new = change.new?.string {
          try members.set("splice", Splice(from: old, to: new))
        }
      case .element(let element):
        let operation = element.from == nil ? "add" : element.to == nil ? "remove" : "move"
        try members.set("op", operation)
        try members.set("identity", element.identity)
        try members.set("from", ifPresent: element.kind == .moved ? element.from : nil)
        try members.setValue(element.from == nil ? "new" : "old", element.whole)
      case .swap(let swap, let element):
        try members.set("op", "swap")
        try members.set("identity", "\(element.member) \(swap.first.key)")
        try members.set("with", swap.second.place)
        try members.set("withIdentity", "\(element.member) \(swap.second.key)")
      case .moves(_, let count, let isReversed):
        try members.set("op", "moves")
        try members.set("count", count)
        try members.set("reversed", ifTrue: isReversed)
      }
    }
  }
}

/// The one edit that turns a text into another: `{"at","del","ins","before","after","cut"?}`.
///
/// It is counted in Unicode scalars.
struct Splice: Encodable {
  private enum CodingKeys: String, CodingKey {
    case at, deleted = "del", inserted = "ins", before, after, isCut = "cut"
  }

  private static let context = 40
  private static let longest = 2000

  let at: Int
  let deleted: String
  let inserted: String
  let before: String
  let after: String
  let isCut: Bool?

  init(from old: String, to new: String) {
    let (old, new) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    let (removed, added) = (old[head..<old.count - tail], new[head..<new.count - tail])
    at = head
    func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
      String(String.UnicodeScalarView(scalars))
    }
    deleted = text(removed.prefix(Self.longest))
    inserted = text(added.prefix(Self.longest))
    before = text(new[max(0, head - Self.context)..<head])
    after = text(new[(new.count - tail)...].prefix(Self.context))
    isCut = max(removed.count, added.count) > Self.longest ? true : nil
  }
}
