public import FluxLog

/// A look at a log: where it stands, where it has been, and what it stops at.
///
/// A value without a terminal: command lines go in, outputs come out, and whatever else it needs
/// is among its ``Services``.
///
/// ```swift
/// var session = Session(try LogFile.open("todo.jsonl"))
/// let output = session.run("goto 5")
/// ```
public struct Session: Sendable {
  /// The log, in both directions.
  public let timeline: Timeline
  /// What the session needs of the world around it.
  public var services: Services
  /// What `set` changes.
  public var settings = Settings()
  /// The commands that there are.
  package let registry: CommandRegistry

  var jumps = JumpHistory(start: Timeline.start)
  var stops = StopPoints()
  var displays: [Display] = []
  var lastDisplayNumber = 0
  var bookmarks: [Bookmark] = []
  /// Histories that leave the recording.
  var branches = Branches()
  /// What replaying the log has shown, where a stop point has asked for it.
  var replayed: ReplayedLog?
  /// By name, in the place of which the text stands.
  var userAliases: [String: String] = [:]
  /// What the command that runs has to say beside its answer.
  var notes: [String] = []
  /// How the command that runs ends the session.
  var ending: Ending?
  /// How many files are being run inside of each other.
  var sourceDepth = 0
  /// The last command that is repeated by an empty line.
  var lastNavigation: String?

  /// Begins a session before the first step.
  ///
  /// - Parameters:
  ///   - log: The log; its index need not be complete.
  ///   - services: What the session needs of the world around it.
  public init(_ log: LogFile, services: Services = Services()) {
    self.init(log, services: services, registry: .standard)
  }

  package init(_ log: LogFile, services: Services, registry: CommandRegistry) {
    timeline = Timeline(log)
    self.services = services
    self.registry = registry
  }

  /// The position, as `Timeline` counts.
  public var position: Int { jumps.current }

  /// The number of the step that the session stands at; nil before a step 0.
  public var stepNumber: UInt64? { stepNumber(at: position) }

  var log: LogFile { timeline.log }

  /// The number of the step at a position; nil before a step 0.
  func stepNumber(at position: Int) -> UInt64? {
    position == Timeline.start && log.header.first == 0 ? nil : timeline.number(at: position)
  }

  /// The number as text; `-1` before a step 0.
  func stepText(at position: Int) -> String { stepNumber(at: position).map(String.init) ?? "-1" }
}
