public import FluxJSON

/// A line of a log; its members tell its kind.
///
/// See docs/log-format.md, "Steps" and "Other lines".
public enum LogLine: Sendable, Equatable {
  /// The header, which is the first line.
  case header(LogHeader)
  /// A dispatched action and what it changed.
  case step(LogStep)
  /// A note by the app.
  case mark(LogMark)
  /// A range of steps that are not in the file.
  case gap(LogGap)
  /// The last line of a closed log.
  case end(LogEnd)
  /// A kind of line that this reader does not know and skips.
  case unknown(JSON)
}

extension LogLine {
  /// Parses a line without its newline; checks its sum and the types of its members.
  init(_ bytes: [UInt8]) throws(LineFault) {
    try self.init(JSON(line: bytes))
  }

  /// Reads a parsed line whose sum has been checked.
  init(_ line: JSON) throws(LineFault) {
    let members = LineMembers(line)
    self =
      if members["n"] != nil {
        .step(try LogStep(line))
      } else if members["flux"] != nil {
        .header(try LogHeader(line))
      } else if members["mark"] != nil {
        .mark(LogMark(text: try members.string("mark"), time: try members.time("t")))
      } else if members["gap"] != nil {
        .gap(try LogGap(members))
      } else if members["end"] != nil {
        .end(try LogEnd(members))
      } else {
        .unknown(line)
      }
  }
}

extension JSON {
  /// Parses a line without its newline and checks its sum.
  init(line bytes: [UInt8]) throws(LineFault) {
    do {
      self = try JSON.parse(bytes)
    } catch {
      throw LineFault(problem: .notJSON(error), byte: error.byte)
    }
    guard kind == .object else { throw LineFault(problem: .notAnObject, byte: byteOffset) }
    try LineSum.check(self)
  }
}

extension LogGap {
  fileprivate init(_ line: LineMembers) throws(LineFault) {
    guard let object = try line.optionalObject("gap") else { throw line.missing("gap") }
    let members = LineMembers(object, prefix: "gap")
    from = try members.integer("from")
    through = try members.integer("to")
    why = Why(try members.string("why"))
  }
}

extension LogEnd {
  fileprivate init(_ line: LineMembers) throws(LineFault) {
    guard let object = try line.optionalObject("end") else { throw line.missing("end") }
    let members = LineMembers(object, prefix: "end")
    steps = try members.integer("steps")
    isComplete = try members.optionalBool("ok") ?? true
    isContinued = try members.optionalBool("continued") ?? false
  }
}
