import FluxLog

/// A part of a recording that verify could not compare, and the reason.
///
/// Redacted places are not here: ``ReplayReport/redacted`` lists them.
enum NotCompared: Equatable {
  /// Steps that a middleware had rejected.
  case intercepted(steps: Int)
  /// Steps that are not in the log, and those after them up to `resumption`; nil if nothing after them is replayed.
  case gap(LogGap, resumption: UInt64?)
  /// The last steps' follow-ups, which come after the end of the log.
  case followUps(of: [UInt64], isContinued: Bool)

  /// The part and the reason, for ``ReplayReport/notes``.
  var note: String {
    switch self {
    case .intercepted(let count):
      "\(count) \(count == 1 ? "step" : "steps") not compared: a middleware had rejected "
        + "\(count == 1 ? "it" : "them"), and replay runs no middleware"
    case .gap(let gap, let resumption):
      "steps \(gap.from) to \(gap.through) are not in the log (\(gap.why)); "
        + (resumption.map { "replay resumes after step \($0)" }
          ?? "nothing after them is replayed")
    case .followUps(let steps, let isContinued):
      "the log ends before the follow-ups of step \(steps.map(String.init).joined(separator: ", "))"
        + (isContinued ? ": the recording continues in the next segment" : "")
    }
  }
}
