import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The growth of a log, and what a running app does, as lines of JSON for one client.
///
/// The server asks again and again, and waits in between: a value without a clock and without a socket.
public struct PageEvents: Sendable {
  private let log: PageLog
  private let session: PageSession
  /// The running app that records the log; nil if there is none.
  private let app: (any LiveApp)?
  private let mustMakeRoom: @Sendable () -> Bool
  private var rowCount: Int
  /// The bytes of an index that grows, and the condition of the log, at the last look; nil before the first one.
  private var known: (byteCount: Int, isComplete: Bool, isClosed: Bool)?
  private var replacements = 0
  /// The condition of the app that the client knows; nil before the first look.
  private var condition: AppCondition?
  private var isOver = false

  init(
    _ log: PageLog, since rowCount: Int, _ session: PageSession, app: (any LiveApp)?,
    mustMakeRoom: @escaping @Sendable () -> Bool
  ) {
    (self.log, self.rowCount, self.session, self.app) = (log, rowCount, session, app)
    self.mustMakeRoom = mustMakeRoom
    replacements = log.replacements(since: 0).count
  }

  /// The line that a server sends when nothing has happened for five seconds.
  public static let alive = Array("{\"event\":\"alive\"}\n".utf8)

  /// Reads what was appended to the log, and looks at the running app.
  ///
  /// - Returns: The lines to send, which are empty if nothing changed; nil after the last event, or to make room for newer
  ///   clients.
  public mutating func poll() -> [UInt8]? {
    guard !isOver, !mustMakeRoom() else { return nil }
    session.touch()
    do {
      try checkPlace()
      if log.log.isIndexComplete, log.log.end == nil || known == nil {
        try log.timeline.refresh()
      }
      return try (growth() ?? []) + (change() ?? [])
    } catch {
      isOver = true
      log.noteGone()
      let message = CommandError(error, in: log.timeline).message
      return Self.line { [canReload = !log.isLive] members in
        try members.set("event", "gone")
        try members.set("message", message)
        try members.set("reload", canReload)
      }
    }
  }

  /// Ends with an error if another log is at the path.
  private func checkPlace() throws {
    guard let other = log.log.replacement() else { return }
    let remedy = log.isLive ? "start flux-inspect serve again" : "reload the page"
    throw CommandError(
      .unreadable, "another \(other) is at \(log.log.path) now; \(remedy) to see it")
  }

  private mutating func growth() throws -> [UInt8]? {
    let rows = log.rows()
    let (count, firstRow) = log.replacements(since: replacements)
    let progress = log.log.progress
    let (isComplete, isClosed) = (log.log.isIndexComplete, log.log.end != nil)
    let now = (isComplete ? 0 : progress.done, isComplete, isClosed)
    let isSame = known.map { $0 == now } ?? isComplete
    defer { (rowCount, known, replacements) = (rows.count, now, count) }
    guard rows.count != rowCount || firstRow != nil || !isSame else { return nil }
    let last = try log.end(rows.stepCount - 1, rows)
    return Self.line { members in
      try members.set("event", "rows")
      try members.set("rows", rows.count)
      try members.set("steps", rows.stepCount)
      try members.set("last", ifPresent: last)
      try members.set("bytes", progress.total)
      try members.set("indexed", progress.done)
      try members.set("complete", isComplete)
      try members.set("closed", isClosed)
      try members.set("from", ifPresent: firstRow)
    }
  }

  /// Tells what has happened to the running app, by this client or another.
  private mutating func change() -> [UInt8]? {
    guard let app else { return nil }
    let now = AppCondition(isPaused: app.presentation.isPaused, hasEnded: app.ending != nil)
    guard now != condition else { return nil }
    condition = now
    return Self.line { members in
      try members.set("event", "app")
      try members.set("paused", now.isPaused)
      try members.set("ended", now.hasEnded)
    }
  }

  private static func line(_ write: @escaping (inout AnswerMembers) throws -> Void) -> [UInt8] {
    do {
      return try LogEncoder(order: .declaration).bytes(of: Answer(write)) + [0x0A]
    } catch {
      return Array("{\"event\":\"gone\",\"message\":\"the log cannot be described\"}\n".utf8)
    }
  }
}

/// The condition of a running app.
private struct AppCondition: Equatable {
  let isPaused: Bool
  let hasEnded: Bool
}
