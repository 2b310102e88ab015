import FluxJSON
import FluxLog

extension SessionStart {
  /// Creates the start of a session in the app's own initial states, with the seed and the clock of a log.
  init(_ mode: Mode, of log: LogFile) {
    self.init(
      mode: mode, seed: log.header.seed ?? 0,
      created: log.header.created ?? LogInstant(microseconds: 0))
  }

  /// Creates the start of a session after the step at a position, in the recorded states there.
  init(
    _ mode: Mode, after position: Int, in model: RecordedModel, of timeline: Timeline,
    for app: AppDescription
  ) throws {
    let log = timeline.log
    try app.refuseReflectedStates(of: log)
    self.init(mode, of: log)
    states = model.states.compactMapValues(\.json).filter { store, _ in app.hasStore(store) }
    next = log.number(at: position + 1) ?? log.header.first
    if position >= 0 { time = try log.step(at: position).time }
  }
}
