public import FluxJSON
import FluxSystem

/// A problem of a line, or of its place among the other lines.
///
/// See docs/log-format.md, "Damage".
public enum LineProblem: Error, Equatable, Sendable {
  // Problems that lose the line.
  /// The line is not valid JSON or not valid UTF-8.
  case notJSON(JSONError)
  /// The line is longer than a reader reads; `byteCount` is `nil` if nobody counted to its end.
  case lineTooLong(byteCount: Int?, limit: Int)
  /// The line is JSON, but not an object.
  case notAnObject
  /// The line changed after it was written; both sums are eight hex digits.
  case wrongSum(found: String, expected: String)
  /// A known member has the wrong type.
  case wrongType(member: String, expected: String)
  /// A required member is missing.
  case missingMember(String)
  /// A rejected step has this member, which changes the model.
  case changeInRejectedStep(member: String)
  /// One step writes this store twice.
  case storeWrittenTwice(String)
  /// A step does not have the expected number.
  case outOfSequence(found: UInt64, expected: UInt64)
  /// Steps are missing, and no gap covers them.
  case missingSteps(from: UInt64, through: UInt64)
  /// A gap does not start after the previous step, or ends before it starts.
  case gapDoesNotFit(from: UInt64, through: UInt64, expected: UInt64)
  /// A header is not the first line.
  case secondHeader
  /// A header declares more stores than a reader keeps.
  case tooManyStores(found: Int, limit: Int)
  /// A step writes more stores than a reader keeps.
  case tooManyStoresInStep(found: Int, limit: Int)
  /// A line follows the `end` line.
  case afterEnd
  /// The `end` line states a different number of steps than the file has.
  case stepCountDiffers(found: UInt64, stated: UInt64)
  /// A patch does not apply to the store's previous state.
  case patchDoesNotApply(store: String, reason: String)
  /// A step removes a feature that is absent.
  case removalOfAbsentFeature(String)
  /// The first accepted step after a gap leaves out the state of this store.
  case unwrittenAfterGap(String)

  // Problems that leave the step usable.
  /// A step is earlier than the previous step.
  case timeDecreases(found: LogTime, previous: LogTime)
  /// The cause of a step is not an earlier step.
  case causeNotEarlier(cause: UInt64, step: UInt64)
  /// A rejected step asks for effects.
  case effectsInRejectedStep
  /// A step comes from an effect that its cause did not start.
  case effectNotStarted(effect: String, cause: UInt64)

  // Warnings.
  /// An object has two members with the same name; the last one is used.
  case duplicateNames
  /// The file starts with a byte order mark.
  case byteOrderMark
  /// The format version is newer and may have members that this reader does not know.
  case newerMinorVersion(FormatVersion)
  /// The `end` line says that recording failed.
  case recordingFailed
  /// Lines have no checksum, although others have one; the finding names the first of them.
  case missingSum(lines: Int)

  // Notes.
  /// The last line is incomplete.
  case torn
  /// There is no `end` line: the recorder crashed or is still recording.
  case noEnd
}

extension LineProblem {
  /// The severity of a problem.
  ///
  /// Ordered from ``Severity/note`` to ``Severity/lost``.
  public enum Severity: Sendable, Comparable {
    /// Expected after a crash; the other lines are sound.
    case note
    /// Worth knowing; nothing was lost.
    case warning
    /// Damage that leaves the step usable.
    case suspect
    /// Damage that loses the line. The states after it are unknown until they are written whole.
    case lost
  }

  /// The severity of this problem.
  public var severity: Severity {
    switch self {
    case .torn, .noEnd: .note
    case .duplicateNames, .byteOrderMark, .newerMinorVersion, .recordingFailed, .missingSum:
      .warning
    case .timeDecreases, .causeNotEarlier, .effectsInRejectedStep, .effectNotStarted: .suspect
    default: .lost
    }
  }

  /// `true` if the format defines the problem as damage.
  ///
  /// See docs/log-format.md, "Damage".
  public var isDamage: Bool { severity >= .suspect }

  /// A one-word code of the problem for programs.
  public var kind: String {
    switch self {
    case .notJSON(let error): error.reason == .invalidUTF8 ? "utf-8" : "json"
    case .lineTooLong: "length"
    case .notAnObject, .wrongType: "type"
    case .wrongSum: "sum"
    case .missingMember: "member"
    case .changeInRejectedStep: "rejected"
    case .storeWrittenTwice, .tooManyStoresInStep: "stores"
    case .outOfSequence, .missingSteps: "sequence"
    case .gapDoesNotFit: "gap"
    case .secondHeader, .tooManyStores: "header"
    case .afterEnd, .stepCountDiffers: "end"
    case .patchDoesNotApply: "patch"
    case .removalOfAbsentFeature: "removed"
    case .unwrittenAfterGap: "unwritten"
    case .timeDecreases: "time"
    case .causeNotEarlier: "cause"
    case .effectsInRejectedStep, .effectNotStarted: "effects"
    case .duplicateNames: "duplicate"
    case .byteOrderMark: "bom"
    case .newerMinorVersion: "version"
    case .recordingFailed: "failed"
    case .missingSum: "no-sum"
    case .torn: "torn"
    case .noEnd: "no-end"
    }
  }
}

extension LineProblem {
  /// The problem, what was expected and what to do next, without the place.
  public var message: String {
    switch self {
    case .notJSON(let error):
      "the line is damaged: \(error.problem)"
    case .lineTooLong(let byteCount, let limit):
      "the line has \(byteCount.map { "\($0)" } ?? "more than \(limit)") bytes, and at most \(limit) are read"
        + (limit < JSON.maximumByteCount ? "; \(MemoryLimit.advice)" : "")
    case .notAnObject:
      "the line is not a JSON object; every line of a log has to be one"
    case .wrongSum(let found, let expected):
      """
      the checksum is \(found), expected \(expected): the line was edited or damaged; to accept an \
      edit, delete its "sum"
      """
    case .wrongType(let member, let expected):
      "\"\(member)\" is not \(expected)"
    case .missingMember(let member):
      "\"\(member)\" is missing"
    case .changeInRejectedStep(let member):
      "the step is rejected, but has \"\(member)\"; a rejected step changes no store"
    case .storeWrittenTwice(let store):
      """
      the store \(store) is written twice; a step may write a store in only one of "states", \
      "patches", "removed" and "unwritten"
      """
    case .outOfSequence(let found, let expected):
      "the step has number \(found), expected \(expected): the line was duplicated or moved"
    case .missingSteps(let from, let through):
      from == through
        ? "step \(from) is missing before this line"
        : "steps \(from) to \(through) are missing before this line"
    case .gapDoesNotFit(let from, let through, let expected):
      "the gap from \(from) to \(through) does not fit: expected it to start at \(expected)"
    case .secondHeader:
      """
      this is a second header, expected a step: two logs were probably joined; split them into two \
      files
      """
    case .tooManyStores(let found, let limit):
      "the header declares \(found) stores, and at most \(limit) are read; \(MemoryLimit.advice)"
    case .tooManyStoresInStep(let found, let limit):
      "the step writes \(found) stores, and at most \(limit) are read; \(MemoryLimit.advice)"
    case .afterEnd:
      "the line comes after the end line, which has to be the last"
    case .stepCountDiffers(let found, let stated):
      "the end line counts \(stated.counted("step")), but the file has \(found)"
    case .timeDecreases(let found, let previous):
      "the step's time is \(found), but the previous step's time is \(previous)"
    case .causeNotEarlier(let cause, let step):
      "step \(step) names step \(cause) as its cause; a cause has to be an earlier step"
    case .effectsInRejectedStep:
      "the step is rejected, but has \"effects\"; a rejected step starts and cancels no effect"
    case .effectNotStarted(let effect, let cause):
      """
      the step comes from the effect \(effect) of step \(cause), but the "effects" of step \
      \(cause) do not start it; one of the two steps was probably edited
      """
    case .patchDoesNotApply(let store, let reason):
      "the patch for the store \(store) does not apply: \(reason)"
    case .unwrittenAfterGap(let store):
      """
      the state of the store \(store) is left out ("unwritten"); the first step after a gap has to \
      write the store whole
      """
    case .removalOfAbsentFeature(let feature):
      "the feature \(feature) is removed, but was not present"
    case .duplicateNames:
      "an object has two members with the same name; the last one is used"
    case .byteOrderMark:
      "the file starts with a byte order mark, which is ignored; a log should not have one"
    case .newerMinorVersion(let version):
      """
      the log uses format \(version), but this program reads format \(FormatVersion.current): \
      newer members are ignored; update the program to see them
      """
    case .recordingFailed:
      """
      the last steps may be missing: recording failed, or a repair closed a log that its recorder \
      had not closed
      """
    case .missingSum(let lines):
      """
      \(lines == 1 ? "the line has" : "\(lines) lines, of which this is the first, have") no checksum, \
      although others have one: edited, or added after the recording
      """
    case .torn:
      "the last line is incomplete and is ignored"
    case .noEnd:
      "there is no end line: the recorder was not closed, or is still recording"
    }
  }
}

/// One problem of a log, and its place.
public struct Finding: Error, Equatable, Sendable, CustomStringConvertible {
  /// The problem.
  public let problem: LineProblem
  /// The line, counted from 1.
  public let line: Int
  /// The number of the step that the line holds or would hold; `nil` if it is unknown.
  public let step: UInt64?
  /// The byte offset in the line, counted from 0.
  public let byte: Int

  /// Makes a finding.
  public init(problem: LineProblem, line: Int, step: UInt64? = nil, byte: Int = 0) {
    self.problem = problem
    self.line = line
    self.step = step
    self.byte = byte
  }

  /// The place and the problem: `line 7, step 6, byte 81: the checksum is …`.
  public var description: String {
    let step = step.map { ", step \($0)" } ?? ""
    return "line \(line)\(step), byte \(byte): \(problem.message)"
  }
}

/// A problem of one line and its byte offset in the line.
struct LineFault: Error, Equatable, Sendable {
  let problem: LineProblem
  /// The offset from the start of the line, counted from 0.
  let byte: Int
}

extension LineFault {
  /// The fault of a line that should be a step.
  static var notAStep: LineFault { LineFault(problem: .missingMember("n"), byte: 0) }

  /// The fault of a line of which only the beginning is read.
  init(lineTooLong byteCount: Int?, limit: Int) {
    self.init(problem: .lineTooLong(byteCount: byteCount, limit: limit), byte: limit)
  }
}
