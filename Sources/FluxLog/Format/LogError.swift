/// Says why a log cannot be opened, read or written.
public struct LogError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Reason: Equatable, Sendable {
    /// The system refused: what was tried, and `errno`.
    case system(operation: String, code: Int32)
    /// The path leads to a folder, a pipe or a device.
    case notAFile
    /// The file has nothing in it.
    case empty
    /// The first line is not a header.
    case notALog(LineProblem, byte: Int)
    /// The log is written in a version of the format that this reader cannot understand.
    case newerVersion(FormatVersion)
    /// The file of actions in flight beside the log is of a layout that this reader does not know; what it
    /// begins with.
    case unknownInFlightLayout(beginning: [UInt8])
    /// Another writer holds the log.
    case locked
    /// There is a log already, and the writer was not told to replace it.
    case exists
    /// A line that was asked for is damaged.
    case damaged(Finding)
    /// A step that was asked for is not in the log; the numbers that are.
    case noSuchStep(UInt64, in: ClosedRange<UInt64>?)
    /// States that were asked for are hidden by damage or by a gap: the stores, and the step after
    /// which they would be.
    case unknownStates([String], step: UInt64)
    /// The file became shorter after it was opened; where one was asked for, the line.
    case shrunk(line: Int?)
    /// The file is not what it was when it was opened.
    case changed
    /// A value of the app could not be encoded: the step, the store (nil: the action), and why.
    case cannotEncode(step: UInt64, store: String?, why: String)
    /// What the recorder was told to do cannot be done: why.
    case unusableOptions(why: String)
    /// A recorder left steps out without saying so.
    case notConsecutive(found: UInt64, expected: UInt64)
    /// The writer was closed before.
    case closed
  }

  /// The log, or the file beside it, as it was named.
  public let path: String
  /// What went wrong.
  public let reason: Reason

  /// Makes an error.
  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension LogError {
  /// What happened, where, what was expected and what to do next.
  public var message: String {
    switch reason {
    case .system(let operation, let code):
      "\(path): cannot \(operation): \(systemMessage(code))"
    case .notAFile:
      "\(path): this is a folder, a pipe or a device; a log has to be a regular file"
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
      \(beginning.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")); \
      update the program to see the actions, or move the file away
      """
    case .locked:
      "\(path): another recorder is writing this log; close it first, or record to another file"
    case .exists:
      "\(path): a log already exists here; move it away, or ask to replace it"
    case .damaged(let finding):
      "\(path): \(finding)"
    case .noSuchStep(let number, let range):
      """
      \(path): there is no step \(number); the log has \
      \(range.map { "steps \($0.lowerBound) to \($0.upperBound)" } ?? "no steps")
      """
    case .unknownStates(let stores, let step):
      """
      \(path): step \(step): the state of \(stores.joined(separator: ", ")) is unknown: earlier \
      lines are damaged or missing; it is known again from the next step that writes it whole
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
    case .notConsecutive(let found, let expected):
      """
      \(path): got step \(found), expected step \(expected); skip each step that is not recorded \
      explicitly
      """
    case .closed:
      "\(path): the log is closed; open a new log to continue"
    }
  }

  /// The line that the error is about, counted from 1.
  public var line: Int? {
    switch reason {
    case .damaged(let finding): finding.line
    case .shrunk(let line): line
    case .empty, .notALog, .newerVersion: 1
    default: nil
    }
  }

  /// The number of the step that the error is about.
  public var step: UInt64? {
    switch reason {
    case .damaged(let finding): finding.step
    case .noSuchStep(let number, _): number
    case .unknownStates(_, let step): step
    case .cannotEncode(let step, _, _): step
    case .notConsecutive(let found, _): found
    default: nil
    }
  }

  /// The offset in the line, counted from 0.
  public var byte: Int? {
    switch reason {
    case .damaged(let finding): finding.byte
    case .notALog(_, let byte): byte
    default: nil
    }
  }

  /// The message.
  public var description: String { message }
}
