import FluxJSON
import FluxLog

/// A step in the list.
struct StepRow: Sendable, Equatable {
  /// The number of the step; nil for the state before the first.
  var number: UInt64?
  var time: LogTime?
  var type: String
  /// The beginning of the payload as JSON; empty if there is none.
  var payload = ""
  var isCaused = false
  var isRejected = false
  /// The reason why the line cannot be read.
  var problem: String?

  /// The state before the first step.
  static let start = StepRow(number: nil, type: "start")

  /// The scalars of a payload that a row can show on a wide screen.
  private static let longestPayload = 400

  init(number: UInt64?, type: String) {
    (self.number, self.type) = (number, type)
  }

  /// Reads the step at a position: one line of the log.
  init(at position: Int, in timeline: Timeline) {
    do {
      let step = try timeline.step(at: position)
      self.init(number: step.number, type: step.type)
      time = step.time
      payload = step.payload?.excerpt(Self.longestPayload) ?? ""
      (isCaused, isRejected) = (step.cause != nil, step.rejection != nil)
    } catch {
      self.init(number: timeline.number(at: position), type: "")
      problem = error.message
    }
  }
}
