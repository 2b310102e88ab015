import FluxLog
import FluxReplay
import FluxSubcommands
import FluxSystem
import FluxTerminal
import Foundation
import LineEditor

/// Watches a log while the user types: reports when its index is complete, its findings, the new steps of a log
/// that is followed, and the end of the app that records it.
final class LogWatcher: Sendable {
  /// The seconds between two looks for new steps.
  private static let interval = 0.2
  /// The number of looks between two questions to an app: whether it responds, or runs again; and between two looks for
  /// another file at the log's path.
  private static let questionInterval = 10

  private struct State {
    var isStopped = false
    var isIndexed = false
    /// `true` if the end of the app was told.
    var hasEnded = false
    /// `true` if nothing of the app is waited for any more.
    var isSettled = false
    /// `true` if it was told that the app does not respond.
    var isSilent = false
    /// `true` if it was told that another file is at the path.
    var isReplaced = false
    /// `true` if it was told that the file was removed.
    var isRemoved = false
    /// The last step that the app had announced at the look before.
    var announced: UInt64?
    /// `true` if it was told that the log lacks such a step.
    var isIncomplete = false
    /// The number of remarks about the copy that were told.
    var remarkCount = 0
    /// The app of which was told that it waits for the end of the session.
    var successor: String?
    /// The state of the app that the prompt says.
    var presentation: LivePresentation?
  }

  private let log: LogFile
  private let notices: NoticeBoard
  private let follows: Bool
  private let live: (any LiveApp)?
  private let attached: AttachedLog?
  private let state = Monitor(State())

  init(
    _ log: LogFile, _ notices: NoticeBoard, follows: Bool, live: (any LiveApp)? = nil,
    attached: AttachedLog? = nil
  ) {
    (self.live, self.attached) = (live, attached)
    let told = attached?.remarks.count ?? 0
    state.withLock { $0.remarkCount = told }
    self.log = log
    self.notices = notices
    self.follows = follows
    do throws(SystemError) {
      try startThread { [self] in watch() }
    } catch {
      tell("error: \(error.text(about: "the findings and the new steps of the log"))")
    }
  }

  /// `true` if the log may have more steps than are known.
  var isGrowing: Bool { state.withLock { !$0.isIndexed } || follows && log.end == nil }

  /// Ends the watch, and indexing if it is not complete.
  func stop() {
    state.withLock { $0.isStopped = true }
    log.cancelIndexing()
  }

  private func watch() {
    do {
      let remarks = try TerminalSession.remarks(on: log)
      state.withLock { $0.isIndexed = true }
      for (kind, message) in remarks { tell("\(kind): \(message)") }
      notices.refreshPrompt()
      if follows { try follow() }
    } catch {
      guard !state.withLock({ $0.isStopped }) else { return }
      tell("error: \(error.message)")
    }
  }

  private func follow() throws(LogError) {
    var looks = 0
    while !state.withLock({ $0.isStopped }), log.end == nil {
      try look(&looks)
      let count = log.count
      guard try log.refresh() else { continue }
      // There are fewer than before if the last line had no line end, and continued as something else.
      for position in count..<max(count, log.count) { tell(try line(position)) }
      notices.refreshPrompt()
    }
    try tellEnd()
    guard let end = log.end else { return }
    tell(
      end.isContinued
        ? "the recording continues in the next segment"
        : "the log was closed\(end.isComplete ? "" : ", but its last steps may be missing")")
    // The app may be started again, and then records another log at the same path.
    while !state.withLock({ $0.isStopped || live == nil && $0.isReplaced }) {
      try look(&looks)
    }
  }

  /// Waits, and looks at the app; every few times it asks the app, too.
  private func look(_ looks: inout Int) throws(LogError) {
    Thread.sleep(forTimeInterval: Self.interval)
    try tellEnd()
    looks += 1
    guard looks % Self.questionInterval == 0 else { return }
    askApp()
    tellMissingStep()
    tellReplacement()
  }

  /// Tells once that the log does not get a step that the app had announced at the look before.
  ///
  /// An app whose disk is full runs on, and its log does not. A copy of a log may only be slow.
  private func tellMissingStep() {
    guard let live, live.ending == nil, let attached, !attached.isCopy else { return }
    let (announced, last) = (attached.lastAnnounced, log.number(at: log.count - 1) ?? 0)
    let missing = state.withLock { state -> UInt64? in
      defer { state.announced = announced }
      guard !state.isIncomplete, let step = state.announced, step > last else { return nil }
      state.isIncomplete = true
      return step
    }
    guard let missing else { return }
    tell(
      "the app has run step \(missing), and its log ends with step \(last): recording may have failed"
    )
  }

  /// Tells once that another log is where this one was, and once that it was removed, if there is no other yet.
  ///
  /// The other is that of an app which was started again, or a newer copy of this one.
  private func tellReplacement() {
    let told = state.withLock { $0 }
    guard !told.isReplaced, attached?.isCopy != true else { return }
    guard let other = log.replacement() else {
      guard !told.isRemoved, log.isRemoved else { return }
      state.withLock { $0.isRemoved = true }
      return tell("\(log.path) was removed; what it had can be read here until the session ends")
    }
    state.withLock { $0.isReplaced = true }
    tell("another \(other) is at \(log.path) now; open it again to follow that one")
  }

  private func tellEnd() throws(LogError) {
    let (ended, successor) = (live?.ending != nil, live?.successor)
    let presentation = live?.presentation
    let known = state.withLock { state in
      defer {
        (state.hasEnded, state.successor) = (ended, successor)
        state.presentation = presentation
      }
      return state
    }
    if ended != known.hasEnded {
      let lines = try ended ? attached?.ending() : ["the app has connected again"]
      for line in lines ?? ["the app has ended; its log stays open"] { tell(line) }
    }
    if let successor, successor != known.successor {
      // Its old log comes before its new session.
      if ended, !known.isSettled { tellRelaunch() }
      tell("\(successor) has connected; 'quit' opens a session with it")
    }
    guard
      ended != known.hasEnded || successor != known.successor || presentation != known.presentation
    else { return }
    notices.refreshPrompt()
  }

  /// Asks an app that runs whether it responds, and looks for one that has ended.
  private func askApp() {
    guard let live, !state.withLock({ $0.isSettled }) else { return }
    let remarks = attached?.remarks ?? []
    for remark in remarks.dropFirst(state.withLock({ $0.remarkCount })) { tell("note: \(remark)") }
    state.withLock { $0.remarkCount = remarks.count }
    if live.ending != nil { return tellRelaunch() }
    if let failure = attached?.failure {
      state.withLock { $0.isSettled = true }
      return tell("error: \(failure)")
    }
    let wasSilent = state.withLock { $0.isSilent }
    let isSilent = !live.responds
    guard isSilent != wasSilent, live.ending == nil else { return }
    state.withLock { $0.isSilent = isSilent }
    tell(
      isSilent
        ? "the app is not responding; a breakpoint or the system may have stopped it"
        : "the app responds again")
  }

  private func tellRelaunch() {
    do {
      guard let message = try attached?.relaunch() else { return }
      state.withLock { $0.isSettled = true }
      tell(message)
    } catch LiveFailure.gone {
      // It has ended again; the next launch has the log, too.
    } catch {
      state.withLock { $0.isSettled = true }
      tell("error: \(error)")
    }
  }

  private func line(_ position: Int) throws(LogError) -> String {
    let step = try log.step(at: position)
    let rejection = step.rejection.map { ", rejected: \($0.message)" } ?? ""
    return "\(step.number) \(step.type) +\(step.time)s\(rejection)"
  }

  private func tell(_ text: String) {
    notices.printAbove(text.printable)
  }
}
