import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// `difference`: what a step changed, or the differences between the models at two rows.
  func difference(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let count = try request.count("count", standard: 200)
    let difference: FluxInspector.Difference = try self.difference(request, rows)
    let first = try request.place("from", through: difference.changes.count)
    let changes = Array(difference.changes[first...].prefix(count))
    return Answer { members in
      try members.set("from", difference.from)
      try members.set("to", difference.to)
      try members.set("afterGap", ifPresent: difference.afterGap)
      try members.set("unwritten", ifPresent: difference.unwritten)
      try members.set("notRecorded", ifPresent: difference.notRecorded)
      try members.set("total", difference.changes.count)
      try members.set("notes", difference.notes)
      try members.set("first", first)
      try members.set("changes", changes.map(Self.answer))
    }
  }

  private func difference(
    _ request: PageRequest, _ rows: RowMap
  ) throws -> FluxInspector.Difference {
    let new = try place("b", of: request, rows)
    let old = request.has("a") ? try place("a", of: request, rows) : nil
    if new.row != nil, old?.row != nil || old == nil, try request.text("of") == "replayed" {
      return try new.session.difference(fromRecordedTo: replayedStates(at: new))
    }
    if let old { return try new.session.difference(fromPlace: old.session.place) }
    return new.isStep
      ? try new.session.difference() : FluxInspector.Difference(at: new.session.numberHere)
  }

  /// The replayed states of the step at a row.
  func replayedStates(at place: PagePlace) throws -> ReplayedStates {
    guard case .step(let position)? = place.row, let number = log.number(at: position),
      let states = verification.replayedStates[number]
    else { throw CommandError(.notFound, "the replayed states of this step are not here") }
    return states
  }

  private static func answer(_ change: Change) -> Answer {
    let edit = change.old?.string.flatMap { old in
      change.new?.string.map { TextEdit(from: old, to: $0) }
    }
    return Answer { members in
      try members.set("path", change.path)
      try members.set("op", change.operation)
      try members.setValue("old", change.old)
      try members.setValue("new", change.new)
      try members.set("splice", ifPresent: edit)
    }
  }
}

/// The one edit that turns a text into another: `{"at","del","ins","before","after","cut"?}`.
///
/// It is counted in Unicode scalars.
struct TextEdit: Encodable {
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
    deleted = String(removed.prefix(Self.longest))
    inserted = String(added.prefix(Self.longest))
    before = String(new[max(0, head - Self.context)..<head])
    after = String(new[(new.count - tail)...].prefix(Self.context))
    isCut = max(removed.count, added.count) > Self.longest ? true : nil
  }
}

extension String {
  fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
    self = scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }
}
