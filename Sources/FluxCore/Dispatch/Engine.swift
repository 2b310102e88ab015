import Foundation
import Synchronization

/// The machinery behind a dispatcher: gives the turn to one thread at a time and runs steps in it.
///
/// It adds scheduling, middleware, observers and effects to the kernel. The rules of the kernel apply: see
/// there for `turn` and `lock`.
@usableFromInline
final class Engine: Kernel, @unchecked Sendable {
  // Sendable: constants, data of the turn, and variables under `lock`.

  let mode: Dispatcher.Mode
  let effects: EffectCenter
  let turnstile = Turnstile<QueuedWork>()
  let middleware = TurnLocal<MiddlewareChain?>(nil)
  let owned = OwnedObservations()
  let presentation = Presentation()
  let liveQueries = LiveQueries()
  let terminationHandlers = TerminationHandlers()
  private let queryCount = Atomic<UInt64>(0)

  /// The observers; guarded by `lock`.
  let observers: TurnLocal<ObserverTable>

  init(
    _ stores: [any Store], mode: Dispatcher.Mode, seed: UInt64, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date
  ) {
    self.mode = mode
    effects = EffectCenter(clock: clock)
    observers = TurnLocal(ObserverTable(storeCount: 0))
    super.init(stores, seed: seed, clock: now)
    observers.value = ObserverTable(storeCount: slots.count)
  }

  // MARK: Dispatching

  /// Runs an action that an app dispatches; its parameters are those of a `Call`, because passing a whole call
  /// from another module copies it.
  @usableFromInline
  func dispatch(
    _ reference: ActionReference, to target: StoreID?, at slot: Int?, _ file: StaticString,
    _ line: UInt
  ) -> Outcome {
    dispatch(reference, Call(file: file, line: line, target: target, slot: slot))
  }

  /// Runs an action as a step and then everything that follows from it; inside a turn, queues the action.
  ///
  /// `then` gets the outcome in the action's turn, after its observers.
  @inline(__always)
  func dispatch(
    _ reference: ActionReference, _ call: Call, then: (@Sendable (Outcome) -> Void)? = nil
  ) -> Outcome {
    switch turnstile.enter() {
    case .nested:
      return queueNested(reference.action, call, then: then)
    case .wouldDeadlock:
      enqueue(reference.action, call, then: then)
      return .queued
    case .entered:
      let outcome = runStep(reference, call)
      if let then { then(outcome) }
      drain()
      return outcome
    }
  }

  /// Queues an action and returns; the worker runs it, or inside a turn, this thread.
  func enqueue(_ action: any Action, _ call: Call, then: (@Sendable (Outcome) -> Void)?) {
    if turnstile.hasTurn {
      queueNested(action, call, then: then)
      return
    }
    call.origin?.activity?.enter()
    let queued = QueuedAction(action: action, call: call, then: then)
    if !enqueue(.action(queued)) { call.origin?.activity?.leave() }
  }

  /// Queues work that no thread waits for; returns `false` if the dispatcher is gone.
  @discardableResult
  func enqueue(_ work: QueuedWork) -> Bool {
    guard let needsWorker = turnstile.appendDetached(work) else { return false }
    if needsWorker { startWorker() }
    return true
  }

  /// Calls `body` in a turn of its own, or in the current turn if this thread has it.
  func withTurn(_ body: () -> Void) {
    let entry = turnstile.enter(waitsInsideOtherTurns: true)
    body()
    if entry == .entered { drain() }
  }

  /// Queues an action that code inside a step dispatches; it belongs to that step and its activity.
  ///
  /// In replay it is ignored, because the replayed log contains it as a step of its own.
  @discardableResult
  func queueNested(
    _ action: any Action, _ call: Call, isFollowUp: Bool = false,
    then: (@Sendable (Outcome) -> Void)? = nil
  ) -> Outcome {
    if mode == .replay {
      then?(.ignored)
      return .ignored
    }
    var call = call
    let origin = call.origin
    // A restored model has no step that could be the cause of what its observers dispatch.
    let cause = turn.value.isRestoring ? nil : turn.value.stepNumber
    call.origin = Call.Origin(
      cause: origin?.cause ?? cause, effect: origin?.effect,
      activity: origin?.activity ?? turn.value.activity, recorded: origin?.recorded,
      isFromObserver: !isFollowUp && origin?.effect == nil && cause != nil,
      restoreCount: turn.value.restoreCount)
    call.origin?.activity?.enter()
    turnstile.append(.action(QueuedAction(action: action, call: call, then: then)))
    return .queued
  }

  @inline(__always)
  func drain() {
    if turnstile.tryToLeave() { return }
    while let work = turnstile.next() { run(work) }
  }

  private func run(_ work: QueuedWork) {
    switch work {
    case .action(let queued): run(queued)
    case .restore(let model): restore(model)
    // The follow-ups of the step that asked for it are in the queue by now.
    case .restoreLater(let model): turnstile.append(.restore(model))
    case .ignoreActions(let ignoresActions): ignoreActions(ignoresActions)
    }
  }

  /// Does work in a turn: now, or behind the work that this thread has queued in its turn.
  func perform(_ work: QueuedWork) {
    switch turnstile.enter() {
    case .nested:
      if case .restore(let model) = work {
        turnstile.append(.restoreLater(model))
      } else {
        turnstile.append(work)
      }
    case .wouldDeadlock: enqueue(work)
    case .entered:
      run(work)
      drain()
    }
  }

  private func run(_ queued: QueuedAction) {
    let outcome = run(queued.action, queued.call)
    if let then = queued.then {
      // Actions that `then` dispatches belong to the activity of this action.
      turn.value.activity = queued.call.origin?.activity
      then(outcome)
      turn.value.activity = nil
    }
    queued.call.origin?.activity?.leave()
  }

  private func run(_ action: some Action, _ call: Call) -> Outcome {
    ActionReference.withReference(to: action) { runStep($0, call) }
  }

  private func startWorker() {
    let thread = Thread { [self] in turnstile.work { run($0) } }
    thread.name = "FluxCore.Dispatcher"
    thread.start()
  }

  func nextQueryNumber() -> UInt64 {
    queryCount.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Cancels the effects, and ends the worker after it has run the queued actions.
  func close() {
    effects.close()
    turnstile.close()
    terminationHandlers.run()
  }

  // MARK: Middleware

  /// Adds a middleware; returns the flag that removes it.
  @discardableResult
  func use(_ middleware: any Middleware) -> Cancellation {
    let cancellation = Cancellation()
    withTurn {
      middleware.didAttach(context())
      let last = MiddlewareChain.of(middleware, cancellation)
      self.middleware.value = self.middleware.value?.appending(last) ?? last
    }
    return cancellation
  }

  /// The context for a middleware that is being added; called in the turn.
  func context() -> DispatcherContext {
    DispatcherContext(
      stores: slots.map {
        DispatcherContext.Store(id: $0.id, typeName: $0.typeName, isFeature: $0.isFeature)
      },
      seed: seed, mode: mode, nextStep: turn.value.stepNumber &+ 1, time: laterOfLast(clock()),
      clock: clock, model: published.value)
  }

  // MARK: Observers

  /// The committed state of a store, for any thread.
  @usableFromInline
  func snapshot(at index: Int) -> StateSnapshot {
    lock.withLock { published.value.snapshots[index] }
  }

  /// All committed states, for any thread.
  var publishedModel: Model {
    lock.withLock { published.value }
  }

  /// Adds an observer of one store; it misses no change after the snapshot that is returned.
  @usableFromInline
  func register(
    _ observer: Observer, at index: Int, _ cancellation: Cancellation
  ) -> (receipt: Receipt, snapshot: StateSnapshot) {
    let registration = Registration()
    let snapshot = lock.withLock { () -> StateSnapshot in
      observers.value.add(observer, registration, at: SlotSet(index))
      return published.value.snapshots[index]
    }
    return (receipt(of: registration, cancellation), snapshot)
  }

  /// Adds an observer of the model; it misses no change after the model that is returned.
  ///
  /// Every step calls it until `firstSelection` has found the stores that its selector reads.
  @usableFromInline
  func register(
    _ observer: Observer, _ registration: Registration, _ cancellation: Cancellation
  ) -> (receipt: Receipt, model: Model) {
    let model = lock.withLock { () -> Model in
      observers.value.add(observer, registration, at: nil)
      return published.value
    }
    return (receipt(of: registration, cancellation), model)
  }

  /// Runs the selector of a new observer, and moves the observer to the stores that the selector reads.
  ///
  /// If steps of other threads have run the selector in the meantime, its place is the one that they found.
  @usableFromInline
  func firstSelection<Value>(
    from model: Model, _ registration: Registration, _ select: (borrowing ModelReader) -> Value
  ) -> Value {
    let (value, slots) = ModelReader.read(model, select)
    let settled = lock.withLock { observers.value.settle(registration, at: slots) }
    withExtendedLifetime(settled) {}
    return value
  }

  /// Moves an observer of the model whose selector has read other stores than before.
  func move(_ registration: Registration, to slots: SlotSet) {
    let moved = lock.withLock { observers.value.move(registration, to: slots) }
    withExtendedLifetime(moved) {}
  }

  /// Returns the receipt of an observer; it releases the observer without the lock, because its captures may
  /// have deinitialisers that dispatch.
  private func receipt(of registration: Registration, _ cancellation: Cancellation) -> Receipt {
    Receipt { [self] in
      cancellation.cancel()
      let removed = lock.withLock { observers.value.remove(registration) }
      withExtendedLifetime(removed) {}
    }
  }
}

extension Engine {
  func dispatch(_ action: some Action, fromEffectOf slot: Int, _ call: Call) -> Outcome {
    var call = call
    call.target = call.target ?? target(of: type(of: action), from: slot)
    return ActionReference.withReference(to: action) { dispatch($0, call) }
  }
}

/// The work of a turn.
enum QueuedWork: Sendable {
  case action(QueuedAction)
  case restore(Model)
  /// Queues a model to restore once more, behind what is in the queue then.
  case restoreLater(Model)
  case ignoreActions(Bool)
}

struct QueuedAction: Sendable {
  let action: any Action
  let call: Call
  let then: (@Sendable (Outcome) -> Void)?
}

/// The closures to call when a dispatcher is released.
final class TerminationHandlers: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = Lock()
  private var handlers: [UInt64: @Sendable () -> Void] = [:]
  private var count: UInt64 = 0

  /// Adds a handler and returns the number that removes it.
  func add(_ handler: @escaping @Sendable () -> Void) -> UInt64 {
    lock.withLock {
      count += 1
      handlers[count] = handler
      return count
    }
  }

  func remove(_ number: UInt64) {
    let removed = lock.withLock { handlers.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }

  func run() {
    let handlers = lock.withLock { () -> [@Sendable () -> Void] in
      defer { self.handlers = [:] }
      return Array(self.handlers.values)
    }
    for handler in handlers { handler() }
  }
}
