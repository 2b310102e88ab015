public import FluxJSON
public import FluxLog

/// A walk through a log: a position, a history of moves, stop points, bookmarks, displays and forks.
///
/// Every call returns a value. The session itself is a value too, and knows neither commands nor terminals: a
/// terminal, a page, a debug adapter and a test all call the same methods.
///
/// ```swift
/// var session = Session(try LogFile.open("todo.jsonl"))
/// let move = try session.move(to: .occurrence(Glob("todo/add"), 3))
/// let difference = try session.difference()  // what that step changed
/// ```
public struct Session: Sendable {
  /// The log, in both directions.
  public let timeline: Timeline
  /// The world around the session.
  public var services: Services
  /// The seconds that the app may take to start and for one call; 0 for no limit.
  public var timeout = 30.0

  /// The members that identify the elements of arrays in differences, by the place of the array from the model; `id` for
  /// all other arrays.
  public var identities: [Pointer: String] = [:]

  package var jumps = JumpHistory(start: Timeline.start) {
    didSet { followIfAtEnd() }
  }
  var liveView = LiveView()
  var stops = StopPoints()
  package var displays: [Display] = []
  var lastDisplayNumber = 0
  var namedPositions: [Bookmark] = []
  var openForks = Forks()
  /// The states that the log lacks, and that the app has rebuilt.
  var rebuiltModels = RebuiltModels()
  /// The fork that the session is on, and the number of its steps up to here; nil on the recording.
  package var forkPlace: (number: Int, count: Int)?
  /// The result of replaying the log, if a stop point has asked for it.
  var replayed: ReplayedLog?
  /// The rules that were checked last.
  var rules: LoadedRules?

  /// Begins a session before the first step.
  ///
  /// - Parameters:
  ///   - log: The log; its index need not be complete.
  ///   - services: The world around the session.
  public init(_ log: LogFile, services: Services = Services()) {
    timeline = Timeline(log)
    self.services = services
  }

  /// Begins a session in a log that others read as well.
  package init(_ timeline: Timeline, services: Services = Services()) {
    self.timeline = timeline
    self.services = services
  }

  /// Stands at a position of the log, as after a move.
  package mutating func stand(at position: Int) {
    guard position != self.position else { return }
    jumps.append(position)
    forkPlace = nil
  }

  /// The position, as `Timeline` counts.
  public var position: Int { jumps.current }

  /// Returns the same session at another position of the recording; this one does not move.
  public func standing(at position: Int) -> Session {
    var session = self
    session.jumps = JumpHistory(start: position)
    session.forkPlace = nil
    return session
  }

  /// The number of the current step; nil before a step 0.
  public var stepNumber: UInt64? { timeline.stepNumber(at: position).value }

  package var log: LogFile { timeline.log }

  /// The number of the step at a position, for results and messages.
  package func number(at position: Int) -> StepNumber { timeline.stepNumber(at: position) }

  /// The position, if it is that of a step.
  package func positionOfStep() throws -> Int {
    let position = positionInRecording
    _ = try standing(at: position).stepHere()
    return position
  }

  // MARK: Long work

  /// Unlimited work that the services can cancel and follow.
  package var work: Work { services.work }

  /// Ends a call that is interrupted.
  package func checkInterruption() throws(CommandError) { try work.check() }

  /// The same as a closure, for searches in the log.
  package var check: @Sendable () throws -> Void {
    { [work] in try work.check() }
  }

  /// Waits until more than `count` steps are indexed, or all; returns `true` if there are more.
  @discardableResult
  package func waitForIndex(beyond count: Int? = nil) throws -> Bool {
    try log.waitForIndex(beyond: count, work)
  }
}

extension Timeline {
  /// The number of the step at a position; -1 before a step 0.
  package func stepNumber(at position: Int) -> StepNumber {
    StepNumber(
      position == Timeline.start && log.header.first == 0 ? nil : number(at: position))
  }
}

extension LogFile {
  /// Waits until more than `count` steps are indexed, or all; returns `true` if there are more.
  @discardableResult
  func waitForIndex(beyond count: Int?, _ work: Work) throws -> Bool {
    try waitForIndex(beyond: count) {
      try work.check()
      let progress = progress
      work.progress(Progress(activity: "indexing", done: progress.done, total: progress.total))
    }
  }
}

extension CommandError {
  /// Converts an error of a session, whose app can compute the states that the log lacks.
  package init(_ error: any Error, in session: Session) {
    self.init(error, in: session.timeline, hasApp: session.services.app != nil)
  }
}
