extension RecordingSession {
  /// Records an action once its reducer has run.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - states: The states that it led to, by the names of their stores: all, or those that may have
  ///     changed; nil for one that is gone.
  ///   - target: The store that the action was addressed to, where it was addressed to one.
  ///   - cause: The earlier step that led to this one, as ``record(action:states:target:cause:effect:file:line:)``
  ///     returned it.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - file: Where it was recorded.
  ///   - line: Where it was recorded.
  /// - Returns: The number of the step, which is the cause of what follows from it; nil where the call came
  ///   from inside another step, or recording could not begin.
  @discardableResult
  public func record(
    action: some Encodable & Sendable, states: [String: (any Encodable & Sendable)?],
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    let origin = StepOrigin(target: target, cause: cause, effect: effect, file: file, line: line)
    let step = OpenStep(self, action, origin, isTimed: false)
    let number = step.number
    step.commit(states: states)
    return number
  }

  /// Records an action that was refused: no state changed.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - rejection: Why, as one sentence for people.
  ///   - store: The store that refused it, where one did.
  ///   - target: The store that the action was addressed to, where it was addressed to one.
  ///   - cause: The earlier step that led to this one.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - file: Where it was recorded.
  ///   - line: Where it was recorded.
  /// - Returns: The number of the step; nil where the call came from inside another step, or recording
  ///   could not begin.
  @discardableResult
  public func record(
    action: some Encodable & Sendable, rejection: String, store: String? = nil,
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    let origin = StepOrigin(target: target, cause: cause, effect: effect, file: file, line: line)
    let step = OpenStep(self, action, origin, isTimed: false)
    let number = step.number
    step.reject(rejection, store: store)
    return number
  }

  /// Notes an action before its reducer runs, so that one that crashes the app is in the log.
  ///
  /// ```swift
  /// let step = session.begin(action)
  /// state = reducer(action, state)
  /// step.commit(states: ["counter": state])
  /// ```
  /// Until the step ends, other threads that record wait for their turn. An action that is recorded from
  /// inside has no step of its own: what it changes is in the open one, and a warning says so once.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that the action was addressed to, where it was addressed to one.
  ///   - cause: The earlier step that led to this one.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - file: Where it was recorded.
  ///   - line: Where it was recorded.
  /// - Returns: The step. It has to end on the same thread.
  @available(*, noasync, message: "a step has to end on the thread that began it")
  public func begin(
    _ action: some Encodable & Sendable, target: String? = nil, cause: UInt64? = nil,
    effect: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> OpenStep {
    let origin = StepOrigin(target: target, cause: cause, effect: effect, file: file, line: line)
    return OpenStep(self, action, origin, isTimed: options.notesDuration)
  }
}
