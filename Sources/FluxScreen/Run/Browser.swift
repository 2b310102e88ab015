import FluxCommands
package import FluxInspector
import FluxJSON
import FluxLog
package import FluxTerminal

/// A session on the whole screen, without the terminal: keys go in, frames come out.
///
/// A frame reads the lines of its visible steps and the state of the step here, and nothing else. Keys that come
/// faster than frames are drawn skip the frames between them.
package struct Browser {
  package private(set) var session: Session
  private var state: BrowseState
  private let style: BrowseStyle

  private var content = StepContent.empty
  /// The step, the form and the folds that the content belongs to.
  private var contentKey: ContentKey?
  /// The rows of the list.
  private var map = RowMap()
  /// The rows that were read lately, by their places in the list.
  private(set) var rows: [Int: ListRow] = [:]
  /// The index when the rows were read; the last step of a log that grows may be taken back.
  private var index: (steps: Int, isComplete: Bool) = (-1, false)
  private var lastTime: LogTime?
  private var lastNumber: UInt64 = 0
  private var longestType = 0
  /// The session before a search, while its text is typed, and the text that was looked for last.
  private var search: (origin: Session, text: String)?
  /// The time that a search may take while its text is typed.
  private static let previewTime = Duration.milliseconds(100)

  private struct ContentKey: Equatable {
    let position: Int
    let form: ChangeForm
    let folds: [BytewiseName: Bool]
  }

  /// Begins at the current step of a session, with the colors of a terminal or without any.
  package init(_ session: Session, size: TerminalSize, _ colors: TerminalColors?) {
    self.session = session
    state = BrowseState(size: size)
    style = BrowseStyle(colors)
    state.move(to: session.position)
  }

  // MARK: Events

  /// Processes a key; returns `false` if it leaves the screen.
  package mutating func press(_ key: BrowseKey) -> Bool {
    // A key that folds needs the rows of the state.
    if state.pane == .state, state.mode == .panes { readContent() }
    let effect = state.press(key, in: content.state)
    followSearch()
    guard let effect else { return true }
    guard effect != .leave else { return false }
    do {
      try perform(effect)
    } catch {
      let error = CommandError(error, in: session)
      // One row has no room for the lines that point into an expression.
      let problem = error.message.prefix { !$0.isNewline }
      let hint = error.advice.map { "; \($0)" } ?? ""
      state.message = BrowseState.Message(text: problem + hint, isError: true)
    }
    state.move(to: session.position)
    return true
  }

  /// Takes another size of the terminal.
  package mutating func resize(_ size: TerminalSize) { state.size = size }

  private mutating func perform(_ effect: BrowseEffect) throws {
    switch effect {
    case .step(let count, let direction): show(try session.step(count, direction))
    case .show(let row):
      guard let position = map[row]?.position, position != session.position else { return }
      let distance = position - session.position
      show(
        try session.step(UInt64(distance.magnitude), distance < 0 ? .backwards : .forwards))
    case .root(let direction): show(try session.stepOverRoots(1, direction))
    case .toStart: show(try session.moveToStart())
    case .toEnd: show(try session.moveToEnd())
    case .go(let text):
      guard let position = Position(text) else {
        throw CommandError(.badPosition, "\(text) is not a position", hint: Position.forms)
      }
      show(try session.move(to: position))
    case .find(let text, let direction):
      let move = try session.move(toNearest: try session.timeline.filter(text), direction)
      let place = direction == .forwards ? "after" : "before"
      show(move, none: "\(text) matches no step \(place) this one")
    case .run(let direction):
      guard session.stopPoints.breakpoints.contains(where: \.isEnabled) else {
        throw CommandError(
          .notFound,
          session.stopPoints.breakpoints.isEmpty
            ? "there is no stop point" : "all stop points are disabled",
          hint: "b sets a breakpoint at actions of this type, and / searches")
      }
      show(try session.run(direction))
    case .toggleBreakpoint: try toggleBreakpoint()
    case .leave: break
    }
  }

  /// Shows the remarks of a move in the last row.
  private mutating func show(_ move: Move, none: String = "") {
    var texts = move.hits.map { "\($0.point.kindName) \($0.point.number): \($0.point.subject)" }
    if move.stopped == .none { texts.append(none) }
    if move.notes.isEmpty {
      if move.stopped == .start { texts.append("the start of the log") }
      if move.stopped == .end { texts.append("the end of the log") }
    }
    texts += move.notes.map(\.line)
    if !texts.isEmpty { state.message = BrowseState.Message(text: texts.joined(separator: "; ")) }
  }

  private mutating func toggleBreakpoint() throws {
    guard session.position >= 0 else {
      throw CommandError(.badPosition, "there is no action before the first step")
    }
    let type = try session.timeline.step(at: session.position).type
    let change: StopPointChange
    if let known = session.stopPoints.breakpoints.first(where: { $0.isPlainBreakpoint(at: type) }) {
      change = try session.removeStopPoint(known.number)
    } else {
      change = try session.addStopPoint(.breakpoint(Glob(type)))
    }
    let verb = change.change == .deleted ? "deleted " : ""
    state.message = BrowseState.Message(text: "\(verb)breakpoint \(change.number): \(type)")
  }

  // MARK: Searching while typing

  /// Remembers the session at the beginning of a search, and gives it back at the end.
  private mutating func followSearch() {
    if case .search = state.mode {
      if search == nil { search = (session, "") }
    } else if let search {
      // A text that is entered is looked for from there, as one move.
      session = search.origin
      self.search = nil
      state.move(to: session.position)
    }
  }

  /// Stands at the first match of the text that is typed, if it is found soon enough.
  private mutating func previewSearch() {
    guard case .search(let text) = state.mode, let origin = search?.origin else { return }
    guard search?.text != text || state.preview == .nothing else { return }
    session = origin
    search?.text = text
    defer { state.move(to: session.position) }
    guard !text.isEmpty else { return state.preview = .nothing }
    do throws(QueryError) {
      let filter = try session.timeline.filter(text)
      do {
        state.preview = try preview(filter)
      } catch {
        state.preview = .unfinished
      }
    } catch {
      state.preview = .incomplete
    }
  }

  private mutating func preview(_ filter: StepFilter) throws -> BrowseState.Preview {
    let first = session.position + 1
    let (count, isWhole) = (session.timeline.log.count, session.timeline.log.isIndexComplete)
    let work = Work(
      limit: 1, deadline: .now + Self.previewTime, isCancelled: session.services.isInterrupted)
    let (found, end) = try session.positions(matching: filter, in: first..<max(first, count))
      .collect(work)
    guard let position = found.first else {
      return end.next == nil && isWhole ? .notFound : .unfinished
    }
    _ = try session.step(UInt64(position - session.position))
    return .found
  }

  // MARK: Frames

  /// Draws the screen as it is now.
  package mutating func frame() -> Frame {
    let log = session.timeline.log
    previewSearch()
    readContent()
    readIndex()
    let here = map.row(ofStep: session.position)
    let next =
      session.position < session.timeline.end
      ? map.row(ofStep: session.position + 1) : map.count
    state.fit(
      content, columns: StepColumns.width(lastNumber, lastTime, longestType: longestType),
      count: map.count, here: here...max(here, next - 1))
    let title = BrowsePage.Title(
      name: log.shortName, last: lastNumber,
      isGrowing: !log.isIndexComplete, lastTime: lastTime, time: time)
    let page = BrowsePage(
      state: state, content: content, rows: visibleRows(), here: here,
      breakpoints: session.stopPoints.breakpoints.compactMap(\.glob), title: title, style: style)
    return page.frame
  }

  private var time: String? {
    guard session.position >= 0 else { return nil }
    do {
      return Seconds(try session.timeline.step(at: session.position).time).description
    } catch {
      return nil
    }
  }

  private mutating func readContent() {
    let key = ContentKey(position: session.position, form: state.form, folds: state.folds)
    guard key != contentKey else { return }
    content = StepContent(session, state.form, folds: state.folds)
    contentKey = key
  }

  /// Reads what was indexed since the last frame.
  private mutating func readIndex() {
    let timeline = session.timeline
    let isComplete = timeline.log.isIndexComplete
    guard index != (timeline.log.count, isComplete) else { return }
    rows = [:]
    _ = map.update(timeline.log, isLive: session.liveState != nil)
    index = (map.stepCount, isComplete)
    lastNumber = timeline.number(at: timeline.end) ?? 0
    longestType = timeline.log.typeCounts().map(\.type.count).max() ?? 0
    do {
      lastTime = map.stepCount > 0 ? try timeline.step(at: map.stepCount - 1).time : nil
    } catch {
      // The row of the step says why it cannot be read, and times have no column.
      lastTime = nil
    }
  }

  private mutating func visibleRows() -> [ListRow] {
    let height = state.height(of: .steps)
    let first = state.listTop
    let visible = first..<max(first, min(first + height, map.count))
    // The rows before and behind these are worth keeping, all of a long walk are not.
    if rows.count > 16 * height { rows = rows.filter { visible.contains($0.key) } }
    return visible.compactMap { place in
      if let row = rows[place] { return row }
      let row = map[place].map { ListRow($0, in: session.timeline) }
      rows[place] = row
      return row
    }
  }
}

extension StopPoint {
  fileprivate var glob: Glob? {
    if case .breakpoint(let glob) = kind, isEnabled { glob } else { nil }
  }

  fileprivate func isPlainBreakpoint(at type: String) -> Bool {
    glob?.description == type && condition == nil
  }
}
