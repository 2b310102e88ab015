extension RecordingSession {
  /// Records an action after its reducer has run.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - states: The states after the action, by the names of their stores. Pass all states, or
  ///     those that may have changed; nil for a state that was removed.
  ///   - target: The store that the action was addressed to, if any.
  ///   - cause: The earlier step that caused this one, as this method returned it.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The number of the step, to be used as the cause of later ones; nil if the call came
  ///   from inside another step or recording could not begin.
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

  /// Records a rejected action, which changed no state.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - rejection: The reason, as one sentence for people.
  ///   - store: The store that rejected the action, if any.
  ///   - target: The store that the action was addressed to, if any.
  ///   - cause: The earlier step that caused this one.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The number of the step; nil if the call came from inside another step or recording
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

  /// Logs an action before its reducer runs, so an action that crashes the app is in the log.
  ///
  /// ```swift
  /// let step = session.begin(action)
  /// state = reducer(action, state)
  /// step.commit(states: ["counter": state])
  /// ```
  /// Other threads that record wait until the step ends. An action that is recorded inside the step
  /// does not get a step of its own: its changes belong to the open step. The session logs a
  /// warning about that once.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that the action was addressed to, if any.
  ///   - cause: The earlier step that caused this one.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The step. End it on the same thread.
  @available(*, noasync, message: "a step has to end on the thread that began it")
  public func begin(
    _ action: some Encodable & Sendable, target: String? = nil, cause: UInt64? = nil,
    effect: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> OpenStep {
    let origin = StepOrigin(target: target, cause: cause, effect: effect, file: file, line: line)
    return OpenStep(self, action, origin, isTimed: options.recordsDuration)
  }
}
