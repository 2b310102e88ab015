import Foundation

/// The machinery behind a dispatcher: gives the turn to one thread at a time, and runs each action in it as one
/// transaction over the stores.
///
/// It knows no type of any app. `turn` belongs to the thread that has the turn. `lock` guards everything that other
/// threads use as well. It is held for a few instructions only, and never while code of the app runs, which includes
/// deinitializers.
@usableFromInline
final class Engine: @unchecked Sendable {
  // Sendable: constants, data of the turn, and variables under `lock`.

  let layout: Layout
  let slots: [Slot]
  let routes: RouteTable
  let actionTypes: [String: any Action.Type]
  let seed: UInt64
  let clock: @Sendable () -> Date
  /// `false` in a replay: the log contains the follow-ups and the actions of effects.
  let dispatchesFollowUps: Bool
  let runsEffects: Bool
  let effects: EffectCenter
  let turnstile = Turnstile<QueuedWork>()
  let owned = OwnedObservations()
  let presentation = Presentation()
  /// The queries whose receipts are alive, with the slots of their stores of open queries.
  let liveQueries = NumberedValues<(slot: Int, query: any Sendable)>()
  /// The closures to call when the dispatcher is released.
  let terminationHandlers = NumberedValues<@Sendable () -> Void>()
  let lock = Lock()
  @usableFromInline let turn: TurnLocal<Turn>
  let middleware = TurnLocal<MiddlewareChain?>(nil)
  /// The middleware that was added before the step of the turn committed, to be attached then.
  private let newMiddleware = TurnLocal<[(any Middleware, Cancellation)]>([])

  /// The committed states.
  ///
  /// The turn writes them under `lock`, so it reads them without the lock; other threads need it.
  @usableFromInline let published: TurnLocal<Model>

  /// The observers; guarded by `lock`.
  let observers: TurnLocal<ObserverTable>

  init(
    _ stores: [any Store], dispatchesFollowUps: Bool, runsEffects: Bool, seed: UInt64,
    clock: any Clock<Duration>, now: @escaping @Sendable () -> Date
  ) {
    let installer = StoreInstaller(stores)
    slots = installer.slots
    layout = Layout(
      slots.map { (id: $0.id, type: $0.storeType, isFeature: $0.isFeature) })
    routes = RouteTable(installer.routes)
    actionTypes = installer.actionTypes
    self.seed = seed
    self.clock = now
    self.dispatchesFollowUps = dispatchesFollowUps
    self.runsEffects = runsEffects
    effects = EffectCenter(clock: clock)
    turn = TurnLocal(Turn(storeCount: slots.count))
    published = TurnLocal(Model(layout, installer.initialStates))
    observers = TurnLocal(ObserverTable(storeCount: slots.count))
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

  func dispatch(_ action: some Action, fromEffectOf slot: Int, _ call: Call) -> Outcome {
    var call = call
    call.target = call.target ?? target(of: type(of: action), from: slot)
    return ActionReference.withReference(to: action) { dispatch($0, call) }
  }

  /// Queues an action and returns; the worker runs it, or inside a turn, this thread.
  func enqueue(_ action: any Action, _ call: Call, then: (@Sendable (Outcome) -> Void)?) {
    if turnstile.hasTurn {
      queueNested(action, call, then: then)
      return
    }
    call.origin?.activity?.enter()
    if !enqueue({ $0.run(action, call, then: then) }) { call.origin?.activity?.leave() }
  }

  /// Queues work that no thread waits for; returns `false` if the dispatcher is gone.
  @discardableResult
  func enqueue(_ work: @escaping QueuedWork) -> Bool {
    guard let needsWorker = turnstile.appendDetached(work) else { return false }
    if needsWorker { startWorker() }
    return true
  }

  /// Calls `body` in a separate turn, or in the current turn if this thread has it.
  func withTurn(_ body: () -> Void) {
    let entry = turnstile.enter(waitsInsideOtherTurns: true)
    body()
    if entry == .entered { drain() }
  }

  /// Queues an action that code inside a step dispatches; it belongs to that step and its activity.
  ///
  /// In replay it is ignored, because the replayed log contains it as a separate step.
  @discardableResult
  func queueNested(
    _ action: any Action, _ call: Call, isFollowUp: Bool = false,
    then: (@Sendable (Outcome) -> Void)? = nil
  ) -> Outcome {
    guard dispatchesFollowUps else {
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
    turnstile.append { [call] engine in engine.run(action, call, then: then) }
    return .queued
  }

  @inline(__always)
  func drain() {
    if turnstile.tryToLeave() { return }
    while let work = turnstile.next() { work(self) }
  }

  /// Does work in a turn: now, or behind what this thread has queued in its turn.
  ///
  /// With `waitsForFollowUps`, the work is also done behind the follow-ups of a step that is running.
  func perform(waitsForFollowUps: Bool = false, _ work: @escaping QueuedWork) {
    switch turnstile.enter() {
    // The step's follow-ups are in the queue when this item runs.
    case .nested where waitsForFollowUps: turnstile.append { $0.turnstile.append(work) }
    case .nested: turnstile.append(work)
    case .wouldDeadlock: enqueue(work)
    case .entered:
      work(self)
      drain()
    }
  }

  private func run(_ action: any Action, _ call: Call, then: (@Sendable (Outcome) -> Void)?) {
    let outcome = run(action, call)
    if let then {
      // Actions that `then` dispatches belong to the activity of this action.
      turn.value.activity = call.origin?.activity
      then(outcome)
      turn.value.activity = nil
    }
    call.origin?.activity?.leave()
  }

  @discardableResult
  func run(_ action: some Action, _ call: Call) -> Outcome {
    ActionReference.withReference(to: action) { runStep($0, call) }
  }

  /// Starts the thread for work that no other one does.
  ///
  /// It is Foundation's, because this module depends on no other one: if the system refuses it, that
  /// work waits, and what is dispatched after it.
  private func startWorker() {
    let thread = Thread { [self] in turnstile.work { $0(self) } }
    thread.name = "FluxCore.Dispatcher"
    thread.start()
  }

  /// Cancels the effects, and ends the worker after it has run the queued actions.
  func close() {
    effects.close()
    turnstile.close()
    for handler in terminationHandlers.all { handler() }
  }

  // MARK: Middleware

  /// Adds a middleware, or queues that if waiting for the turn could take forever; returns the flag that removes it.
  @discardableResult
  func use(_ middleware: any Middleware) -> Cancellation {
    let cancellation = Cancellation()
    switch turnstile.enter() {
    case .nested where turn.value.isBeforeCommit:
      newMiddleware.value.append((middleware, cancellation))
    case .nested: attach(middleware, cancellation)
    case .wouldDeadlock: enqueue { $0.attach(middleware, cancellation) }
    case .entered:
      attach(middleware, cancellation)
      drain()
    }
    return cancellation
  }

  /// Adds the middleware that was passed to ``use(_:)`` before the step committed: its states are known now.
  func attachNewMiddleware() {
    // Every step comes here, and hardly any has one.
    guard !newMiddleware.value.isEmpty else { return }
    let added = newMiddleware.value
    newMiddleware.value = []
    for (middleware, cancellation) in added { attach(middleware, cancellation) }
  }

  private func attach(_ middleware: any Middleware, _ cancellation: Cancellation) {
    (middleware as? any AttachedMiddleware)?.didAttach(context())
    let last = MiddlewareChain(middleware, cancellation)
    self.middleware.value = self.middleware.value?.appending(last) ?? last
  }

  /// The context for a middleware that is being added; called in the turn.
  func context() -> DispatcherContext {
    DispatcherContext(
      stores: slots.map { (id: $0.id, typeName: $0.typeName, isFeature: $0.isFeature) },
      seed: seed, nextStep: turn.value.stepNumber &+ 1, time: laterOfLast(clock()),
      clock: clock, model: published.value, watchEffects: { [effects] in effects.watch($0) })
  }
}

typealias QueuedWork = @Sendable (Engine) -> Void
