public import FluxCore
import FluxLog
import FluxSystem
import Foundation
import Synchronization

// The steps of a dispatcher on their way into the log.
extension Recorder: AttachedMiddleware {
  package var looksAhead: Bool { isLookingAhead.load(ordering: .relaxed) }

  /// Begins the log and writes its header to disk before the first step.
  package func didAttach(_ context: DispatcherContext) {
    if let intervals {
      context.watchEffects { intervals.beginEffect($0, cause: $1) }
    }
    begin(
      at: context.time, clock: context.clock, seed: context.seed, after: context.model.step,
      next: context.nextStep, recordsEffects: true
    ) { redactor in
      try context.stores.map { store in
        try LogHeader.Store(
          name: store.id.rawValue, type: store.typeName, isFeature: store.isFeature,
          state: context.model.snapshot(of: store.id), redactor)
      }
    }
  }

  /// Logs an action before its reducers run.
  public func willDispatch(_ envelope: Envelope, _ model: Model) {
    // Before any lock: another thread of the parent may have held it.
    if process.isForked || !looksAhead { return }
    intervals?.beginStep(envelope.step, type: envelope.name)
    // Not `withLock`, which is not specialized across modules: a step would take 1 % more
    // instructions.
    lock.lock()
    // That of a step that never ended, which is released without the lock.
    let abandoned = unsafe shared.note.take()
    let begun = unsafe shared.beginStep(at: envelope.time)
    lock.unlock()
    _ = consume abandoned
    guard case (let log, var step)? = begun else { return }

    var note: NotedAction?
    if step.fate == .recorded {
      if let shouldSkip = options.shouldSkip, shouldSkip(envelope.action) {
        step.fate = .filtered
      } else if log.writer.notesActions {
        note = NotedAction(
          log.begin(
            step: envelope.step, at: log.time(of: envelope.time),
            action: LogValue(action: envelope.action), origin: ActionOrigin(envelope)))
      }
    }
    if options.recordsDuration { step.began = log.age }
    guard step.fate == .filtered || step.began != nil || note != nil else { return }
    lock.lock()
    unsafe shared.step = step
    unsafe swap(&shared.note, &note)
    lock.unlock()
  }

  package func didDispatch(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores
  ) {
    intervals?.endStep(outcome.result.name)
    guard let (log, step, action) = endStep(at: envelope.time) else { return }
    // A step can draw secrets only if there are secrets.
    if SecretCoding.isInUse { log.show(outcome.secrets) }
    if step.fate == .recorded {
      var took: UInt64?
      if let began = step.began { took = (log.age - began).wholeMicroseconds }
      // The changes are listed in place: passing a list counts references.
      log.writer.append(
        DispatchedStep(
          consume envelope, outcome, changes, action: action, created: log.created, took: took,
          recordsSource: options.recordsSource))
    } else {
      log.skip(envelope, ChangedStates(of: changes), step.fate)
    }
  }

  /// Ends a step; returns its log, its fate, and its action if that was logged before its reducers ran.
  @inline(__always)
  private func endStep(at time: Date) -> (Recording, Step, NotedAction?)? {
    if process.isForked { return nil }
    lock.lock()
    let step = unsafe shared.endStep(at: time)
    let log = unsafe shared.log
    let note = unsafe shared.note.take()
    lock.unlock()
    guard let step, let log else { return nil }
    return (log, step, note)
  }

  /// Writes the model to which the app was set, and waits until it is in the file.
  ///
  /// The next action may be logged only after that.
  public func didRestore(_ restoration: Restoration) {
    if process.isForked { return }
    let (open, beginning, isPaused) = lock.withLock {
      unsafe (shared.openLog, shared.beginning, shared.isPaused)
    }
    guard let open, let beginning else { return }
    open.restore(restoration, beginning: beginning, isPaused: isPaused)
  }
}
