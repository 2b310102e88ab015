import FluxHost
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSubcommands
import FluxSystem

/// The log of a running app as a file of this machine: the app's own file, or a copy that grows with it.
///
/// The copy is in a temporary folder, which is removed with this object, or where the user keeps it.
final class AttachedLog: Sendable {
  /// The path of the log, or of its newest segment.
  let path: String
  private let app: LiveConnection
  private let copy: LogCopy?
  private let folder: TemporaryLog?
  /// The container of the app, where it runs again.
  private let container: String?
  /// The reason why the app does not announce its steps yet; nil if it does, or never will.
  private let silence: LiveFailure?

  /// Finds the log of an app, or copies it.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - file: The file in which to keep a copy, also if the app's own file can be opened; nil to keep none.
  ///   - container: The container in which the app was found; nil for none.
  /// - Throws: ``CommandError`` if the app records no log, or if it cannot be copied.
  init(of app: LiveConnection, keeping file: String? = nil, container: String? = nil)
    throws(CommandError)
  {
    (self.app, self.container) = (app, container)
    // A path on another machine is no reason to refuse an app that sends its log.
    let log: String
    if app.sendsLog, let path = app.welcome.log { log = path } else { log = try app.log() }
    var silence: LiveFailure?
    do throws(LiveFailure) {
      if app.announcesSteps { try app.watch() }
    } catch .timedOut(let seconds) {
      // The log of an app in a long step can be read all the same.
      silence = .timedOut(seconds: seconds)
    } catch {
      throw CommandError(error)
    }
    self.silence = silence
    guard app.sendsLog, file != nil || !Self.isLog(of: app, at: log) else {
      guard file == nil else {
        throw CommandError(
          .usage, "\(app.name) does not send its log, so --keep has nothing to keep",
          hint: "the app's host allows 'log' unless it was told otherwise")
      }
      (path, copy, folder) = (log, nil, nil)
      return
    }
    let folder = file == nil ? try TemporaryLog("log.jsonl") : nil
    do {
      let copy = try LogCopy(at: file ?? folder?.path ?? log, of: log)
      guard try app.follower.follow(into: copy), let path = copy.newestPath else {
        throw CommandError(
          .file, "\(copy.path) is the copy of another log", hint: "name another file after --keep")
      }
      (self.path, self.copy, self.folder) = (path, copy, folder)
      app.readLog(at: path, keptBy: folder)
    } catch {
      throw CommandError(copying: error)
    }
  }

  /// Returns `true` if the file at a path of the app is its log, as seen from here.
  private static func isLog(of app: LiveConnection, at path: String) -> Bool {
    do throws(LogError) {
      let header = try LogFile.header(of: LogPlace(path))
      return app.welcome.recording == nil || header.log == app.welcome.recording
    } catch {
      return false
    }
  }

  /// `true` if the log is a copy, which no other recording replaces.
  var isCopy: Bool { copy != nil }

  /// The remarks about an app that does not answer, and about the steps that the copy cannot have.
  var remarks: [String] {
    let deleted = (copy?.deleted ?? []).map { steps in
      "the app had deleted steps \(steps.lowerBound) to \(steps.upperBound) before it could send them"
    }
    return [silence?.description].compactMap(\.self) + deleted
  }

  /// The reason why the copy does not grow any more; nil if it does, or if there is none.
  var failure: String? { copy?.failure?.description }

  var lastAnnounced: UInt64? { app.announcedSteps(after: nil).last?.number }

  // MARK: The end of the app

  /// The log as it is now.
  private var log: LogFile {
    get throws(LogError) {
      let log = try LogFile.open(copy?.newestPath ?? path)
      try log.waitForIndex()
      return log
    }
  }

  /// Returns what to tell of an app that has ended, in lines.
  func ending() throws(LogError) -> [String] {
    let log = try log
    guard log.end == nil else { return ["the app has ended; its log stays open"] }
    let last = log.count > 0 ? log.number(at: log.count - 1) : nil
    let inFlight = try log.inFlight()
    let missing = missingSteps(after: last, inFlight)
    guard copy != nil else {
      let crash = Self.unfinishedStep(inFlight).map { [$0] } ?? []
      return ["the app has ended without closing its log, which stays open"] + crash + missing
    }
    let place = last.map { "after step \($0)" } ?? "before its first step"
    let advice = canReturn ? "; relaunch to see the action" : ""
    return ["the app has ended without closing its log: crashed \(place)\(advice)"] + missing
  }

  /// The steps that are named at most.
  private static let namedCount = 10

  /// Returns a line about the steps that the app has announced and that are neither in the log nor in flight, if there are
  /// any.
  private func missingSteps(after last: UInt64?, _ inFlight: [InFlightAction]) -> [String] {
    let kept = Set(inFlight.map(\.number))
    let missing = app.announcedSteps(after: last).filter { !kept.contains($0.number) }
    guard !missing.isEmpty else { return [] }
    var names = missing.prefix(Self.namedCount).map { "\($0.number) \($0.type)" }
    if missing.count > names.count { names.append("and \(missing.count - names.count) more") }
    let steps = missing.count == 1 ? "a step" : "\(missing.count) steps"
    return ["the app had announced \(steps) that its log lacks: \(names.joined(separator: ", "))"]
  }

  /// `true` if this session sees the app when it runs again.
  private var canReturn: Bool {
    app.transport == .unix || app.inspector?.isClosedToOthers == false
  }

  /// Completes the copy if the app runs again: with the rest of its log, and the actions in flight.
  ///
  /// - Returns: What to tell; nil if the app does not run.
  func relaunch() throws -> String? {
    guard let copy, let name = app.welcome.app.name else { return nil }
    guard canReturn, app.ending != nil else { return nil }
    let apps =
      try app.inspector.map { $0.waiting.map { [$0] } ?? [] }
      ?? RunningApps(in: try LiveFolder.searched(container)).matching(name)
    let next = apps.first {
      $0.welcome.app.name == name && $0.welcome.process != app.welcome.process && $0.sendsLog
    }
    guard let next else { return nil }
    let again = "\(next.name) runs again as process \(next.id)"
    guard let actions = try next.follower.conclude(copy) else {
      return "\(again), and no longer has the log of this session"
    }
    return "\(again); \(Self.unfinishedStep(actions) ?? "no action was in flight when it ended")"
  }

  /// Returns the step that was running when the app ended, in words; nil if there was none.
  private static func unfinishedStep(_ actions: [InFlightAction]) -> String? {
    actions.last { !$0.isCommitted }.map { action in
      let type = action.type.map { ", \($0)" } ?? ""
      return "it had ended in step \(action.number)\(type): 'info' shows the action"
    }
  }

  /// Keeps the copy if the app has ended without closing its log.
  ///
  /// - Returns: The place of the copy, to tell; nil if it is not kept, or where the user wants it.
  func close() throws(LogError) -> String? {
    guard let folder, app.ending != nil, try log.end == nil else { return nil }
    folder.keep()
    return "the app ended without closing its log; the copy is kept: \(path)"
  }
}

extension CommandError {
  /// Converts the error of a copy.
  fileprivate init(copying error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as LiveFailure: self.init(error)
    case let error as LogError where error.reason == .exists:
      self.init(
        .file, "\(error.path) exists, and is not a copy of this app's log",
        hint: "name another file after --keep")
    case let error as LogError where error.reason == .locked:
      self.init(
        .file, "\(error.path) is being written, by the app itself or by another session",
        hint: "name another file after --keep")
    default: self.init(.file, "cannot copy the app's log: \(error)")
    }
  }
}
