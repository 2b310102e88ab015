import FluxCommands
import FluxInspector
import FluxReplay
import FluxSystem
import Foundation

/// A command that runs on a separate thread while the page asks for its output.
final class PageJob: Sendable {
  /// The time after which a command that nobody asks for is cancelled.
  private static let patience = Duration.seconds(5)
  private static let largestOutput = 4_000_000

  private struct State {
    /// The lines that were not sent yet: spans of a text and its role, which plain text lacks.
    var lines: [[[String]]] = []
    /// The bytes of all lines.
    var size = 0
    var isDone = false
    var isCancelled = false
    var asked = ContinuousClock.now
    var row = 0
    /// The fork that the row is one of; nil on the recording.
    var fork: Int?
    var forks: [PageFork] = []
    var isVerified = false
    var notes: [String] = []
    var error: CommandError?
    var progress: FluxInspector.Progress?
  }

  let number: Int
  let line: String
  private let console: PageConsole
  private let log: PageLog
  private let finish: @Sendable (PageConsole) -> Void
  private let state = Monitor(State())

  init(
    _ number: Int, _ line: String, _ console: PageConsole, _ log: PageLog,
    finish: @escaping @Sendable (PageConsole) -> Void
  ) {
    (self.number, self.line, self.console, self.log) = (number, line, console, log)
    self.finish = finish
  }

  var isDone: Bool { state.withLock { $0.isDone } }

  /// `true` if nobody has asked for a while.
  var isAbandoned: Bool { state.withLock { ContinuousClock.now - $0.asked > Self.patience } }

  func cancel() { state.withLock { $0.isCancelled = true } }

  /// Starts the command.
  ///
  /// - Throws: `CommandError` if the system has no thread for it.
  func start() throws(CommandError) {
    do throws(SystemError) {
      // A value may nest 512 levels deep, and a filter as well.
      try startThread(stackSize: 8 << 20) { [self] in run() }
    } catch {
      throw CommandError(.file, error.text(about: "the command"))
    }
  }

  /// Waits for the end of the command, but not for long.
  func wait(until deadline: ContinuousClock.Instant) {
    state.withLock { $0.asked = .now }
    while !isDone, ContinuousClock.now < deadline { usleep(1000) }
  }

  // MARK: Running

  private var isInterrupted: Bool {
    state.withLock { state in
      state.isCancelled || state.size > Self.largestOutput
        || ContinuousClock.now - state.asked > Self.patience
    }
  }

  private func run() {
    var console = console
    console.session.services.isInterrupted = { [weak self] in self?.isInterrupted ?? true }
    console.session.services.progress = { [weak self] progress in
      self?.state.withLock { $0.progress = progress }
    }
    var notes: [String] = []
    var error: CommandError?
    let output = console.commands.run(line)
    if let output {
      do {
        let written = try output.writeLines { [state] lines in
          state.withLock { state in
            for line in lines {
              state.size += line.text.utf8.count + 1
              state.lines.append(
                line.spans.map { $0.role == .plain ? [$0.text] : [$0.text, $0.role.rawValue] })
            }
          }
        }
        (notes, error) = (written.notes, written.error)
      } catch let failure {
        error = CommandError(failure, in: console.session)
      }
    }
    let isVerified = noteVerification(output?.result, console.session)
    let rows = log.rows()
    console.differences.update(console.session)
    let forks = PageFork.all(of: console, in: rows)
    let (fork, row) = PageFork.row(of: console.session, in: rows)
    finish(console)
    state.withLock { [notes, error] state in
      (state.notes, state.error) = (notes, error)
      (state.row, state.fork, state.forks, state.isVerified) = (row, fork, forks, isVerified)
      state.isDone = true
    }
  }

  /// Shows the divergences of a `verify` on the page; returns `true` if that was the command.
  private func noteVerification(_ result: (any CommandResult)?, _ session: Session) -> Bool {
    guard let result = result as? VerificationResult, let app = session.services.app else {
      return false
    }
    log.note(result.report, of: app.limited(to: session.replayTimeout))
    return true
  }

  // MARK: Answering

  /// The state of the command, with the lines that were not sent yet.
  var answer: Answer {
    let state = state.withLock { state in
      defer { state.lines = [] }
      return state
    }
    return Answer { [number, line] members in
      try members.set("job", number)
      try members.set("done", state.isDone)
      try members.set("line", line)
      try members.set("lines", state.lines)
      guard state.isDone else {
        return try members.set(
          "progress",
          ifPresent: state.progress.map { progress in
            Answer { members in
              try members.set("activity", progress.activity)
              try members.set("done", progress.done)
              try members.set("total", progress.total)
            }
          })
      }
      try members.set("ok", state.error == nil)
      try members.set("row", state.row)
      try members.set("fork", ifPresent: state.fork)
      try members.set("forks", ifPresent: state.forks.isEmpty ? nil : state.forks)
      try members.set("verified", ifTrue: state.isVerified)
      try members.set("notes", state.notes)
      try members.set("error", ifPresent: state.error.map(CommandError.Members.init))
    }
  }
}
