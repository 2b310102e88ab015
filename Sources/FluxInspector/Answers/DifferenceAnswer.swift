import FluxLog

/// What differs between the models at two positions: `{"from","to","changes":[{"path","op","old",
/// "new"}]}`, or instead of the changes a `"patch"`, or the number of changes by store.
struct DifferenceAnswer: Answer {
  enum Style: Sendable {
    case changes
    /// A JSON Patch (RFC 6902).
    case patch
    /// `"stores":[{"store","added","removed","replaced"}]`
    case counts
  }

  /// The number of the step after which the first model is; nil before a step 0.
  let from: UInt64?
  let to: UInt64?
  let changes: [ModelChange]
  let style: Style
  /// Whether steps between the two are missing, of which some may have made the changes.
  var afterGap = false

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("from")
    json.writer.stepNumber(from)
    json.writer.name("to")
    json.writer.stepNumber(to)
    if afterGap {
      json.writer.name("afterGap")
      json.writer.bool(true)
    }
    switch style {
    case .changes: try json.array("changes", of: changes) { $0.change($1) }
    case .patch: try json.array("patch", of: changes) { $0.operation($1) }
    case .counts: try json.array("stores", of: ChangeCounts.byStore(changes)) { $0.counts($1) }
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    switch style {
    case .changes:
      try writeHeading(to: &text)
      for change in changes { try text.change(change) }
    case .patch:
      try text.value(
        JSON(writing: { writer in
          writer.beginArray()
          for change in changes { writer.operation(change) }
          writer.endArray()
        }))
    case .counts:
      try writeHeading(to: &text)
      for counts in ChangeCounts.byStore(changes) { try text.counts(counts) }
    }
  }

  private func writeHeading(to text: inout TextOutput) throws {
    let (from, to) = (from.map(String.init) ?? "-1", to.map(String.init) ?? "-1")
    let nothing = changes.isEmpty ? ": nothing differs" : ""
    try text.line("from step \(from) to step \(to)\(nothing)", .heading)
  }
}

/// How many changes a store has.
private struct ChangeCounts {
  let store: String
  var added = 0
  var removed = 0
  var replaced = 0

  /// In the order of the changes.
  static func byStore(_ changes: [ModelChange]) -> [ChangeCounts] {
    var all: [ChangeCounts] = []
    for change in changes {
      // The changes of a store stand together.
      var counts = ChangeCounts(store: change.store)
      if all.last?.store.hasSameBytes(as: change.store) == true { counts = all.removeLast() }
      switch change.kind {
      case .add: counts.added += 1
      case .remove: counts.removed += 1
      case .replace: counts.replaced += 1
      }
      all.append(counts)
    }
    return all
  }
}

extension JSONOutput {
  /// Writes a member with an array, element by element.
  fileprivate mutating func array<Element>(
    _ name: String, of elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) throws {
    writer.name(name)
    writer.beginArray()
    for element in elements {
      write(&writer, element)
      try drain()
    }
    writer.endArray()
  }
}

extension JSONWriter {
  fileprivate mutating func counts(_ counts: ChangeCounts) {
    beginObject()
    member("store", counts.store)
    name("added")
    int(counts.added)
    name("removed")
    int(counts.removed)
    name("replaced")
    int(counts.replaced)
    endObject()
  }
}

extension TextOutput {
  fileprivate mutating func counts(_ counts: ChangeCounts) throws {
    write(counts.store, .path)
    if counts.added > 0 { write(" +\(counts.added)", .added) }
    if counts.removed > 0 { write(" -\(counts.removed)", .removed) }
    if counts.replaced > 0 { write(" ~\(counts.replaced)", .number) }
    try endLine()
  }
}
