import FluxExchange
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation

/// The logs below the roots of a server, by the names that clients use, and those that are open.
final class LogLibrary: Sendable {
  /// A log that can be opened.
  struct Entry: Sendable {
    let name: String
    let path: String
    /// The time of the last change of the file, in nanoseconds.
    let modified: Int64
  }

  private struct State {
    /// The open logs, those used last at the end.
    var open: [OpenLog] = []
    /// The verdicts of the last verifications, by the paths of the logs.
    var verdicts: [BytewiseName: String] = [:]
    var live: (any LiveApp)?
    /// The test that was written last, and the calls that read it in parts.
    var test: (calls: PageCursor, text: TestText)?
    /// The call that the running app works for, which can stop a request.
    var liveCall: ToolCall?
  }

  /// The number of logs that stay open: each keeps its index in memory.
  private static let largestOpenCount = 8

  let world: AgentWorld
  private let state = Monitor(State())

  init(_ world: AgentWorld) { self.world = world }

  // MARK: Listing

  /// The logs, the newest first: those in a folder below a root, or all if that is nil.
  ///
  /// - Throws: ``ToolFailure`` if there is no such folder, and errors of folders that cannot be listed.
  func entries(in folder: String? = nil, for call: ToolCall) throws -> [Entry] {
    var entries: [Entry] = []
    var names: Set<BytewiseName> = []
    func add(_ name: String, _ path: String) throws {
      guard let status = try FileStatus(path: path), status.isRegular else { return }
      let shown = names.insert(BytewiseName(name)).inserted ? name : path
      entries.append(Entry(name: shown, path: path, modified: status.modified))
    }
    for root in world.roots + [liveLog(call)].compactMap(\.self) {
      guard try FileStatus(path: root)?.isFolder == true else {
        try add(URL(filePath: root).lastPathComponent, root)
        continue
      }
      let base = root.hasSuffix("/") ? root : root + "/"
      let inside = try RealPath.of(root)
      for name in try LogFolder.logs(in: root) {
        guard try leads(base + name, into: inside) else { continue }
        try add(name, base + name)
      }
    }
    if let folder {
      let prefix = folder.hasSuffix("/") || folder.isEmpty ? folder : folder + "/"
      entries.removeAll { !$0.name.hasPrefix(prefix) }
      guard !entries.isEmpty else {
        throw ToolFailure(
          "there is no folder \(folder.shownInError) with logs; recordings without folder lists all logs"
        )
      }
    }
    return entries.sorted { ($1.modified, $0.name) < ($0.modified, $1.name) }
  }

  /// `false` for a link that leads out of a folder, or nowhere.
  private func leads(_ path: String, into folder: String) throws -> Bool {
    do throws(SystemError) {
      return try RealPath.of(path).hasPrefix(folder + "/")
    } catch {
      guard error.code == ENOENT || error.code == ELOOP else { throw error }
      return false
    }
  }

  /// Finds a log by the name that `recordings` lists.
  func entry(_ name: String, for call: ToolCall) throws -> Entry {
    let entries = try entries(for: call)
    // A client may write a name with other scalars, unless those are the name of another log.
    let exact = entries.first { [$0.name, $0.path].contains { $0.hasSameBytes(as: name) } }
    if let found = exact ?? entries.first(where: { $0.name == name || $0.path == name }) {
      return found
    }
    let stem = entries.filter { entry in
      LogFolder.extensions.contains { entry.name == "\(name).\($0)" }
    }
    if stem.count == 1 { return stem[0] }
    let names = entries.map(\.name)
    if let nearest = Spelling.nearest(to: name, among: names) {
      throw ToolFailure(
        "there is no log \(name.shownInError); did you mean '\(nearest.printable(as: .json))'?")
    }
    let some = names.prefix(8).map(\.shownInError).joined(separator: ", ")
    throw ToolFailure(
      names.isEmpty
        ? "there is no log below the folders of this server"
        : "there is no log \(name.shownInError); there \(names.count == 1 ? "is" : "are") \(some)"
          + (names.count > 8 ? " and \(names.count - 8) more; recordings lists them" : ""))
  }

  // MARK: Opening

  /// Opens a log, or takes the one that is open, with what was appended to it.
  func open(_ name: String, for call: ToolCall) throws -> OpenLog {
    if let known = try current({ $0.name.hasSameBytes(as: name) }) { return try use(known, call) }
    return try open(entry(name, for: call), for: call)
  }

  /// Opens a log that was listed.
  func open(_ entry: Entry, for call: ToolCall) throws -> OpenLog {
    let known = try current {
      $0.name.hasSameBytes(as: entry.name) && $0.path.hasSameBytes(as: entry.path)
    }
    if let known {
      return try use(known, call)
    }
    let status = try FileStatus(path: entry.path)
    let file: LogFile
    do {
      file = try world.open(entry.path)
    } catch {
      throw ToolFailure(CommandError(opening: error))
    }
    return try use(OpenLog(entry.name, path: entry.path, file, status, world), call)
  }

  /// The open log that `isWanted` finds, if it is of the file that is at its path now; a log of an older one is closed.
  private func current(_ isWanted: (OpenLog) -> Bool) throws -> OpenLog? {
    guard let known = state.withLock({ $0.open.first(where: isWanted) }) else { return nil }
    if try known.isCurrent() { return known }
    close(known)
    return nil
  }

  private func close(_ log: OpenLog) {
    state.withLock { state in
      state.open.removeAll { $0 === log }
      state.verdicts[BytewiseName(log.path)] = nil
    }
  }

  private func use(_ log: OpenLog, _ call: ToolCall) throws -> OpenLog {
    // Before anything that waits for the whole index, which no limit of a call ends.
    do {
      try log.timeline.log.waitForIndex {
        guard !call.isStopped else { throw TimeOut() }
        let progress = log.timeline.log.progress
        call.report("indexing", progress.done, of: progress.total)
      }
    } catch let timeOut as TimeOut {
      keep(log)
      throw timeOut
    } catch {
      throw ToolFailure(CommandError(opening: error))
    }
    do {
      try log.refresh()
    } catch {
      // The file became shorter.
      close(log)
      throw ToolFailure(
        "\(CommandError(opening: error).message); call again to open the file as it is now")
    }
    keep(log)
    return log
  }

  /// Keeps a log open, as the one used last.
  private func keep(_ log: OpenLog) {
    state.withLock { state in
      if let place = state.open.firstIndex(where: { $0 === log }) { state.open.remove(at: place) }
      state.open.append(log)
      if state.open.count > Self.largestOpenCount,
        let old = state.open.firstIndex(where: { !$0.hasForks })
      {
        state.open.remove(at: old).timeline.log.cancelIndexing()
      }
    }
  }

  /// The verdict of the last verification of a log; nil if there was none.
  func verdict(of entry: Entry) -> String? {
    state.withLock { $0.verdicts[BytewiseName(entry.path)] }
  }

  /// Keeps the verdict of a verification.
  func keep(verdict: String, of log: OpenLog) {
    state.withLock { $0.verdicts[BytewiseName(log.path)] = verdict }
  }

  /// The test that a call wrote, of which this call reads another part; nil if another was written since.
  func test(of calls: PageCursor) -> TestText? {
    state.withLock { $0.test?.calls == calls ? $0.test?.text : nil }
  }

  /// Keeps a test, so that its parts are of one text, and the app does not try it for each.
  func keep(test: TestText, of calls: PageCursor) { state.withLock { $0.test = (calls, test) } }

  /// A log that is open; nil otherwise.
  func known(_ entry: Entry) throws -> OpenLog? {
    try current { $0.path.hasSameBytes(as: entry.path) }
  }

  // MARK: The running app

  /// The running app that the server is for, attached when it is first needed, and again after it ended.
  func live(_ call: ToolCall) throws -> any LiveApp {
    guard let attach = world.attach else {
      throw ToolFailure("this needs a running app: restart the server with --attach NAME")
    }
    if let live = state.withLock({ $0.live }), live.ending == nil { return live }
    return try running(call) {
      // Another call may have attached meanwhile.
      if let live = state.withLock({ $0.live }), live.ending == nil { return live }
      do {
        // The connection outlives this call.
        let live = try attach { [state] in state.withLock { $0.liveCall?.isStopped ?? false } }
        state.withLock { $0.live = live }
        return live
      } catch {
        throw ToolFailure(CommandError(opening: error))
      }
    }
  }

  /// Lets requests to the running app end with a call; such calls take turns.
  ///
  /// `body` asks the running app, and does not call ``live(_:)`` or this method.
  ///
  /// - Throws: ``TimeOut`` if the call ends before its turn, and errors of `body`.
  func running<Result>(_ call: ToolCall, _ body: () throws -> Result) throws -> Result {
    guard world.attach != nil else { return try body() }
    return try state.holding(\.liveCall, for: call, body)
  }

  /// The log of the running app; nil if there is no app, or none that records.
  private func liveLog(_ call: ToolCall) -> String? {
    guard world.attach != nil else { return nil }
    do {
      return try live(call).logPath
    } catch {
      // The tools of the running app say why; logs can be read all the same.
      return nil
    }
  }

  /// The app that dispatches actions again, for a call; nil if there is none.
  func app(for call: ToolCall) throws -> (any ReplayApp)? {
    if let app = world.app { return app { call.isStopped } }
    return world.attach == nil ? nil : try live(call).replay
  }

  /// The app that dispatches actions again; nil also if the running app cannot be reached.
  func appAtHand(for call: ToolCall) -> (any ReplayApp)? {
    do {
      return try app(for: call)
    } catch {
      // The tools of the running app say why; logs can be read all the same.
      return nil
    }
  }
}
