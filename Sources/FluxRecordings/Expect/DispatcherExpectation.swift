public import FluxCore

package typealias TestPlace = (file: StaticString, line: UInt)

/// Reports a problem to the framework that runs the test.
package typealias Reporter = @Sendable (_ problem: String, _ place: TestPlace) -> Void

/// The expected steps of a dispatcher, one after the other.
public final class DispatcherExpectation {
  let dispatcher: Dispatcher
  /// The names of the effects that may still run at the end.
  let exceptions: Set<String>
  let timeout: Duration
  let report: Reporter
  private let collector = StepCollector(keepsModels: true)
  /// The started effects that neither a name nor an action of theirs has accounted for.
  private var openEffects: [OpenEffect] = []

  private struct OpenEffect {
    let step: UInt64
    let action: String
    let request: Outcome.RequestedEffect
    var store: StoreID { request.store }
    var name: String { request.name }
  }

  package init(
    _ dispatcher: Dispatcher, except names: Set<EffectName>, timeout: Duration,
    report: @escaping Reporter
  ) {
    self.dispatcher = dispatcher
    exceptions = Set(names.map(\.rawValue))
    self.timeout = timeout
    self.report = report
  }

  /// Runs the body of an `expect`; problems that are found at its end belong to `place`.
  nonisolated(nonsending) package func check(
    at place: TestPlace,
    _ body: nonisolated(nonsending) (DispatcherExpectation) async throws -> Void
  ) async rethrows {
    let uninstall = dispatcher.install(collector)
    defer { uninstall() }
    try await body(self)
    await finish(place)
  }

  // MARK: Steps

  /// Dispatches an action, and expects what its step changes.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store to send the action to; nil for every store that handles it.
  ///   - effects: The effects that the step asks for, in order: `"save"` starts one, `"-save"` cancels it. Of a declared
  ///     name, these are `.save` and `-.save`. Nil to accept any, if their actions are received.
  ///   - rejection: The message of the rejection; nil if the step commits.
  ///   - file: The file of the problems.
  ///   - line: The line of the problems.
  ///   - change: Changes the states as the step does; nil if it changes none.
  public func send(
    _ action: some Action, to target: StoreID? = nil, effects: [EffectName]? = nil,
    rejection: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout ExpectedModel) throws -> Void)? = nil
  ) {
    let place: TestPlace = (file, line)
    let waiting = collector.all
    if !waiting.isEmpty {
      report("receive these actions before you send another one:\n" + list(waiting), place)
      while collector.takeFirst() != nil {}
    }
    let outcome = dispatcher.dispatch(action, to: target)
    guard let number = outcome.step, let entry = collector.take(number) else {
      report("\(Self.text(of: action)) did not run: it was \(outcome.result)", place)
      return
    }
    judge(entry, effects, rejection, place, change)
  }

  /// Waits for the next step, and expects its action and what it changes.
  ///
  /// Steps are received in the order in which they ran: follow-ups, and actions of effects and observers. The
  /// parameters are those of `send`.
  nonisolated(nonsending) public func receive(
    _ action: some Action, effects: [EffectName]? = nil, rejection: String? = nil,
    file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout ExpectedModel) throws -> Void)? = nil
  ) async {
    let place: TestPlace = (file, line)
    guard let entry = await nextStep(Self.text(of: action), place) else { return }
    let envelope = entry.step.envelope
    let difference = StateDiff(expectedAction: action, actual: envelope.action)
    if !difference.text.isEmpty {
      report("step \(envelope.step) is a different action:\n\n\(difference.text)", place)
    }
    judge(entry, effects, rejection, place, change)
  }

  /// Returns the next step; reports that `expected` was not received if there is none.
  nonisolated(nonsending) func nextStep(
    _ expected: String, _ place: TestPlace
  ) async -> StepCollector.Entry? {
    await wait(forExceptions: true) { !collector.all.isEmpty }
    let entry = collector.takeFirst()
    if entry == nil { report("\(expected) was not received; \(effectsNow())", place) }
    return entry
  }

  /// Compares a step with what the test expects of it.
  func judge(
    _ entry: StepCollector.Entry, _ effects: [EffectName]?, _ rejection: String?,
    _ place: TestPlace, _ change: ((inout ExpectedModel) throws -> Void)?
  ) {
    let step = entry.step
    let name = "step \(step.envelope.step), \(Self.text(of: step.envelope.action)),"
    compare(rejection, step.outcome.rejection, name, place)
    var expected = ExpectedModel(
      model: entry.before ?? step.model, envelope: step.envelope, seed: dispatcher.seed)
    do {
      try change?(&expected)
    } catch {
      report("\(name) was not compared: the expected change threw \(error)", place)
    }
    for store in expected.model.differences(from: step.model) {
      report(
        "\(name) left \(store) in a different state:\n\n" + difference(expected, step, store),
        place)
    }
    account(step, effects, name, place)
  }

  private func compare(
    _ expected: String?, _ rejection: Rejection?, _ name: String,
    _ place: TestPlace
  ) {
    switch (expected, rejection?.message) {
    case (nil, nil): break
    case (nil, let message?): report("\(name) was rejected: \(message)", place)
    case (let expected?, nil):
      report("\(name) was not rejected; expected: \(expected)", place)
    case (let expected?, let message?) where expected != message:
      let difference = StateDiff(expected: [expected], actual: [message])
      report("\(name) was rejected with a different message:\n\n\(difference.text)", place)
    case (.some, .some): break
    }
  }

  private func difference(_ expected: ExpectedModel, _ step: CompletedStep, _ store: StoreID)
    -> String
  {
    let states = [expected.model, step.model].map { $0.snapshot(of: store) }
    let text = StateDiff(expected: states[0], actual: states[1]).text
    return text.isEmpty ? "    the two are not equal, but encode to the same JSON" : text
  }

  // MARK: Effects

  private func account(
    _ step: CompletedStep, _ expected: [EffectName]?, _ name: String,
    _ place: TestPlace
  ) {
    if let effect = step.envelope.effect, let cause = step.envelope.cause {
      openEffects.removeAll { $0.step == cause && $0.name == effect }
    }
    // An effect that was replaced or cancelled does not come back.
    openEffects.removeAll { step.ends($0.request) }
    let requests = step.outcome.requestedEffects
    guard let expected else {
      openEffects += requests.filter { !$0.isCancellation }.map {
        OpenEffect(step: step.envelope.step, action: name, request: $0)
      }
      return
    }
    let found = requests.map { ($0.isCancellation ? "-" : "") + $0.name }
    let names: [String] = expected.map(\.rawValue)
    let difference = StateDiff(expected: names, actual: found).text
    if !difference.isEmpty {
      report("\(name) asked for different effects:\n\n\(difference)", place)
    }
  }

  /// Expects that nothing is left: no step, and no effect.
  nonisolated(nonsending) private func finish(_ place: TestPlace) async {
    await wait { false }
    let steps = collector.all
    if !steps.isEmpty {
      report("these actions were not received:\n" + list(steps), place)
    }
    let running = dispatcher.runningEffects.filter { !exceptions.contains($0.name) }
    if !running.isEmpty {
      report(effectsNow() + "; cancel them, or advance the clock", place)
    }
    let firstStep = collector.firstAfterRestoring
    for open in openEffects
    where open.step >= firstStep && !exceptions.contains(open.name)
      && !running.contains(where: { $0.store == open.store && $0.name == open.name })
    {
      let back = steps.contains {
        $0.envelope.cause == open.step && $0.envelope.effect == open.name
      }
      if back { continue }
      report(
        "\(open.action) started the effect \(open.name) of \(open.store), which sent nothing; "
          + "expect it with effects: [\"\(open.name)\"]", place)
    }
  }

  private func effectsNow() -> String {
    let running = dispatcher.runningEffects
    return running.isEmpty
      ? "no effect is running"
      : "these effects are still running: \(running.map(\.description).sorted().joined(separator: ", "))"
  }

  // MARK: Texts

  private func list(_ steps: [CompletedStep]) -> String {
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
}

extension EffectName {
  /// The cancellation of an effect, among the effects that a test expects: `effects: [-.save]`.
  public static prefix func - (name: EffectName) -> EffectName { "-\(name.rawValue)" }
}
