import FluxLog

/// One stop point: `{"number","kind"}`, and whether it is enabled where that was changed.
struct StopPointAnswer: Answer {
  let point: StopPoint
  /// What was done to it: `deleted`; nil where it is new.
  var change: String?

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("number")
    json.writer.int(point.number)
    json.writer.member("kind", point.kindName)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.stopPoint(point, remark: change)
  }
}

/// All stop points: `{"breakpoints":[{"number","kind","what","if","enabled","temporary","hits"}]}`.
struct StopPointsAnswer: Answer {
  let points: [StopPoint]

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("breakpoints")
    json.writer.beginArray()
    for point in points { json.writer.stopPoint(point) }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    if points.isEmpty { try text.line("no stop points", .dim) }
    for point in points {
      var remarks: [String] = []
      if !point.isEnabled { remarks.append("disabled") }
      if point.hits > 0 {
        remarks.append(point.hits == 1 ? "reached once" : "reached \(point.hits) times")
      }
      try text.stopPoint(point, remark: remarks.isEmpty ? nil : remarks.joined(separator: ", "))
    }
  }
}

extension JSONWriter {
  fileprivate mutating func stopPoint(_ point: StopPoint) {
    beginObject()
    name("number")
    int(point.number)
    member("kind", point.kindName)
    member("what", point.subject)
    if let condition = point.condition { member("if", condition.text) }
    name("enabled")
    bool(point.isEnabled)
    name("temporary")
    bool(point.isTemporary)
    name("hits")
    int(point.hits)
    endObject()
  }
}

extension TextOutput {
  /// Writes a stop point on one line: `1 breakpoint todo/* if length(todos.items) > 3`.
  fileprivate mutating func stopPoint(_ point: StopPoint, remark: String?) throws {
    write("\(point.number) ", .number)
    write("\(point.isTemporary ? "temporary " : "")\(point.kindName) ")
    write(point.subject, .heading)
    if let condition = point.condition { write(" if \(condition.text)") }
    try line(remark.map { "  \($0)" } ?? "", .dim)
  }
}
