import FluxCore
import FluxReplay
import FluxSystem

/// Watches the steps of a dispatcher for a host; a dispatcher has it only while a client is attached.
struct LiveTap: AttachedMiddleware {
  let queue: LiveQueue
  let models: KeptModels
  let recorder: Recorder
  let process = ProcessIdentity()

  func didAttach(_ context: DispatcherContext) {
    queue.lastStep = context.nextStep &- 1
    // The app has its states in any case.
    models.keep(context.model, after: context.nextStep &- 1, changed: [])
  }

  func didDispatch(_ step: CompletedStep) {
    // Before any lock: another thread of the parent may have held it.
    if process.isForked { return }
    queue.append(step, isTold: recorder.writes(step.envelope))
  }

  func didRestore(_ restoration: Restoration) {
    if process.isForked { return }
    queue.append(.happened(.restored(step: restoration.step, next: restoration.nextStep)))
  }
}
