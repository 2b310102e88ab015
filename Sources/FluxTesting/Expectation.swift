public import FluxCore
import FluxJSON
import FluxRecorder
public import Testing

/// Expects exactly these steps, changes, follow-ups and effects of a dispatcher.
///
/// ```swift
/// await expect(dispatcher) { shop in
///   shop.send(WishAction.add("tea")) { $0[WishStore.self].append("tea") }
///   shop.send(Checkout.Action.pay) { $0[Checkout.self] = .paying }
///   await shop.receive(Checkout.Action.paid(receipt: "42")) { $0[Checkout.self] = .done }
/// }
/// ```
/// Each step is compared with the states right after it, even if more steps have run since. These are issues:
/// - a state, in any store, that differs from the one that `send` or `receive` expects
/// - a step that nobody received: a follow-up, an action of an effect, of an observer or of another thread
/// - an effect that still runs at the end, or that sent no action and is not named
/// - a rejection that was not expected
///
/// - Parameters:
///   - dispatcher: The dispatcher.
///   - names: The effects that may still run at the end, such as one that reads a socket.
///   - timeout: The time to wait for an effect's action before it is an issue.
///   - sourceLocation: The location of the issues about the end.
///   - body: Sends and receives actions.
/// - Throws: The error of `body`.
nonisolated(nonsending) public func expect(
  _ dispatcher: Dispatcher, except names: Set<String> = [], timeout: Duration = .seconds(10),
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ body: nonisolated(nonsending) (Expectation) async throws -> Void
) async rethrows {
  let expectation = Expectation(dispatcher, except: names, timeout: timeout)
  defer { expectation.uninstall() }
  try await body(expectation)
  await expectation.finish(sourceLocation)
}

/// The expected steps of a dispatcher, one after the other.
public final class Expectation {
  private let dispatcher: Dispatcher
  /// The names of the effects that may still run at the end.
  private let exceptions: Set<String>
  private let timeout: Duration
  private let collector = StepCollector()
  let uninstall: @Sendable () -> Void
  /// The started effects that neither a name nor an action of theirs has accounted for.
  private var openEffects: [OpenEffect] = []

  private struct OpenEffect {
    let step: UInt64
    let action: String
    let store: StoreID
    let name: String
  }

  init(_ dispatcher: Dispatcher, except names: Set<String>, timeout: Duration) {
    self.dispatcher = dispatcher
    exceptions = names
    self.timeout = timeout
    uninstall = dispatcher.install(collector)
  }

  // MARK: Steps

  /// Dispatches an action, and expects what its step changes.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store to send the action to; nil for every store that handles it.
  ///   - effects: The effects that the step asks for, in order: `save` starts one, `-save` cancels it. Nil to
  ///     accept any, if their actions are received.
  ///   - rejection: The message of the rejection; nil if the step commits.
  ///   - sourceLocation: The location of the issues.
  ///   - change: Changes the states as the step does; nil if it changes none.
  public func send(
    _ action: some Action, to target: StoreID? = nil, effects: [String]? = nil,
    rejection: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ change: ((inout ExpectedModel) throws -> Void)? = nil
  ) {
    let waiting = collector.all
    if !waiting.isEmpty {
      issue("receive these actions before you send another one:\n" + list(waiting), sourceLocation)
      while collector.takeFirst() != nil {}
    }
    let outcome = dispatcher.dispatch(action, to: target)
    guard let number = outcome.step, let step = collector.take(number) else {
      issue("\(Self.text(of: action)) did not run: it was \(outcome.verdict)", sourceLocation)
      return
    }
    judge(step, effects, rejection, sourceLocation, change)
  }

  /// Waits for the next step, and expects its action and what it changes.
  ///
  /// Steps are received in the order in which they ran: follow-ups, and actions of effects and observers.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - effects: The effects that the step asks for, as in
  ///     ``send(_:to:effects:rejection:sourceLocation:_:)``.
  ///   - rejection: The message of the rejection; nil if the step commits.
  ///   - sourceLocation: The location of the issues.
  ///   - change: Changes the states as the step does; nil if it changes none.
  nonisolated(nonsending) public func receive(
    _ action: some Action, effects: [String]? = nil, rejection: String? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ change: ((inout ExpectedModel) throws -> Void)? = nil
  ) async {
    guard let step = await nextStep(Self.text(of: action), sourceLocation) else { return }
    let difference = StateDiff(
      expected: Self.lines(of: action), actual: Self.lines(of: step.envelope.action))
    if !difference.text.isEmpty {
      let number = step.envelope.step
      issue("step \(number) is a different action:\n\n\(difference.text)", sourceLocation)
    }
    judge(step, effects, rejection, sourceLocation, change)
  }

  /// Waits for the next step, and expects the case of its action, whatever its values are.
  ///
  /// The values go to `change`: `await $0.receive(Search.Action.found) { $0[Search.self] = .results($1) }`.
  ///
  /// - Parameters:
  ///   - makeAction: The case, for example `Search.Action.found`.
  ///   - effects: The effects that the step asks for, as in
  ///     ``send(_:to:effects:rejection:sourceLocation:_:)``.
  ///   - rejection: The message of the rejection; nil if the step commits.
  ///   - sourceLocation: The location of the issues.
  ///   - change: Changes the states as the step does; nil if it changes none.
  nonisolated(nonsending) public func receive<each Value, A: Action>(
    _ makeAction: (repeat each Value) -> A, effects: [String]? = nil, rejection: String? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ change: ((inout ExpectedModel, repeat each Value) throws -> Void)? = nil
  ) async {
    let expected = "an action \(A.kind) of the expected case"
    guard let step = await nextStep(expected, sourceLocation) else { return }
    guard let values = associatedValues(of: step.envelope.action, makeAction) else {
      let found = Self.text(of: step.envelope.action)
      issue("step \(step.envelope.step) is \(found), not \(expected)", sourceLocation)
      return
    }
    judge(step, effects, rejection, sourceLocation) { try change?(&$0, repeat each values) }
  }

  nonisolated(nonsending) private func nextStep(
    _ expected: String, _ sourceLocation: Testing.SourceLocation
  ) async -> CollectedStep? {
    await wait(forExceptions: true) { !collector.all.isEmpty }
    let step = collector.takeFirst()
    if step == nil { issue("\(expected) was not received; \(effectsNow())", sourceLocation) }
    return step
  }

  private func judge(
    _ step: CollectedStep, _ effects: [String]?, _ rejection: String?,
    _ sourceLocation: Testing.SourceLocation, _ change: ((inout ExpectedModel) throws -> Void)?
  ) {
    let name = Self.name(of: step)
    compare(rejection, step.outcome.rejection, name, sourceLocation)
    var expected = ExpectedModel(step, seed: dispatcher.seed)
    do {
      try change?(&expected)
    } catch {
      issue("\(name): the expected change threw \(error)", sourceLocation)
    }
    for store in expected.model.differences(from: step.after) {
      issue(
        "\(name) left \(store) in a different state:\n\n" + difference(expected, step, store),
        sourceLocation)
    }
    account(step, effects, name, sourceLocation)
  }

  private func compare(
    _ expected: String?, _ rejection: Rejection?, _ name: String,
    _ sourceLocation: Testing.SourceLocation
  ) {
    switch (expected, rejection?.message) {
    case (nil, nil): break
    case (nil, let message?): issue("\(name) was rejected: \(message)", sourceLocation)
    case (let expected?, nil):
      issue("\(name) was not rejected; expected: \(expected)", sourceLocation)
    case (let expected?, let message?) where expected != message:
      let difference = StateDiff(expected: [expected], actual: [message])
      issue("\(name) was rejected for a different reason:\n\n\(difference.text)", sourceLocation)
    case (.some, .some): break
    }
  }

  private func difference(_ expected: ExpectedModel, _ step: CollectedStep, _ store: StoreID)
    -> String
  {
    let states = [expected.model, step.after].map { $0.snapshot(of: store) }
    let text = StateDiff(expected: states[0], actual: states[1]).text
    return text.isEmpty ? "    the two are not equal, but encode to the same JSON" : text
  }

  // MARK: Effects

  private func account(
    _ step: CollectedStep, _ expected: [String]?, _ name: String,
    _ sourceLocation: Testing.SourceLocation
  ) {
    if let effect = step.envelope.effect, let cause = step.envelope.cause {
      openEffects.removeAll { $0.step == cause && $0.name == effect }
    }
    let requests = step.outcome.requestedEffects
    // A replaced or cancelled effect does not come back.
    openEffects.removeAll { open in
      requests.contains { $0.store == open.store && $0.name == open.name }
    }
    guard let expected else {
      openEffects += requests.filter { !$0.isCancellation }.map {
        OpenEffect(step: step.envelope.step, action: name, store: $0.store, name: $0.name)
      }
      return
    }
    let found = requests.map { ($0.isCancellation ? "-" : "") + $0.name }
    let difference = StateDiff(expected: expected, actual: found).text
    if !difference.isEmpty {
      issue("\(name) asked for different effects:\n\n\(difference)", sourceLocation)
    }
  }

  /// Expects that nothing is left: no step, and no effect.
  nonisolated(nonsending) func finish(_ sourceLocation: Testing.SourceLocation) async {
    await wait { false }
    let steps = collector.all
    if !steps.isEmpty {
      issue("these actions were not received:\n" + list(steps), sourceLocation)
    }
    let running = dispatcher.runningEffects.filter { !exceptions.contains($0.name) }
    if !running.isEmpty {
      issue(effectsNow() + "; cancel them, or advance the clock", sourceLocation)
    }
    for open in openEffects
    where !exceptions.contains(open.name)
      && !running.contains(where: { $0.store == open.store && $0.name == open.name })
    {
      let back = steps.contains {
        $0.envelope.cause == open.step && $0.envelope.effect == open.name
      }
      if back { continue }
      issue(
        "\(open.action) started the effect \(open.name) of \(open.store), which sent nothing; "
          + "expect it with effects: [\"\(open.name)\"]", sourceLocation)
    }
  }

  private func effectsNow() -> String {
    let running = dispatcher.runningEffects
    return running.isEmpty
      ? "no effect is running"
      : "these effects are still running: \(running.map(\.description).sorted().joined(separator: ", "))"
  }

  // MARK: Time

  /// Advances the dispatcher's test clock; effects fall asleep before, and whenever one has been woken.
  ///
  /// Steps that happen on the way are received afterwards. It is an issue if the dispatcher has another clock.
  ///
  /// - Parameters:
  ///   - duration: The duration; nil to advance until no effect sleeps.
  ///   - sourceLocation: The location of the issue.
  nonisolated(nonsending) public func advance(
    by duration: Duration?, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async {
    guard let clock = dispatcher.clock as? TestClock else {
      issue("the dispatcher has no TestClock: pass one as its clock", sourceLocation)
      return
    }
    let target = duration.map { clock.now.advanced(by: $0) }
    await clock.advance(to: target) { await wait { false } }
  }

  /// Waits until `isDone`, or until nothing can happen any more: no effect runs, or all of them sleep on the clock.
  ///
  /// - Parameters:
  ///   - forExceptions: `true` to wait for the excepted effects, too.
  ///   - isDone: Ends the wait.
  nonisolated(nonsending) private func wait(
    forExceptions: Bool = false, _ isDone: () -> Bool
  ) async {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    var quietRounds = 0
    while !isDone(), quietRounds < 20, ContinuousClock.now < deadline {
      let running = dispatcher.runningEffects.filter {
        forExceptions || !exceptions.contains($0.name)
      }.compactMap(\.task)
      let sleeping = (dispatcher.clock as? TestClock)?.sleepingEffects ?? []
      guard dispatcher.isIdle, sleeping.isSuperset(of: running) else {
        quietRounds = 0
        await Self.pause()
        continue
      }
      if running.isEmpty { return }
      // An effect that has tasks of its own may sleep in one and work in another.
      quietRounds += 1
      await Self.pause()
    }
  }

  nonisolated(nonsending) static func pause() async {
    await Task.yield()
    // Longer than a yield, because an effect may need a thread of its own to end. Only a cancelled test ends it
    // early.
    do { try await Task.sleep(for: .microseconds(200)) } catch {}
  }

  // MARK: Texts

  private func issue(_ text: String, _ sourceLocation: Testing.SourceLocation) {
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }

  private func list(_ steps: [CollectedStep]) -> String {
    steps.map { step in
      let origin =
        switch (step.envelope.effect, step.envelope.cause) {
        case (let effect?, _): ", from the effect \(effect)"
        case (nil, let cause?): ", caused by step \(cause)"
        case (nil, nil): ""
        }
      return "  \(step.envelope.step) \(Self.text(of: step.envelope.action))\(origin)"
    }.joined(separator: "\n")
  }

  private static func name(of step: CollectedStep) -> String {
    "step \(step.envelope.step), \(text(of: step.envelope.action)),"
  }

  /// The action as in a log: `cart/add {"product":"tea"}`.
  private static func text(of action: any Action) -> String {
    do {
      let json = try ActionCoder().encode(action)
      let payload = json["payload"].map { " \($0)" } ?? ""
      return (json["type"]?.string ?? "") + payload
    } catch {
      return "\(action)"
    }
  }

  private static func lines(of action: any Action) -> [String] {
    do {
      return try ActionCoder().encode(action).pretty().split(separator: "\n").map(String.init)
    } catch {
      return ["\(action)"]
    }
  }
}

/// The associated values of an action; nil if it is not of the case that `makeAction` makes.
private func associatedValues<each Value, A: Action>(
  of action: any Action, _ makeAction: (repeat each Value) -> A
) -> (repeat each Value)? {
  guard let payload = Mirror(reflecting: action).children.first else { return nil }
  var found = payload.value as? (repeat each Value)
  // A single value with a label is reflected as a tuple of one element.
  let tuple = Mirror(reflecting: payload.value)
  if found == nil, tuple.displayStyle == .tuple, tuple.children.count == 1 {
    found = tuple.children.first?.value as? (repeat each Value)
  }
  guard let values = found, type(of: action) == A.self,
    Mirror(reflecting: makeAction(repeat each values)).children.first?.label == payload.label
  else { return nil }
  return values
}
