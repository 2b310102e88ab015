import FluxLog

/// Dispatches the recorded steps of a stretch again, in one session or in two, and yields each with its replay.
///
/// The recorded side is read ahead while the app runs. A step that cannot run again is yielded without a replay.
///
/// Used by one thread at a time.
final class ReplayWalk {
  /// The position after the last yielded step.
  private(set) var position: Int
  /// The damage at which the walk ended; nil if there is none.
  private(set) var damage: Finding?
  /// The failure that stopped the app after some steps of the current batch; nil if there was none.
  private(set) var failure: ReplayFailure?
  /// The number of yielded steps of the current batch.
  private(set) var yielded = 0
  /// The steps of the current batch that ran in all sessions.
  private var known = 0
  private var recorded: [RecordedStep] = []
  private var first = ReplayedBatch()
  private var second: ReplayedBatch?
  /// The number of steps of the current part that ran, up to the last yielded one.
  private var ran = 0
  /// `true` if the current batch is not reported as completed.
  private var isOpen = false
  private let reader: BatchReader
  private let app: AppDescription
  private let session: any ReplaySession
  private let twin: (any ReplaySession)?
  private let twinIsElsewhere: Bool
  private var waits: Bool
  private let upcasts: Bool

  /// Creates a walk from the recorded model before a stretch, in which the states of both sessions are.
  ///
  /// `size` is the largest number of steps to dispatch at a time. If the second session has another environment, it
  /// dispatches its first steps in another second than the first one. `upcasts` is for recorded changes in the app's
  /// current form.
  init(
    _ stretch: Range<Int>, of log: LogFile, from model: RecordedModel, for app: AppDescription,
    size: Int = BatchSize.steps, in session: any ReplaySession, twin: (any ReplaySession)? = nil,
    twinIsElsewhere: Bool = false, upcasts: Bool = false
  ) {
    let walk = RecordedWalk(model, by: log.rules(before: stretch.lowerBound))
    reader = BatchReader(stretch, of: log, walk, size: size, for: app)
    position = stretch.lowerBound
    (self.twinIsElsewhere, waits) = (twinIsElsewhere, twinIsElsewhere)
    (self.app, self.session, self.twin, self.upcasts) = (app, session, twin, upcasts)
  }

  /// Returns the next step, whose replay is ``replayed``; nil at the end, and after damage or a failure.
  ///
  /// `completed` is called after all steps of a batch with their number.
  ///
  /// - Throws: `LogError` if a step cannot be read, ``ReplayFailure`` if an answer does not match the steps or the caller
  ///   cancelled, and the errors of `completed`.
  func next(_ completed: (Int) throws -> Void = { _ in }) throws -> RecordedStep? {
    while yielded == known {
      guard failure == nil else { return nil }
      if known == recorded.count {
        if isOpen {
          isOpen = false
          try completed(known)
        }
        // The reader releases the batch, so nothing of it may be left here.
        (recorded, first, second) = ([], ReplayedBatch(), nil)
        (known, yielded, ran) = (0, 0, 0)
        guard let batch = try reader.next() else { return nil }
        try begin(batch)
      }
      try dispatchPart()
    }
    let step = recorded[yielded]
    position += 1
    yielded += 1
    if step.canReplay { ran += 1 }
    return step
  }

  /// The replay of the last yielded step; nil if it did not run.
  var replayed: ReplayedStep? {
    recorded[yielded - 1].canReplay ? first.steps[ran - 1] : nil
  }

  /// The replay of the last yielded step in the second session; nil if there is none, or if the step did not run.
  var replayedAgain: ReplayedStep? {
    recorded[yielded - 1].canReplay ? second?.steps[ran - 1] : nil
  }

  /// Stops reading; the sessions stay.
  func stop() { reader.stop() }

  private func begin(_ batch: RecordedBatch) throws {
    for step in batch.steps { try app.refuseReflectedAction(of: step.step) }
    (recorded, damage) = (batch.steps, batch.damage)
    if upcasts { try session.upcast(&recorded, for: app) }
    isOpen = true
  }

  /// Dispatches the next steps of the batch, up to one with a state that is not written.
  ///
  /// Only the answer tells the size of such a state, and this side keeps all answers to a part.
  private func dispatchPart() throws {
    let last = recorded[known...].firstIndex { $0.changes.contains(where: \.isUnwritten) }
    let part = Array(recorded[known..<(last.map { $0 + 1 } ?? recorded.count)])
    (first, second) = (ReplayedBatch(), nil)
    let actions = part.compactMap(\.action)
    first = try ReplayedBatch(actions, in: session)
    if waits {
      // Waiting before every batch would take hours for a long log.
      WallClock.waitForAnotherSecond()
      waits = false
    }
    second = try twin.map { try ReplayedBatch(actions, in: $0) }
    failure = first.failure ?? (twinIsElsewhere ? second?.failure?.elsewhere : second?.failure)
    ran = 0
    var rest = min(first.steps.count, second?.steps.count ?? .max)
    for step in part {
      if step.canReplay { rest -= 1 }
      guard rest >= 0 else { break }
      known += 1
    }
  }
}
