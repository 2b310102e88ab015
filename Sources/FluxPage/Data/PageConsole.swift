import FluxCommands
import FluxInspector
import FluxLog
import FluxReplay

/// The console of a client and a log.
struct PageConsole: Sendable {
  var commands: Console
  /// The first differences of its forks from the recording.
  var differences = ForkDifferences()

  init(_ log: PageLog, _ services: Services) {
    commands = Console(
      log.session(at: Timeline.start, services: services), registry: .withoutTerminal)
    commands.redirects = false
  }

  var session: Session {
    get { commands.session }
    set { commands.session = newValue }
  }
}

/// A fork of the console as the page lists it: `{"fork","row","end","steps","rows","first"?,"same"?}`.
struct PageFork: Encodable {
  private enum CodingKeys: String, CodingKey {
    case number = "fork", row, end, stepCount = "steps", rowCount = "rows", first
    case isSame = "same"
  }

  let number: Int
  /// The row at which it leaves the recording.
  let row: Int
  /// The row of the recording that corresponds to its newest step.
  let end: Int
  let stepCount: Int
  let rowCount: Int
  /// The row of the fork whose states are the first that differ from the recorded ones; nil if none is known.
  let first: Int?
  /// `true` if it was compared with the recording, and no state differs; nil otherwise.
  let isSame: Bool?

  /// The forks of a console.
  static func all(of console: PageConsole, in rows: RowMap) -> [PageFork] {
    let session = console.session
    return session.forks.forks.compactMap { fork in
      guard let list = ForkRows(fork.number, of: session, rows) else { return nil }
      let history = list.history
      let repeated = history.steps.last { $0.repeats != nil }?.repeats
      let end =
        repeated.flatMap { session.timeline.log.position(atOrBefore: $0) }
        ?? min(history.position + history.steps.count, rows.stepCount - 1)
      return PageFork(
        number: fork.number, row: rows.row(ofStep: history.position),
        end: rows.row(ofStep: end), stepCount: history.steps.count, rowCount: list.count,
        first: console.differences.first(of: fork.number).flatMap(list.row(ofNumber:)),
        isSame: console.differences.isSame(fork.number) ? true : nil)
    }
  }

  /// Returns the row of the place of a session, and its fork; nil on the recording.
  static func row(of session: Session, in rows: RowMap) -> (fork: Int?, row: Int) {
    guard case .fork(let number, let count) = session.place,
      let list = ForkRows(number, of: session, rows)
    else { return (nil, rows.row(ofStep: session.position)) }
    return (number, list.row(ofStep: count))
  }
}

/// The steps of forks whose states are the first that differ from the recorded ones.
///
/// A search for such a step compares whole models, so what was found is kept until the fork has more steps.
struct ForkDifferences: Sendable {
  private var found: [Int: (stepCount: Int, step: UInt64?, isSame: Bool)] = [:]

  /// Looks at the forks of a session that are new or have grown.
  mutating func update(_ session: Session) {
    for fork in session.forks.forks where found[fork.number]?.stepCount != fork.stepCount {
      guard
        session.history(ofFork: fork.number)?.steps.contains(where: { $0.repeats != nil }) == true
      else { continue }
      do {
        let difference = try session.compare(fork: fork.number)
        // A fork may also end in other states because it left out the last steps.
        let isSame = difference.first == nil && difference.changes.isEmpty
        found[fork.number] = (fork.stepCount, difference.first?.step, isSame)
      } catch {
        // Recorded states may be unknown. The page then marks no step; `compare` says why.
        found[fork.number] = (fork.stepCount, nil, false)
      }
    }
  }

  /// The number of the first step of a fork that differs; nil if there is none.
  func first(of fork: Int) -> UInt64? { found[fork]?.step }

  /// `true` if a fork was compared with the recording, and no state differs.
  func isSame(_ fork: Int) -> Bool { found[fork]?.isSame == true }
}
