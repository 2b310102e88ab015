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
  /// The steps that were read lately, by position.
  private(set) var rows: [Int: StepRow] = [:]
  /// The number of steps when the rows were read; the last step of a log that grows may be taken back.
  private var count = 0

  private struct ContentKey: Equatable {
    let position: Int
    let form: ChangeForm
    let folds: [String: Bool]
  }

  /// Begins at the step that a session stands at.
  package init(_ session: Session, size: TerminalSize, usesColor: Bool) {
    self.session = session
    state = BrowseState(size: size)
    style = BrowseStyle(usesColor: usesColor)
    state.position = session.position
  }

  // MARK: Events

  /// Processes a key; returns `false` if it leaves the screen.
  package mutating func press(_ key: BrowseKey) -> Bool {
    // A key that folds needs the rows of the state.
    if state.pane == .state, state.mode == .panes { readContent() }
    guard let effect = state.press(key, in: content.state) else { return true }
    guard effect != .leave else { return false }
    do {
      try perform(effect)
    } catch {
      let error = CommandError(error, in: session.timeline)
      let hint = error.hint.map { "; \($0)" } ?? ""
      state.message = BrowseState.Message(text: error.message + hint, isError: true)
    }
    if state.position != session.position {
      state.position = session.position
      (state.changesTop, state.changesColumn) = (0, 0)
    }
    return true
  }

  /// Takes another size of the terminal.
  package mutating func resize(_ size: TerminalSize) { state.size = size }

  private mutating func perform(_ effect: BrowseEffect) throws {
    switch effect {
    case .step(let count, let direction): show(try session.step(count, direction))
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
          .notFound, "there is no stop point",
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
    texts += move.notes
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

  // MARK: Frames

  /// Draws the screen as it is now.
  package mutating func frame() -> Frame {
    let log = session.timeline.log
    readContent()
    state.fit(content, positions: session.timeline.positions)
    let isGrowing = !log.isIndexComplete
    let title = BrowsePage.Title(
      name: log.header.app?.name ?? String(log.path.split(separator: "/").last ?? ""),
      last: session.timeline.number(at: session.timeline.end) ?? 0, isGrowing: isGrowing,
      time: time)
    let page = BrowsePage(
      state: state, content: content, rows: visibleRows(),
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

  private mutating func visibleRows() -> [StepRow] {
    let timeline = session.timeline
    let height = state.height(of: .steps)
    let first = state.listTop
    let visible = first..<max(first, min(first + height, timeline.positions.upperBound))
    if count != timeline.log.count {
      rows = [:]
      count = timeline.log.count
    }
    // The rows before and behind these are worth keeping, all of a long walk are not.
    if rows.count > 16 * height { rows = rows.filter { visible.contains($0.key) } }
    return visible.map { position in
      guard position >= 0 else { return .start }
      if let row = rows[position] { return row }
      let row = StepRow(at: position, in: timeline)
      rows[position] = row
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
