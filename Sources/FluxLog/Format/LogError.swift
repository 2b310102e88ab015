import FluxJSON
import FluxSystem

/// The error of opening, reading or writing a log.
public struct LogError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The cause of the error.
  public enum Reason: Equatable, Sendable {
    /// A system call failed: the operation and `errno`.
    case system(operation: String, code: Int32)
    /// The path names a folder, a pipe or a device.
    case notAFile
    /// The log cannot be opened, because it cannot be decompressed for example, and the reason.
    case cannotOpen(why: String)
    /// The file is empty.
    case empty
    /// The first line is not a header.
    case notALog(LineProblem, byte: Int)
    /// The log uses a format version that this reader does not support.
    case newerVersion(FormatVersion)
    /// The in-flight file next to the log has an unknown layout; `beginning` is its first bytes.
    case unknownInFlightLayout(beginning: [UInt8])
    /// The in-flight file next to the log is larger than a recorder makes it.
    case inFlightTooLarge(byteCount: Int, limit: Int)
    /// Another writer has the log open.
    case locked
    /// A log is already at this path, and the writer's option `existing` is `.refuse`.
    case exists
    /// The folder of a new log does not exist.
    case noFolder
    /// The steps write more stores than a reader keeps.
    case tooManyStores(limit: Int)
    /// The lists of the log's other lines and names take more bytes than a reader keeps; the line where they do.
    case listsTooLarge(line: Int, limit: Int)
    /// The requested line is damaged.
    case damaged(Finding)
    /// The log does not have the requested step; `in` is the range of steps that it has.
    case noSuchStep(UInt64, in: ClosedRange<UInt64>?)
    /// The requested states are not written there, or damage or a gap hides them; the stores, and the
    /// step after which the states were requested.
    case unknownStates([String], step: UInt64)
    /// The file became shorter after it was opened; `line` is the requested line, if there was one.
    case shrunk(line: Int?)
    /// The file changed after it was opened.
    case changed
    /// A value of the app could not be encoded: the step, the store (`nil` for the action) and the
    /// reason.
    case cannotEncode(step: UInt64, store: String?, why: String)
    /// The recorder's options cannot be used, and the reason.
    case unusableOptions(why: String)
    /// An action that an app recorded itself is not in the log, and the reason; recording continues.
    case actionNotRecorded(why: String)
    /// The recorder got a step out of order; skipped steps must be announced.
    case notConsecutive(found: UInt64, expected: UInt64)
    /// The process was forked from the one that records the log.
    case forked
    /// Another program changed the log while it was recorded.
    case lost(LogLoss)
    /// Pointers of the redaction that matched no value until the log was closed.
    ///
    /// A pointer into the model stands for itself. A pointer into a payload follows the action type:
    /// `session/login /password`. A pointer is misspelled, or its value was absent throughout.
    case unmatchedRedaction([String])
    /// A step that drew random numbers or UUIDs brought a new value to a redacted place.
    ///
    /// The log has the seed, so anybody can compute such a value again. It is reported once for each
    /// place: the pointer that redacts it, or the store if an allow-list does.
    case recomputableSecret(place: String, step: UInt64)
    /// A value that was recorded by reflection is larger than the limit, and the rest is not in the log; recording continues.
    case cutReflection(value: String, limit: Int)
    /// The logs of earlier launches cannot be listed or deleted, and the reason; recording continues.
    case launches(why: String)
    /// A part of the recording cannot be exported, and the reason.
    case cannotExport(why: String)
    /// The file of actions in flight has a problem; recording continues.
    case inFlight(InFlightProblem)
  }

  /// The path of the log, or of the file next to it, as the caller named it.
  public let path: String
  /// The cause of the error.
  public let reason: Reason

  /// Makes an error.
  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// Returns the result of `body`; `nil` if it asks for a state that is unknown.
  package static func ifKnown<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as LogError where error.isUnknownValue {
      return nil
    }
  }

  /// Returns the result of `body`; `nil` if damage hides it, because the damaged line is a separate finding.
  package static func unlessDamaged<Result>(
    _ body: () throws(LogError) -> Result
  ) throws(LogError) -> Result? {
    do throws(LogError) {
      return try body()
    } catch {
      guard case .damaged = error.reason else { throw error }
      return nil
    }
  }
}

extension LogError: UnknownValueError {
  package var isUnknownValue: Bool { if case .unknownStates = reason { true } else { false } }
}

extension LogError {
  /// The problem, its place, what was expected and what to do next, on one line.
  ///
  /// Characters of paths and names that a terminal or a CI service would obey are escaped.
  public var message: String { sentence.printable }

  private var sentence: String {
    switch reason {
    case .system(let operation, let code):
      "\(path): cannot \(operation): \(systemMessage(code))"
    case .notAFile:
      "\(path): this is a folder, a pipe or a device; a log has to be a regular file"
    case .cannotOpen(let why):
      "\(path): \(why)"
    case .empty:
      "\(path): the file is empty; a log starts with a header line"
    case .notALog(let problem, let byte):
      """
      \(path): line 1, byte \(byte): \(problem.message); a log starts with a header such as \
      {"flux":"\(FormatVersion.current)",…}
      """
    case .newerVersion(let version):
      """
      \(path): the log uses format \(version), but this program reads format \
      \(FormatVersion.current); update the program to open the log
      """
    case .unknownInFlightLayout(let beginning):
      """
      \(path): this program cannot read a file of actions in flight that starts with the bytes \
      \(beginning.map(\.hexDigits).joined(separator: " ")); \
      update the program to see the actions, or move the file away
      """
    case .inFlightTooLarge(let byteCount, let limit):
      """
      \(path): the file has \(byteCount) bytes, but a file of actions in flight has at most \
      \(limit); it is not read; move it away to continue without it
      """
    case .locked:
      "\(path): another recorder or update is writing this log; let it end first, or write to another file"
    case .exists:
      """
      \(path): a log already exists here, and the option `existing` is `.refuse`; move the log away, \
      or set `existing` to `.number`, which keeps both logs, or to `.replace`
      """
    case .noFolder:
      "\(path): the folder does not exist; create it first"
    case .tooManyStores(let limit):
      """
      \(path): the steps write more than \(limit) stores, which are too many to keep; \
      \(MemoryLimit.advice)
      """
    case .listsTooLarge(let line, let limit):
      """
      \(path): the marks, gaps, findings and names up to line \(line) take more than \(limit) \
      bytes, which are too many to keep; \(MemoryLimit.advice)
      """
    case .damaged(let finding):
      "\(path): \(finding)"
    case .noSuchStep(let number, let range):
      """
      \(path): there is no step \(number); the log has \
      \(range.map { "steps \($0.lowerBound) to \($0.upperBound)" } ?? "no steps")
      """
    case .unknownStates(let stores, let step):
      """
      \(path): step \(step): the state of \(stores.joined(separator: ", ")) is unknown: it is not \
      written here, or earlier lines are damaged or missing; it is known again from the next step \
      that writes it
      """
    case .shrunk(let line):
      """
      \(path): \(line.map { "line \($0): " } ?? "")the file became shorter after it was opened; \
      open it again
      """
    case .changed:
      "\(path): the file changed after it was opened; open it again"
    case .cannotEncode(let step, let store, let why):
      """
      \(path): step \(step): cannot encode \(store.map { "the store \($0)" } ?? "the action"): \
      \(why)
      """
    case .unusableOptions(let why):
      "\(path): cannot record: \(why)"
    case .actionNotRecorded(let why):
      "\(path): an action was not recorded: \(why)"
    case .notConsecutive(let found, let expected):
      """
      \(path): got step \(found), expected step \(expected); skip each step that is not recorded \
      explicitly
      """
    case .forked:
      """
      \(path): this process was forked from the one that records the log, and logs nothing; create \
      a recorder in this process
      """
    case .unmatchedRedaction(let pointers):
      """
      \(path): \(pointers.count == 1 ? "a redaction pointer" : "\(pointers.count) redaction pointers") \
      matched no value: \(pointers.joined(separator: ", ")); check the spelling, unless the value \
      was absent throughout
      """
    case .recomputableSecret(let place, let step):
      """
      \(path): step \(step): a new value at \(place) is redacted, but the step drew random numbers \
      or UUIDs, and anybody can compute those from the log; draw secrets with `step.secret()`
      """
    case .cutReflection(let value, let limit):
      """
      \(path): reflection reads \(limit) values of \(value), at most 128 inside each other and fewer on a small stack, \
      and the rest is written as `$opaque`; make the type Encodable, or raise `reflectionLimit`
      """
    case .lost(let loss):
      "\(path): \(loss.message)"
    case .launches(let why):
      "\(path): \(why)"
    case .cannotExport(let why):
      "\(path): cannot export: \(why)"
    case .inFlight(let problem):
      "\(path): \(problem.message)"
    }
  }

  /// `true` if recording continued.
  package var isWarning: Bool {
    switch reason {
    case .actionNotRecorded, .inFlight, .launches, .lost(.moved), .unmatchedRedaction,
      .recomputableSecret, .cutReflection:
      true
    default: false
    }
  }

  /// The line that the error is about, counted from 1; `nil` if it is not about a line.
  public var line: Int? {
    switch reason {
    case .damaged(let finding): finding.line
    case .shrunk(let line): line
    case .listsTooLarge(let line, _): line
    case .empty, .notALog, .newerVersion: 1
    default: nil
    }
  }

  /// The number of the step that the error is about; `nil` if it is not about a step.
  public var step: UInt64? {
    switch reason {
    case .damaged(let finding): finding.step
    case .noSuchStep(let number, _): number
    case .unknownStates(_, let step): step
    case .cannotEncode(let step, _, _), .recomputableSecret(_, let step): step
    case .notConsecutive(let found, _): found
    default: nil
    }
  }

  /// Makes the error of a line that cannot be used.
  init(path: String, _ fault: LineFault, line: Int, step: UInt64? = nil) {
    let finding = Finding(problem: fault.problem, line: line, step: step, byte: fault.byte)
    self.init(path: path, reason: .damaged(finding))
  }

  /// Same as ``message``.
  public var description: String { message }
}

/// A change of a log by another program while it is recorded.
public enum LogLoss: Equatable, Sendable {
  /// The log or its folder was removed. Recording has ended.
  case removed
  /// The log was shortened, and its header may be missing. Recording has ended.
  case truncated
  /// The log was renamed. Recording continues in the renamed file.
  case moved

  /// The change, its consequence and what to do.
  var message: String {
    switch self {
    case .removed:
      """
      another program removed the log while it was recorded, and recording ended; leave a log alone \
      until it is closed
      """
    case .truncated:
      """
      another program shortened the log while it was recorded, and recording ended; exclude the log \
      from log rotation
      """
    case .moved:
      """
      another program renamed the log while it was recorded; recording continues in the renamed \
      file, but the actions in flight stay beside the old name
      """
    }
  }
}
