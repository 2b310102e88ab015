import Foundation
import Synchronization

/// The machinery behind a dispatcher: lets one thread at a time have the turn, and runs steps in it.
///
/// It knows no type of any app. `turn` belongs to the thread that has the turn. What other threads touch
/// as well is guarded by `lock`, which is only held for a few instructions and never while code of the
/// app runs, not even a deinitialiser.
@usableFromInline
final class Engine: @unchecked Sendable {
  // Sendable: constants, what belongs to the turn, and variables under `lock`.

  let layout: Layout
  let mode: Dispatcher.Mode
  let seed: UInt64
  let actionTypes: [String: any Action.Type]
  let slots: [Slot]
  let routes: RouteTable
  let clock: @Sendable () -> Date
  let effects: EffectCenter
  let turnstile = Turnstile<QueuedAction>()
  @usableFromInline let turn: Exclusive<Turn>
  let lock = Lock()
  private let queryCount = Atomic<UInt64>(0)
  let owned = OwnedObservations()
  let endings = Endings()

  /// The committed states, in the order of the slots.
  ///
  /// The turn writes them under `lock`, and so needs no lock for reading; everybody else does.
  ///
  /// A model and not only its states, so that middleware can be lent it.
  @usableFromInline let published: Exclusive<Model>
  /// The observers of each slot, in order of registration; guarded by `lock`.
  let observers: Exclusive<[[Observer]]>
  /// How many observers there have been; guarded by `lock`.
  let observerCount = Exclusive<UInt64>(0)

  init(
    _ stores: [any Store], mode: Dispatcher.Mode, seed: UInt64, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date
  ) {
    let installer = StoreInstaller(stores)
    layout = Layout(installer.slots)
    self.mode = mode
    self.seed = seed
    actionTypes = installer.actionTypes
    effects = EffectCenter(clock: clock)
    slots = installer.slots
    routes = RouteTable(installer.routes)
    turn = Exclusive(Turn(storeCount: installer.slots.count))
    published = Exclusive(Model(layout, installer.initialStates))
    observers = Exclusive(Array(repeating: [], count: installer.slots.count))
    self.clock = now
  }

  /// Runs an action that is simply dispatched; it takes the call apart because handing it over whole from
  /// another module copies it.
  @usableFromInline
  func dispatch(
    _ reference: ActionReference, to target: StoreID?, at slot: Int?, _ file: StaticString,
    _ line: UInt
  ) -> Outcome {
    dispatch(reference, Call(file: file, line: line, target: target, slot: slot))
  }

  /// Runs an action as a step of its own, and what follows from it; queues it where called from a step.
  @inline(__always)
  func dispatch(_ reference: ActionReference, _ call: Call) -> Outcome {
    switch turnstile.enter() {
    case .nested:
      return queueNested(reference.action, call)
    case .elsewhere:
      enqueue(reference.action, call, then: nil)
      return .queued
    case .entered:
      let outcome = runStep(reference, call)
      drain()
      return outcome
    }
  }

  /// Queues an action and returns; the worker runs it, or this turn where called from a step.
  func enqueue(_ action: any Action, _ call: Call, then: (@Sendable (Outcome) -> Void)?) {
    if turnstile.hasTurn {
      queueNested(action, call, then: then)
      return
    }
    call.origin?.activity?.enter()
    switch turnstile.appendDetached(QueuedAction(action: action, call: call, then: then)) {
    case true?: startWorker()
    case false?: break
    case nil: call.origin?.activity?.leave()
    }
  }

  /// Does something inside a turn of its own, or in the present one where called from a step.
  func withTurn(_ body: () -> Void) {
    let entry = turnstile.enter(evenFromElsewhere: true)
    body()
    if entry == .entered { drain() }
  }

  /// Queues what code inside a step dispatches: it belongs to that step, and to whoever waits for it.
  ///
  /// In replay it is ignored, because the log that is replayed has it as a step of its own.
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
    call.origin = Call.Origin(
      cause: origin?.cause ?? turn.value.stepNumber, effect: origin?.effect,
      activity: origin?.activity ?? turn.value.activity, recorded: origin?.recorded,
      isFromObserver: !isFollowUp && origin?.effect == nil)
    call.origin?.activity?.enter()
    turnstile.append(QueuedAction(action: action, call: call, then: then))
    return .queued
  }

  @inline(__always)
  private func drain() {
    if turnstile.tryToLeave() { return }
    while let queued = turnstile.next() { run(queued) }
  }

  private func run(_ queued: QueuedAction) {
    let outcome = run(queued.action, queued.call)
    if let then = queued.then {
      // What it dispatches belongs to whoever waits for this action.
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

  /// A number that no other query of this dispatcher has.
  func nextQueryNumber() -> UInt64 {
    queryCount.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Ends the effects, and the worker once it has run what is queued.
  func close() {
    effects.close()
    turnstile.close()
    endings.run()
  }

  // MARK: Middleware

  /// Adds a middleware; returns what to cancel when it is to go.
  @discardableResult
  func use(_ middleware: some Middleware) -> Cancellation {
    let installed = InstalledMiddleware.installing(middleware)
    withTurn {
      middleware.didAttach(attachment())
      turn.value.middleware.append(installed)
    }
    return installed.cancellation
  }
}

/// An action that waits for its turn.
struct QueuedAction: Sendable {
  let action: any Action
  let call: Call
  let then: (@Sendable (Outcome) -> Void)?
}
