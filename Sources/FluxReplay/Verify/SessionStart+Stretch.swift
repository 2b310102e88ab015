import FluxLog

extension SessionStart {
  /// The beginning of the replay of a stretch, in the states that the log has there.
  init(
    replaying stretch: Stretch, from model: RecordedModel, of timeline: Timeline,
    in app: AppDescription, timeout: Double?
  ) throws(LogError) {
    let log = timeline.log
    let time =
      stretch.base >= 0 ? try log.step(at: stretch.base).time : LogTime(microseconds: 0)
    self.init(
      mode: .replay, seed: log.header.seed ?? 0,
      created: log.header.created ?? LogInstant(microseconds: 0),
      states: model.states.compactMapValues(\.json).filter { store, _ in app.hasStore(store) },
      next: log.number(at: stretch.positions.lowerBound) ?? log.header.first, time: time,
      timeout: timeout)
  }
}
