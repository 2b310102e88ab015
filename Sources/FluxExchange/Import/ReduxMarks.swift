import FluxJSON
import FluxLog

/// The marks for the condition of Redux DevTools when it exported a session.
struct ReduxMarks {
  /// The text of the mark after the step whose state was shown.
  static let currentState = "Redux DevTools: current state"

  /// The action whose state was shown; nil if that was the last one.
  private let current: Int?
  private let isLocked: Bool
  private let isPaused: Bool

  /// Reads the condition of a session with this number of staged actions.
  init(_ session: ReduxSession, count: Int, _ losses: inout LossCount) throws {
    func value(_ name: String) throws -> JSON? {
      try session.values[name].map { try session.source.parse($0, at: "$.\(name)") }
    }
    isLocked = try value("isLocked")?.bool ?? false
    isPaused = try value("isPaused")?.bool ?? false
    let index = try value("currentStateIndex")
    let number = index?.number?.int64.flatMap { Int(exactly: $0) }
    if let number, number >= 0, number < count {
      current = number < count - 1 ? number : nil
    } else {
      current = nil
      if let index, index.jsanTag != "u" {
        losses.add("an index of the current state that no action has", at: "$.currentStateIndex")
      }
    }
  }

  func write(after index: Int, at time: LogTime, to log: CompleteLog) throws(LogError) {
    guard index == current else { return }
    try log.append(LogMark(text: Self.currentState, time: time))
  }

  func writeEnd(at time: LogTime, to log: CompleteLog) throws(LogError) {
    if isLocked { try log.append(LogMark(text: "Redux DevTools: changes are locked", time: time)) }
    if isPaused { try log.append(LogMark(text: "Redux DevTools: recording is paused", time: time)) }
  }
}
