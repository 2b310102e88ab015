package import FluxJSON

/// A line of a log; its members tell its kind.
///
/// See docs/log-format.md, "Steps" and "Other lines".
package enum LogLine: Sendable, Equatable {
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
  ///
  /// - Throws: ``LineFault``, also for a step that writes more stores than `limit` allows.
  init(_ line: JSON, limit: MemoryLimit = .standard) throws(LineFault) {
    let members = LineMembers(line)
    self =
      if members["n"] != nil {
        .step(try LogStep(members, limit: limit))
      } else if members["flux"] != nil {
        .header(try LogHeader(line))
      } else if members["mark"] != nil {
        .mark(
          try members.read(
            LogMark.fields, into: LogMark(text: "", time: LogTime(microseconds: 0))))
      } else if members["gap"] != nil {
        .gap(try members.read(LogGap.fields, into: LogGap(from: 0, through: 0, why: .damaged)))
      } else if members["end"] != nil {
        .end(try members.read(LogEnd.fields, into: LogEnd(steps: 0, isComplete: true)))
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

/// A note that the app made between two steps.
///
/// See docs/log-format.md, "Other lines".
public struct LogMark: Sendable, Equatable {
  /// The text of the note.
  public var text: String
  /// When the app made the note.
  public var time: LogTime

  /// Makes a mark.
  public init(text: String, time: LogTime) {
    self.text = text
    self.time = time
  }
}

extension LogMark {
  static var fields: [LineField<LogMark>] { [.required("mark", \.text), .required("t", \.time)] }

  func write(to lines: inout LineBuffer) { lines.line(of: self, Self.fields) }
}

/// The last line of a closed log.
///
/// See docs/log-format.md, "Other lines".
public struct LogEnd: Sendable, Equatable {
  /// The number of step lines in the file.
  public var steps: UInt64
  /// `true` if everything was written.
  ///
  /// `false` if recording failed, or if a repair closed a log that its recorder had not closed.
  public var isComplete: Bool
  /// `true` if the recording continues in another segment, which may hold the follow-ups of the
  /// last steps.
  public var isContinued: Bool
  /// `true` if the recorder was closed before the follow-ups of the last steps ran.
  public var isCut = false
  /// The redaction pointers that matched no value in the whole recording.
  ///
  /// A pointer into a payload follows the type of its actions: `session/login /password`.
  public var unmatched: [String]

  /// Makes an end line.
  public init(
    steps: UInt64, isComplete: Bool, isContinued: Bool = false, unmatched: [String] = []
  ) {
    self.steps = steps
    self.isComplete = isComplete
    self.isContinued = isContinued
    self.unmatched = unmatched
  }
}

extension LogEnd {
  static var fields: [LineField<LogEnd>] {
    [
      .object(
        "end",
        [
          .required("steps", \.steps), .optional("ok", \.isComplete, or: true, isOmitted: false),
          .optional("continued", \.isContinued, or: false), .optional("cut", \.isCut, or: false),
          .optional("unmatched", \.unmatched, or: []),
        ])
    ]
  }

  func write(to lines: inout LineBuffer) { lines.line(of: self, Self.fields) }
}
