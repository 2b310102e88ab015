public import Foundation

extension Dispatcher {
  /// Dispatches an action and returns when it and all its follow-ups are done.
  ///
  /// The call waits for its turn and runs the action on this thread. From inside a step it does not wait:
  /// the action is queued, and the outcome says so. The same holds from inside a step of another
  /// dispatcher, where another thread has the turn here: the two might wait for each other.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that it is for; nil for all that take it. Reactions of other stores run in any
  ///     case.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  /// - Returns: What became of the action itself.
  @inlinable
  @discardableResult
  public func dispatch(
    _ action: some Action, to target: StoreID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Outcome {
    ActionReference.withReference(to: action) {
      engine.dispatch($0, to: target, at: nil, file, line)
    }
  }

  /// Queues an action and returns at once.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that it is for; nil for all that take it.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  ///   - then: Called in the turn of the action, after its observers, with what became of it.
  public func enqueue(
    _ action: some Action, to target: StoreID? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    then: (@Sendable (Outcome) -> Void)? = nil
  ) {
    engine.enqueue(action, Call(file: file, line: line, target: target), then: then)
  }

  /// Dispatches an action and waits for all that comes of it: its follow-ups, its effects, and theirs.
  ///
  /// Where the waiting task is cancelled, so are these effects.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that it is for; nil for all that take it.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  /// - Returns: What became of the action itself.
  @discardableResult
  public func run(
    _ action: some Action, to target: StoreID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) async -> Outcome {
    let activity = Activity()
    return await withTaskCancellationHandler {
      let call = Call(
        file: file, line: line, target: target, origin: Call.Origin(activity: activity))
      let outcome = ActionReference.withReference(to: action) { engine.dispatch($0, call) }
      await activity.wait()
      return outcome
    } onCancel: {
      engine.effects.cancelAll(of: activity)
    }
  }

  /// Dispatches a recorded action with the number and the time that it had.
  ///
  /// It is meant for a dispatcher in ``Mode/replay``: in another mode the action's follow-ups are dispatched, and
  /// in ``Mode/live`` its effects run.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that it is for; nil for all that take it.
  ///   - step: The number of the step.
  ///   - time: The time of the step.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  /// - Returns: What became of the action.
  @discardableResult
  public func replay(
    _ action: some Action, to target: StoreID? = nil, step: UInt64, at time: Date,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Outcome {
    let call = Call(
      file: file, line: line, target: target, origin: Call.Origin(recorded: (step, time)))
    return ActionReference.withReference(to: action) { engine.dispatch($0, call) }
  }
}
