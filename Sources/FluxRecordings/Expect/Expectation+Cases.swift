public import FluxCore

// Receiving an action of a case, whatever its values are.
//
// A closure without types whose parameters come from a pack of several values has no `inout` parameter: Swift 6.3 rejects
// `{ $0.append($1 + $2) }`. So there is a function for each number of values up to four.

extension DispatcherExpectation {
  /// Waits for the next step, and expects the case of its action, whatever its values are.
  ///
  /// The values go to `change`: `await $0.receive(Search.Action.found) { $0[Search.self] = .results($1) }`. The other
  /// parameters are those of `send`. With more than four values, `change` needs the types of its parameters.
  nonisolated(nonsending) public func receive<each Value, A: Action>(
    _ makeAction: (repeat each Value) -> A, effects: [EffectName]? = nil, rejection: String? = nil,
    file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout ExpectedModel, repeat each Value) throws -> Void)? = nil
  ) async {
    await receiveCase(makeAction, effects, rejection, (file, line), change)
  }

  /// Waits for the next step, and expects a case with two values.
  nonisolated(nonsending) public func receive<First, Second, A: Action>(
    _ makeAction: (First, Second) -> A, effects: [EffectName]? = nil, rejection: String? = nil,
    file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout ExpectedModel, First, Second) throws -> Void)? = nil
  ) async {
    await receiveCase(makeAction, effects, rejection, (file, line), change)
  }

  /// Waits for the next step, and expects a case with three values.
  nonisolated(nonsending) public func receive<First, Second, Third, A: Action>(
    _ makeAction: (First, Second, Third) -> A, effects: [EffectName]? = nil,
    rejection: String? = nil,
    file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout ExpectedModel, First, Second, Third) throws -> Void)? = nil
  ) async {
    await receiveCase(makeAction, effects, rejection, (file, line), change)
  }

  /// Waits for the next step, and expects a case with four values.
  nonisolated(nonsending) public func receive<First, Second, Third, Fourth, A: Action>(
    _ makeAction: (First, Second, Third, Fourth) -> A, effects: [EffectName]? = nil,
    rejection: String? = nil,
    file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout ExpectedModel, First, Second, Third, Fourth) throws -> Void)? = nil
  ) async {
    await receiveCase(makeAction, effects, rejection, (file, line), change)
  }

  nonisolated(nonsending) func receiveCase<each Value, A: Action>(
    _ makeAction: (repeat each Value) -> A, _ effects: [EffectName]?, _ rejection: String?,
    _ place: TestPlace, _ change: ((inout ExpectedModel, repeat each Value) throws -> Void)?
  ) async {
    let expected = "an action \(A.kind) of the expected case"
    guard let entry = await nextStep(expected, place) else { return }
    let envelope = entry.step.envelope
    guard let values = associatedValues(of: envelope.action, makeAction) else {
      let found = Self.text(of: envelope.action)
      report("step \(envelope.step) is \(found), not \(expected)", place)
      return
    }
    judge(entry, effects, rejection, place) { try change?(&$0, repeat each values) }
  }
}

extension StoreExpectation {
  /// Waits for the next step, and expects the case of its action, whatever its values are.
  ///
  /// The values go to `change`: `await $0.receive(Search.Action.found) { $0 = .results($1) }`. With more than four values,
  /// `change` needs the types of its parameters.
  nonisolated(nonsending) public func receive<each Value>(
    _ makeAction: (repeat each Value) -> S.OwnAction, effects: [EffectName]? = nil,
    rejection: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout S.State, repeat each Value) throws -> Void)? = nil
  ) async {
    await dispatcher.receiveCase(
      makeAction, effects, rejection, (file, line), changeOfModel(change))
  }

  /// Waits for the next step, and expects a case with two values.
  nonisolated(nonsending) public func receive<First, Second>(
    _ makeAction: (First, Second) -> S.OwnAction, effects: [EffectName]? = nil,
    rejection: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout S.State, First, Second) throws -> Void)? = nil
  ) async {
    await dispatcher.receiveCase(
      makeAction, effects, rejection, (file, line), changeOfModel(change))
  }

  /// Waits for the next step, and expects a case with three values.
  nonisolated(nonsending) public func receive<First, Second, Third>(
    _ makeAction: (First, Second, Third) -> S.OwnAction, effects: [EffectName]? = nil,
    rejection: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout S.State, First, Second, Third) throws -> Void)? = nil
  ) async {
    await dispatcher.receiveCase(
      makeAction, effects, rejection, (file, line), changeOfModel(change))
  }

  /// Waits for the next step, and expects a case with four values.
  nonisolated(nonsending) public func receive<First, Second, Third, Fourth>(
    _ makeAction: (First, Second, Third, Fourth) -> S.OwnAction, effects: [EffectName]? = nil,
    rejection: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout S.State, First, Second, Third, Fourth) throws -> Void)? = nil
  ) async {
    await dispatcher.receiveCase(
      makeAction, effects, rejection, (file, line), changeOfModel(change))
  }
}
