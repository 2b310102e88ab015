import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

// A log that grows, and the thread that waits for its next steps.
extension DebugSession {
  /// Takes in the new lines of a log that is followed, and tells the client of breakpoints that they verify.
  func follow() {
    guard let console else { return }
    let log = console.session.timeline.log
    tellEnding()
    do {
      guard try console.session.timeline.refresh() else {
        let live = console.session.services.live
        isFollowing = log.end == nil || live != nil && live?.ending == nil
        if !isGrowing { stopWaiting(atEnd: true) }
        if log.end == nil { lookAtPath(of: log) }
        return
      }
      synchronize()
      try verifyBreakpoints()
      guard let waiting else { return }
      self.waiting = nil
      inbox.resume(waiting)
    } catch {
      endFollowing("\(error)")
    }
  }

  /// Tells the client when the running app has ended, and when it has connected again.
  private func tellEnding() {
    guard let live = console?.session.services.live, hasAppEnded != (live.ending != nil) else {
      return
    }
    hasAppEnded.toggle()
    connection.print(
      hasAppEnded ? "the app has ended; its log stays open" : "the app has connected again")
  }

  /// Ends following if another log is where this one was, and tells once that the file was removed.
  private func lookAtPath(of log: LogFile) {
    if let other = log.replacement() {
      endFollowing("another \(other) is at \(log.path) now; start again to follow that one")
    } else if !isLogRemoved, log.isRemoved {
      isLogRemoved = true
      connection.print(
        "\(log.path) was removed; what it had can be read here until the session ends", .stderr)
    }
  }

  private func endFollowing(_ reason: String) {
    isFollowing = false
    connection.print("the log is no longer followed: \(reason)", .stderr)
    stopWaiting(atEnd: true)
  }

  /// `true` if the log can have more steps than are known.
  var isGrowing: Bool {
    guard isFollowing, let session = console?.session else { return false }
    return session.timeline.log.end == nil && session.services.live?.ending == nil
  }

  /// Has the recording's thread go on with the next steps of the log, after a request that has come to the newest.
  func wait(since request: Request) {
    waiting = Request(
      seq: request.seq, command: MoveCommand.continue.rawValue,
      arguments: ["threadId": JSON(integerLiteral: Int64(Place.recordingThread))])
  }

  /// Ends the wait for new steps, if there is one, and tells the client where the thread stands.
  func stopWaiting(atEnd: Bool = false) {
    guard waiting != nil else { return }
    let hasApp = console?.session.services.live != nil
    let ending = hasApp ? "the app has ended" : "the end of the log"
    stop(
      StoppedBody(
        reason: atEnd ? "end" : "pause", description: atEnd ? ending : "at the newest step",
        threadId: Place.recordingThread))
  }
}
