import FluxLog

/// The steps that wrote a value: `{"path","writes":[{"n","type"?,"value"?,"afterGap"?}]}`.
///
/// They are looked for while they are written: the values of a large state may not be held all.
struct WritesAnswer: Answer {
  let session: Session
  let path: Path
  /// The last position that counts; nil for the whole log.
  let end: Int?
  /// Forwards for the oldest first.
  let direction: SearchDirection
  /// Whether one is enough.
  let isOne: Bool

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.member("path", path.placeInModel?.description ?? path.text)
    json.writer.name("writes")
    json.writer.beginArray()
    try forEachWrite { write in
      json.writer.write(write, number: session.stepNumber(at: write.position))
      try json.drain()
    }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try forEachWrite { write in
      text.write("\(session.stepText(at: write.position)) ", .number)
      if let type = write.type { text.write(type, .action) } else { text.write("initial", .dim) }
      if let value = write.value {
        text.write(" = \(value.description.shortened)")
      } else {
        text.write(" removed", .removed)
      }
      let isCertain = !write.afterGap
      try text.line(isCertain ? "" : "  (or a step before it that is missing or damaged)", .dim)
    }
  }

  private func forEachWrite(_ body: (PathWrite) throws -> Void) throws {
    try session.timeline.forEachWrite(
      of: path, through: end, direction, check: session.check,
      progress: session.reporting("searching")
    ) { write in
      try body(write)
      return !isOne
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ write: PathWrite, number: UInt64?) {
    beginObject()
    name("n")
    stepNumber(number)
    if let type = write.type { member("type", type) }
    if let value = write.value {
      name("value")
      raw(value)
    }
    if write.afterGap {
      name("afterGap")
      bool(true)
    }
    endObject()
  }
}

extension Path {
  /// The place that the path points at from the model; nil where it has none.
  fileprivate var placeInModel: Pointer? {
    guard let tokens = place?.tokens, tokens.first == "state" else { return nil }
    return Pointer(tokens: tokens.dropFirst())
  }
}
