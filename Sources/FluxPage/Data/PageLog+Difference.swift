import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// `difference`: what a step changed, or the differences between the models at two rows.
  func difference(_ request: PageRequest) throws -> Answer {
    let difference: FluxInspector.Difference = try self.difference(request, "b", rows())
    return Self.answer(
      difference, from: try request.place("from", through: difference.changes.count),
      count: try request.count("count", standard: 200))
  }

  /// Returns the changes of the step at the row of a request, in the number that it wants; the failure if they are unknown.
  func differences(_ request: PageRequest) throws -> Result<Answer, PageError>? {
    guard request.has("changes") else { return nil }
    let count = try request.count("changes", standard: 200)
    do {
      let difference: FluxInspector.Difference = try self.difference(request, "row", rows())
      return .success(Self.answer(difference, from: 0, count: count))
    } catch {
      return .failure(PageError(error, in: timeline))
    }
  }

  /// The paths that the step at the row of a request changed; empty if its changes are unknown.
  func changedPaths(_ request: PageRequest) throws -> [String] {
    do {
      let difference: FluxInspector.Difference = try self.difference(request, "row", rows())
      return difference.changes.map(\.path)
    } catch {
      // The answer says why they are unknown where it lists the changes.
      return []
    }
  }

  private static func answer(
    _ difference: FluxInspector.Difference, from first: Int, count: Int
  ) -> Answer {
    let changes = Array(difference.changes[first...].prefix(count))
    return Answer { members in
      try members.set("from", difference.from)
      try members.set("to", difference.to)
      try members.set("afterGap", ifPresent: difference.afterGap)
      try members.set("restored", ifPresent: difference.restored)
      try members.set("unwritten", ifPresent: difference.unwritten)
      try members.set("notRecorded", ifPresent: difference.notRecorded)
      try members.set("total", difference.changes.count)
      try members.set("notes", difference.notes)
      try members.set("first", first)
      try members.set("changes", changes.map(Self.answer))
    }
  }

  private func difference(
    _ request: PageRequest, _ name: String, _ rows: RowMap
  ) throws -> FluxInspector.Difference {
    let new = try place(name, of: request, rows)
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

  private static func answer(_ change: StateChange) -> Answer {
    let edit = change.old?.string.flatMap { old in
      change.new?.string.map { Splice(from: old, to: $0) }
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
