/// What can be wrong with a line of a log, or with its place among the others.
///
/// LOG-FORMAT, "What readers must do with bad input".
public enum LineProblem: Error, Equatable, Sendable {
  // Lines that are lost.
  /// The line is not JSON, or not UTF-8.
  case notJSON(JSONError)
  /// The line is JSON, but not an object.
  case notAnObject
  /// The line was changed after it was written; both sums as eight hex digits.
  case wrongSum(found: String, expected: String)
  /// A known member is of another type than the format says.
  case wrongType(member: String, expected: String)
  /// A member that such a line cannot do without is not there.
  case missingMember(String)
  /// A rejected step that changes the model all the same, by this member.
  case changeInRejectedStep(member: String)
  /// A store that one step writes in two ways.
  case storeWrittenTwice(String)
  /// A step whose number was expected to be another.
  case outOfSequence(found: UInt64, expected: UInt64)
  /// Steps that are neither in the file nor in a gap.
  case missingSteps(from: UInt64, through: UInt64)
  /// A gap that does not begin after the step before it, or that ends before it begins.
  case gapDoesNotFit(from: UInt64, through: UInt64, expected: UInt64)
  /// A header that is not the first line.
  case secondHeader
  /// A line after the `end` line.
  case afterEnd
  /// An `end` line that counts another number of steps than the file has.
  case stepCountDiffers(found: UInt64, stated: UInt64)
  /// A patch that does not fit the state before it.
  case patchDoesNotApply(store: String, reason: String)
  /// The removal of a feature that was not there.
  case removalOfAbsentFeature(String)

  // Steps that are usable all the same.
  /// A step that says it was before the step before it.
  case timeDecreases(found: LogTime, previous: LogTime)
  /// A step whose cause is not an earlier step.
  case causeNotEarlier(cause: UInt64, step: UInt64)

  // Warnings.
  /// A name that an object has twice; the last one counts.
  case duplicateNames
  /// A byte order mark at the beginning of the file.
  case byteOrderMark
  /// A version of the format with members that this reader may not know.
  case newerMinorVersion(FormatVersion)
  /// The end says that not everything was written.
  case recordingFailed

  // Notes.
  /// A last line that was not written whole.
  case torn
  /// No `end` line: the recorder crashed, or is still recording.
  case noEnd
}

extension LineProblem {
  /// How bad a problem is.
  public enum Severity: Int, Sendable, Comparable {
    /// To be expected after a crash, nothing is wrong with what is there.
    case note
    /// Read without loss, but worth knowing.
    case warning
    /// Damage, but the step can be used.
    case suspect
    /// Damage: the line is lost, and with it what is known of the model after it.
    case lost

    /// Says whether one severity is less than another.
    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// How bad this problem is.
  public var severity: Severity {
    switch self {
    case .torn, .noEnd: .note
    case .duplicateNames, .byteOrderMark, .newerMinorVersion, .recordingFailed: .warning
    case .timeDecreases, .causeNotEarlier: .suspect
    default: .lost
    }
  }

  /// Whether the problem is damage as the format defines it.
  public var isDamage: Bool { severity >= .suspect }

  /// The problem in one word or two, for programs.
  public var kind: String {
    switch self {
    case .notJSON(let error): error.reason == .invalidUTF8 ? "utf-8" : "json"
    case .notAnObject, .wrongType: "type"
    case .wrongSum: "sum"
    case .missingMember: "member"
    case .changeInRejectedStep: "rejected"
    case .storeWrittenTwice: "stores"
    case .outOfSequence, .missingSteps: "sequence"
    case .gapDoesNotFit: "gap"
    case .secondHeader: "header"
    case .afterEnd, .stepCountDiffers: "end"
    case .patchDoesNotApply: "patch"
    case .removalOfAbsentFeature: "removed"
    case .timeDecreases: "time"
    case .causeNotEarlier: "cause"
    case .duplicateNames: "duplicate"
    case .byteOrderMark: "bom"
    case .newerMinorVersion: "version"
    case .recordingFailed: "failed"
    case .torn: "torn"
    case .noEnd: "no-end"
    }
  }
}
