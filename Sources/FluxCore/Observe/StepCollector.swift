/// Keeps the steps of a dispatcher until they are taken.
package final class StepCollector: AttachedMiddleware, @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  /// A step, and the states before it.
  package typealias Entry = (step: CompletedStep, before: Model?)

  private let keepsModels: Bool
  private let lock = Lock()
  private var last: Model?
  private var entries: [Entry] = []
  private var nextAfterRestoring: UInt64 = 0

  /// Creates a collector; without `keepsModels`, entries lack the states before their steps.
  package init(keepsModels: Bool) { self.keepsModels = keepsModels }

  package func didAttach(_ context: DispatcherContext) { follow(context.model) }

  package func didRestore(_ restoration: Restoration) {
    lock.withLock { nextAfterRestoring = restoration.nextStep }
    follow(restoration.model)
  }

  private func follow(_ model: Model) {
    if keepsModels { lock.withLock { last = model } }
  }

  package func didDispatch(_ step: CompletedStep) {
    lock.lock()
    defer { lock.unlock() }
    entries.append((step, last))
    if keepsModels { last = step.model }
  }

  /// The number of the first step after the dispatcher was last set to another model, which cancelled all effects; 0 if it
  /// never was.
  package var firstAfterRestoring: UInt64 { lock.withLock { nextAfterRestoring } }

  /// The steps that wait, in order.
  package var all: [CompletedStep] { lock.withLock { entries.map(\.step) } }

  package func takeFirst() -> Entry? {
    lock.withLock { entries.isEmpty ? nil : entries.removeFirst() }
  }

  package func take(_ number: UInt64) -> Entry? {
    lock.withLock {
      entries.firstIndex { $0.step.envelope.step == number }.map { entries.remove(at: $0) }
    }
  }

  /// Puts the steps that wait in the place of `taken`, whose memory is used for the next ones.
  package func take(_ taken: inout [Entry]) {
    taken.removeAll(keepingCapacity: true)
    lock.lock()
    defer { lock.unlock() }
    swap(&entries, &taken)
  }
}
