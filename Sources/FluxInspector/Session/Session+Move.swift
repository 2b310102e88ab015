import FluxLog

extension Session {
  /// Moves to a position.
  ///
  /// The answer is made first, so that a step that cannot be read leaves the session where it is.
  ///
  /// - Parameters:
  ///   - position: Where to.
  ///   - stop: Why the move ends there.
  /// - Returns: What is to be said of it.
  /// - Throws: What the engine throws where the step cannot be read.
  mutating func move(to position: Int, stopped stop: MoveStop) throws -> MoveAnswer {
    let answer = try moveAnswer(at: position, stopped: stop)
    noteBreaks(to: position)
    try noteRemovals(at: position)
    if position == timeline.end { notes += inFlight }
    jumps.append(position)
    return answer
  }

  /// What is to be said of a position at which a move ends.
  func moveAnswer(at position: Int, stopped stop: MoveStop) throws -> MoveAnswer {
    MoveAnswer(
      number: stepNumber(at: position),
      step: position >= 0 ? try timeline.step(at: position) : nil,
      changed: try timeline.changedStores(at: position), stop: stop,
      displays: try displays.map { try displayed($0, at: position) })
  }

  /// The last position; waits for the whole index.
  func lastPosition() throws -> Int {
    try waitForIndex()
    return timeline.end
  }

  /// What is to be said of actions after the last step whose lines were not written; nothing while the log is
  /// not indexed to its end.
  var inFlight: [String] {
    guard log.isIndexComplete else { return [] }
    do throws(LogError) {
      return try log.inFlight().map { "in flight: \($0.sentence)" }
    } catch {
      // Nobody is kept from the last step by what cannot be known of those after it.
      return ["what is in flight after the last step cannot be read: \(error.message)"]
    }
  }

  /// Says what is missing between here and a position that is next to it.
  private mutating func noteBreaks(to other: Int) {
    guard abs(other - position) == 1 else { return }
    let later = max(other, position)
    notes += gaps(before: later).map(\.sentence)
    if isDamaged(before: later) {
      notes.append("lines before step \(stepText(at: later)) are damaged and left out")
    }
  }

  /// Says which features a step removes that were not there.
  private mutating func noteRemovals(at position: Int) throws {
    guard position >= 0 else { return }
    notes += try timeline.removalFindings(at: position).map(\.description)
  }

  /// What a display shows at a position, or why it cannot.
  func displayed(_ display: Display, at position: Int) throws -> DisplayedValue {
    do {
      let nodes = try display.path.nodes(in: timeline.document(at: position), check: check)
      return DisplayedValue(display: display, nodes: nodes, failure: nil)
    } catch let error as CommandError {
      throw error
    } catch {
      // A display that cannot be shown here must not keep anybody from moving.
      let failure = CommandError(error, in: timeline)
      return DisplayedValue(display: display, nodes: [], failure: failure.message)
    }
  }
}
