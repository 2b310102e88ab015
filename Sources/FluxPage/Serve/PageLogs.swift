import FluxInspector
import FluxLog
import FluxSystem

/// The logs that a server serves; each is opened by its first request.
///
/// A page keeps the recording it was loaded with. When a page is loaded, the folder is listed again, and a log whose place
/// another recording has taken is opened again; pages that show the earlier one are then asked to reload.
final class PageLogs: Sendable {
  private struct State {
    /// The logs as they were listed last; nil before the first page.
    var sources: [PageServer.Source]?
    /// The logs that are open, by the names of their sources.
    var open: [BytewiseName: PageLog] = [:]
    var openingCount = 0
  }

  private let list: PageServer.Listing
  private let isLive: Bool
  private let state = Monitor(State())

  /// Makes a list of which no log is open.
  ///
  /// - Parameters:
  ///   - isLive: `true` for the log of a running app that is attached, which stays the same.
  ///   - list: Lists the logs.
  init(isLive: Bool, _ list: @escaping PageServer.Listing) {
    (self.isLive, self.list) = (isLive, list)
  }

  /// The names of the logs.
  var names: [String] { state.withLock { ($0.sources ?? []).map(\.name) } }

  /// Returns the logs, with those that are open.
  func all() throws(PageError) -> [(source: PageServer.Source, log: PageLog?)] {
    try state.withLock { (state) throws(PageError) in
      try sources(&state).map { ($0, state.open[BytewiseName($0.name)]) }
    }
  }

  /// Returns the log that a request is about: the one of an opening, or the one of a name; without either, the first that
  /// can be opened.
  ///
  /// - Throws: `PageError` if there is no such log, if it cannot be opened, or if another recording has been opened since.
  func log(of request: PageRequest) throws(PageError) -> PageLog {
    let (opening, name) = (try request.integer("opening"), try request.text("log"))
    return try state.withLock { (state) throws(PageError) in
      if let opening {
        guard let log = state.open.values.first(where: { $0.opening == opening }) else {
          throw PageError(
            .gone, "another recording has taken the place of this one; reload the page to see it")
        }
        return log
      }
      return try log(named: name, &state)
    }
  }

  /// Returns the log that is at the place of a name now.
  private func log(named name: String?, _ state: inout State) throws(PageError) -> PageLog {
    var failure = PageError(.notFound, "there is no log \(name ?? "here")")
    for (index, source) in try sources(&state).enumerated() {
      if let name, !source.name.hasSameBytes(as: name) { continue }
      do throws(PageError) {
        return try log(of: source, &state)
      } catch {
        if name != nil { throw error }
        if index == 0 { failure = error }
      }
    }
    throw failure
  }

  private func log(
    of source: PageServer.Source, _ state: inout State
  ) throws(PageError) -> PageLog {
    let key = BytewiseName(source.name)
    if let log = state.open[key], isLive || !log.isReplaced { return log }
    do throws(LogError) {
      let log = PageLog(
        try source.open(), name: source.name, opening: state.openingCount, isLive: isLive)
      state.openingCount += 1
      state.open[key] = log
      return log
    } catch {
      throw PageError(CommandError(.unreadable, error.message))
    }
  }

  private func sources(_ state: inout State) throws(PageError) -> [PageServer.Source] {
    do throws(CommandError) {
      let sources = try list()
      state.sources = sources
      return sources
    } catch {
      throw PageError(error)
    }
  }
}
