package import FluxJSON
public import FluxLog
import FluxReplay
import FluxSystem

/// The reason why a command failed.
public struct CommandError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of failure, as programs read them.
  public enum Code: String, Sendable, CaseIterable {
    /// The command line is wrong: the command, an option, an argument, a path, an expression.
    case usage
    /// A path that can select one value selects none.
    case noPath = "no-path"
    /// There is no such store.
    case noStore = "no-store"
    /// The log has no such position.
    case badPosition = "bad-position"
    /// There is no such stop point, display, bookmark, alias, setting, fork or earlier position.
    case notFound = "not-found"
    /// A requested line is damaged.
    case damaged
    /// A requested state is unknown: lines before it are damaged or missing.
    case unknownState = "unknown-state"
    /// The log can no longer be read.
    case unreadable
    /// A query takes more work than an evaluation may.
    case tooMuchWork = "too-much-work"
    /// A file could not be read or written.
    case file
    /// The file to write exists, and may not be replaced.
    case exists
    /// A shell command could not be run, or failed.
    case shell
    /// There is no app to dispatch actions to.
    case noApp = "no-app"
    /// The app could not be run: it crashed, hung, sent invalid answers, or does not fit the log.
    case replayFailed = "replay-failed"
    /// The session is attached to no running app.
    case notAttached = "not-attached"
    /// The running app refuses a request, does not answer, or has ended.
    case appFailed = "app-failed"
    /// The app cannot decode the action.
    case badAction = "bad-action"
    /// The command was interrupted.
    case cancelled
  }

  /// The kind of failure.
  public let code: Code
  /// The problem and its place, without a full stop, on one line or on several.
  public let message: String
  /// An explanation of the problem, and the next thing to do, if they are known.
  public let note: Note?
  /// The exit code of a batch that ends with this error.
  public let exitCode: Int32

  /// Makes an error with the exit code of its kind: 2 for `usage`, 4 for `damaged` and `unreadable`, 5 for
  /// `noApp` and `replayFailed`, 130 for `cancelled`, and 3 for all others.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.init(code, message, note: hint.map { Note($0) })
  }

  /// Makes an error that says what to do next.
  package init(_ code: Code, _ message: String, next: NextStep, exitCode: Int32? = nil) {
    self.init(code, message, note: Note("", next: next), exitCode: exitCode)
  }

  package init(_ code: Code, _ message: String, note: Note?, exitCode: Int32? = nil) {
    self.init(code, lines: message.onOneLine, note: note, exitCode: exitCode)
  }

  /// Makes an error whose message has several lines; no line is a part of a name or a value.
  package init(_ code: Code, lines message: String, note: Note? = nil, exitCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.note = note.map { Note($0.text.onOneLine, next: $0.next) }
    self.exitCode = exitCode ?? code.exitCode
  }

  /// The same error of a line of a file.
  package func placed(in file: String, line: Int) -> CommandError {
    CommandError(
      code, lines: "\(file.printable), line \(line): \(message)", note: note, exitCode: exitCode)
  }

  /// The message, and the explanation on a separate line.
  public var description: String {
    note.map { $0.text.isEmpty ? message : "\(message)\n\($0.text)" } ?? message
  }
}

extension String {
  /// The text with escapes for line ends, so that no name in it can begin a line.
  fileprivate var onOneLine: String { replacing(scalars: ["\n": "\\n"]) }
}

extension CommandError.Code {
  fileprivate var exitCode: Int32 {
    switch self {
    case .usage: 2
    case .damaged, .unreadable: 4
    case .noApp, .replayFailed: 5
    case .cancelled: 130
    default: 3
    }
  }
}

extension Spelling {
  /// The end of a message about an unknown name: `; did you mean todos?`, or nothing.
  package static func question(_ name: String, among names: [String], prefix: String = "") -> String
  {
    nearest(to: name, among: names).map { "; did you mean \(prefix)\($0)?" } ?? ""
  }
}

extension CommandError {
  package static let cancelled = CommandError(.cancelled, "interrupted")

  /// The error of a file that exists and must not be overwritten.
  package static func exists(_ path: String) -> CommandError {
    CommandError(.exists, "\(path) already exists", next: .overwrite)
  }

  /// The error of `-` as a file to write, which other programs take for standard output; nil for any other path.
  package static func notFile(_ path: String) -> CommandError? {
    guard path == "-" else { return nil }
    return CommandError(
      .usage, "expected the name of a file, found '-'; './-' is a file with that name")
  }

  /// Converts the error of opening a log.
  public init(opening error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as LogError: self.init(.unreadable, error.message)
    default: self.init(.file, "\(error)")
    }
  }

  /// Converts an error of the log or of the replay; `hasApp` is `true` if the session can replay.
  public init(_ error: any Error, in timeline: Timeline, hasApp: Bool = false) {
    switch error {
    case let error as CommandError: self = error
    case let error as LogError: self.init(log: error, in: timeline, hasApp)
    case let error as QueryError: self.init(.tooMuchWork, error)
    case let failure as ReplayFailure: self.init(replay: failure)
    case let error as RedispatchError: self.init(.usage, error.description)
    default: self.init(.unreadable, "\(error)")
    }
  }

  /// Converts an error of a path or an expression.
  package init(_ code: Code, _ error: QueryError) {
    let safe = QueryError(
      query: error.query, column: error.column, reason: error.reason.onOneLine,
      hint: error.hint?.onOneLine)
    self.init(code, lines: safe.message)
  }

  private init(replay failure: ReplayFailure) {
    switch failure.reason {
    case .cancelled: self = .cancelled
    case .undecodable: self.init(.badAction, lines: failure.description)
    default: self.init(.replayFailed, lines: failure.description)
    }
  }

  /// The error of states that the recorder left out, or that the file that was imported did not have; nil if damage or a gap
  /// hides one of them.
  private static func unwritten(
    _ stores: [String], at position: Int, _ number: UInt64, in timeline: Timeline, _ hasApp: Bool
  ) -> CommandError? {
    for store in stores where !timeline.isUnwritten(store, at: position) { return nil }
    let first = stores.compactMap { timeline.importHiding($0, at: position) }.min()
    let places = timeline.nearestKnownStates(of: stores, around: position)
    let next: NextStep =
      if hasApp, let places {
        .redispatch(places: places)
      } else {
        .goToKnownState(isWrittenWhole: false, places: places)
      }
    return CommandError(
      .unknownState,
      first.map { first in
        "\(statesAre(stores)) unknown at step \(number): the file that was imported had no states from step "
          + "\(timeline.stepNumber(at: first)) on"
      } ?? "\(statesAre(stores)) not written at step \(number): the recorder was behind",
      next: next, exitCode: 3)
  }

  /// The beginning of a sentence about states: `the state of a is`, `the states of a, b are`.
  private static func statesAre(_ stores: [String]) -> String {
    let names = stores.joined(separator: ", ")
    return stores.count == 1 ? "the state of \(names) is" : "the states of \(names) are"
  }

  /// The patch of the step at a position that does not apply, and hides one of the stores; nil if there is none, or if its
  /// line cannot be read.
  private static func patchFailure(
    hiding stores: [String], at position: Int, in timeline: Timeline
  ) -> Finding? {
    guard position != Timeline.start else { return nil }
    do {
      return try timeline.changeFindings(at: position).first { finding in
        guard case .patchDoesNotApply(let store, _) = finding.problem else { return false }
        return stores.contains(exactly: store)
      }
    } catch {
      return nil
    }
  }

  private init(log error: LogError, in timeline: Timeline, _ hasApp: Bool) {
    switch error.reason {
    case .damaged:
      self.init(.damaged, error.message, next: .goPastDamage)
    case .noSuchStep:
      self.init(.badPosition, error.message)
    case .unknownStates(let stores, let number):
      let hidden = timeline.log.position(atOrBefore: number) ?? Timeline.start
      if let error = Self.unwritten(stores, at: hidden, number, in: timeline, hasApp) {
        self = error
        return
      }
      // A patch that does not apply hides a store as well, and leaves no break.
      let isMissing = stores.contains {
        timeline.log.breakHiding($0, at: hidden)?.endsWithWholeModel == true
      }
      let failure = isMissing ? nil : Self.patchFailure(hiding: stores, at: hidden, in: timeline)
      let cause =
        failure?.description ?? "lines before it are \(isMissing ? "missing" : "damaged")"
      self.init(
        .unknownState, "\(Self.statesAre(stores)) unknown at step \(number): \(cause)",
        next: .goToKnownState(isWrittenWhole: true, places: nil),
        exitCode: isMissing ? 3 : 4)
    case .exists, .locked:
      self.init(.file, error.message)
    default:
      self.init(.unreadable, error.message)
    }
  }
}
