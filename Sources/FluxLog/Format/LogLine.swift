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
  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.member("mark", text)
      line.member("t", time)
    }
  }
}

/// A range of steps that are not in the file.
///
/// A recorder writes every store whole in the next accepted step. A repair cannot do that, because
/// it keeps every step byte for byte. After its gaps, ``Why/damaged``, a store is unknown until it
/// is next written whole.
///
/// See docs/log-format.md, "Other lines".
public struct LogGap: Sendable, Equatable {
  /// The reason for a gap.
  public enum Why: Sendable, Hashable {
    /// The recorder was paused.
    case paused
    /// The recorder was asked to skip these actions.
    case filtered
    /// The app was faster than the disk, or a state could not be encoded.
    case dropped
    /// The lines were damaged, and a repair removed them.
    ///
    /// A store that the next step does not list is unknown, not absent.
    case damaged
    /// A reason that this version does not know.
    case other(String)
  }

  /// The number of the first missing step.
  public var from: UInt64
  /// The number of the last missing step.
  public var through: UInt64
  /// The reason.
  public var why: Why

  /// Makes a gap.
  public init(from: UInt64, through: UInt64, why: Why) {
    self.from = from
    self.through = through
    self.why = why
  }
}

extension LogGap.Why: CustomStringConvertible {
  /// Makes a reason from the word in the file.
  public init(_ word: String) {
    switch word {
    case "paused": self = .paused
    case "filtered": self = .filtered
    case "dropped": self = .dropped
    case "damaged": self = .damaged
    default: self = .other(word)
    }
  }

  /// The word in the file.
  public var description: String {
    switch self {
    case .paused: "paused"
    case .filtered: "filtered"
    case .dropped: "dropped"
    case .damaged: "damaged"
    case .other(let word): word
    }
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

  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.object("gap") { object in
        object.member("from", from)
        object.member("to", through)
        object.member("why", why.description)
      }
    }
  }
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
  fileprivate init(_ line: LineMembers) throws(LineFault) {
    guard let object = try line.optionalObject("end") else { throw line.missing("end") }
    let members = LineMembers(object, prefix: "end")
    steps = try members.integer("steps")
    isComplete = try members.optionalBool("ok") ?? true
    isContinued = try members.optionalBool("continued") ?? false
    unmatched = try members.optionalStrings("unmatched") ?? []
  }

  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.object("end") { object in
        object.member("steps", steps)
        object.member("ok", isComplete)
        if isContinued { object.member("continued", true) }
        if !unmatched.isEmpty { object.member("unmatched", unmatched) }
      }
    }
  }
}
