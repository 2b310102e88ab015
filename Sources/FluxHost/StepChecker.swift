import FluxLog
import FluxReplay
import FluxSystem

/// Checks a host's steps against the dispatched actions.
struct StepChecker {
  private let app: AppDescription
  private let mode: SessionStart.Mode
  private let stores: Set<BytewiseName>

  init(app: AppDescription, mode: SessionStart.Mode) {
    self.app = app
    self.mode = mode
    stores = Set(app.stores.map { BytewiseName($0.name) })
  }

  /// Returns the problem with the steps of some actions; nil if there is none.
  ///
  /// `next` is the number of the first step, if its action has none.
  func problem(
    with steps: [ReplayedStep], for actions: ArraySlice<ReplayAction>, next: UInt64
  ) -> ReplayFailure.Reason? {
    var rest = actions
    var number = next
    for step in steps {
      let isRoot = mode == .replay || step.cause == nil
      if isRoot {
        guard let action = rest.popFirst() else {
          return wrong("more steps than actions, step \(step.number) for one", "\(actions.count)")
        }
        if mode == .replay, let recorded = action.number { number = recorded }
      }
      guard step.number == number else {
        return wrong("step \(step.number)", "step \(number)")
      }
      if let cause = step.cause, cause >= number {
        return wrong("step \(number) with the cause \(cause)", "an earlier step")
      }
      if let unknown = step.changes.first(where: { !stores.contains(BytewiseName($0.store)) }) {
        return wrong(
          "a change of \"\(unknown.store)\" at step \(number)",
          "one of the stores that it described: \(stores.sorted().map(\.text).joined(separator: ", "))"
        )
      }
      if let contradiction = contradiction(in: step) { return contradiction }
      number = mode.next(after: step)
    }
    guard rest.isEmpty else {
      return wrong(
        (actions.count - rest.count).counted("step"),
        "one for each of \(actions.count.counted("action"))")
    }
    return mode == .simulate ? problemWithFollowUps(of: steps) : nil
  }

  /// Returns the problem with the members of a step that do not fit together; nil if there is none.
  private func contradiction(in step: ReplayedStep) -> ReplayFailure.Reason? {
    if step.outcome != .accepted, let change = step.changes.first {
      return wrong(
        "a change of \"\(change.store)\" at step \(step.number), which did not commit",
        "no changes of such a step")
    }
    var changed: Set<BytewiseName> = []
    for change in step.changes where !changed.insert(BytewiseName(change.store)).inserted {
      return wrong(
        "two changes of \"\(change.store)\" at step \(step.number)",
        "one, in \"states\" or in \"removed\"")
    }
    if mode == .simulate, let cause = step.cause, step.action == nil {
      return wrong(
        "step \(step.number) with the cause \(cause) and no action",
        "the action of every follow-up")
    }
    return nil
  }

  /// Returns the problem if a simulation has not dispatched the follow-ups of a step.
  ///
  /// A host that ignores the mode would otherwise look like an app whose follow-ups have changed.
  private func problemWithFollowUps(of steps: [ReplayedStep]) -> ReplayFailure.Reason? {
    let causes = Set(steps.compactMap(\.cause))
    guard let step = steps.first(where: { !$0.followUps.isEmpty && !causes.contains($0.number) })
    else { return nil }
    return wrong(
      "no steps of the follow-ups of step \(step.number)",
      "them after it, because the mode of the session is simulate")
  }

  private func wrong(_ found: String, _ expected: String) -> ReplayFailure.Reason {
    .protocolViolation(found: found, expected: expected)
  }

  /// Advances the start of a continued session past the steps.
  func advance(_ start: inout SessionStart, by steps: [ReplayedStep]) {
    guard let last = steps.last else { return }
    start.next = mode.next(after: last)
    start.time = last.time
    for change in steps.lazy.flatMap(\.changes) {
      // The initial states may have the store's old name.
      for (recorded, today) in app.storeAliases where today.hasSameBytes(as: change.store) {
        start.states?[recorded] = nil
      }
      start.states?[change.store] = change.state
    }
  }
}
