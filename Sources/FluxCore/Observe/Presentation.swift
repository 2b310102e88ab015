extension Dispatcher {
  /// The treatment of actions while an old model is presented.
  public enum PresentingMode: Sendable {
    /// Actions run, and views show the result after the presentation.
    case dispatching
    /// Actions without a cause are ignored: they get the outcome ``Outcome/Verdict/ignored``, no step and no line
    /// in a log. Effects and their actions go on.
    case ignoring
  }

  /// Shows another model, for example one of the past, in the views.
  ///
  /// Only views see it: ``Observed``, and observers with an owner on the main actor. Reads, reducers, middleware
  /// and all other observers keep the newest states. Nothing is recorded. Present another model to move on.
  /// ``LiveHistory`` moves through the past in this way.
  ///
  /// - Parameters:
  ///   - model: The model, from this dispatcher or from one with the same stores.
  ///   - mode: The treatment of actions until ``endPresenting()``.
  /// - Throws: ``RestoreError`` if the model does not fit the dispatcher's stores.
  public func present(
    _ model: Model, whilePresenting mode: PresentingMode = .dispatching
  ) throws(RestoreError) {
    try engine.check(model)
    engine.setPresented(model, ignoresActions: mode == .ignoring)
  }

  /// Shows the newest states in the views again; does nothing if no model is presented.
  public func endPresenting() {
    engine.setPresented(nil, ignoresActions: false)
  }
}

extension Engine {
  fileprivate func setPresented(_ model: Model?, ignoresActions: Bool) {
    if presentation.present(model, ignoresActions: ignoresActions) {
      perform(.ignoreActions(ignoresActions))
    }
  }

  /// Begins or ends to ignore actions; called in the turn, between steps.
  func ignoreActions(_ ignoresActions: Bool) {
    turn.value.ignoresActions = ignoresActions
    // Meanwhile, the openings and closings of queries were ignored too.
    if !ignoresActions { resetQueries() }
  }
}

/// The model that views show instead of the newest states, and those views.
final class Presentation: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = Lock()
  private var model: Model?
  private var ignoresActions = false
  /// The number of calls so far: of two concurrent calls, the later one counts for all views.
  private var callCount: UInt64 = 0
  private var views: [UInt64: @Sendable (Model?, _ call: UInt64) -> Void] = [:]
  private var viewCount: UInt64 = 0

  /// Presents a model, or none; returns `true` if actions are treated differently from now on.
  func present(_ model: Model?, ignoresActions: Bool) -> Bool {
    let (views, call, isNew) = lock.withLock {
      defer { (self.model, self.ignoresActions) = (model, ignoresActions) }
      callCount += 1
      return (Array(self.views.values), callCount, ignoresActions != self.ignoresActions)
    }
    for present in views { present(model, call) }
    return isNew
  }

  /// Adds a view, which shows the presented model from now on; returns the number that removes it.
  ///
  /// `select` returns nil if the view is gone.
  func add<Value>(
    _ view: PresentedView<Value>, initial: Bool, newest: Value?,
    _ select: @escaping @Sendable (Model) -> Value?
  ) -> UInt64 {
    let (number, model, call) = lock.withLock {
      viewCount += 1
      views[viewCount] = { model, call in
        if let model {
          if let value = select(model) { view.present(value, call: call) }
        } else {
          view.present(nil, call: call)
        }
      }
      return (viewCount, self.model, callCount)
    }
    view.begin(
      newest: newest, presented: model.flatMap(select), call: call, isDelivered: initial)
    return number
  }

  func remove(_ number: UInt64) {
    let removed = lock.withLock { views.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }
}

/// Chooses the values that a view gets: the newest ones, or those of the presented model.
final class PresentedView<Value: Equatable & Sendable>: @unchecked Sendable {
  // Sendable: `lock` guards the variable.

  private struct Values {
    var newest: Value?
    /// Nil if no model is presented.
    var presented: Value?
    var shown: Value?
    var call: UInt64 = 0
  }

  private let lock = Lock()
  private var values = Values()
  private let delivery: MainActorDelivery<Value>

  init(_ delivery: MainActorDelivery<Value>) {
    self.delivery = delivery
  }

  func begin(newest: Value?, presented: Value?, call: UInt64, isDelivered: Bool) {
    change { values in
      values.newest = newest
      guard call >= values.call else { return nil }
      values.call = call
      values.presented = presented
      values.shown = presented ?? newest
      return isDelivered ? presented : nil
    }
  }

  /// Takes the newest value, which the view gets unless a model is presented.
  func update(_ value: Value) {
    change { values in
      values.newest = value
      guard values.presented == nil else { return nil }
      values.shown = value
      return value
    }
  }

  /// Shows the value of a presented model, or the newest value again.
  func present(_ value: Value?, call: UInt64) {
    change { values in
      guard call > values.call else { return nil }
      values.call = call
      values.presented = value
      guard let next = value ?? values.newest, next != values.shown else { return nil }
      values.shown = next
      return next
    }
  }

  /// Changes the values, and delivers the value that `body` returns.
  private func change(_ body: (inout Values) -> Value?) {
    let (old, isDelivered) = lock.withLock {
      let old = values
      guard let value = body(&values) else { return (old, false) }
      delivery.append(value)
      return (old, true)
    }
    // Released without the lock, because a deinitialiser may dispatch.
    withExtendedLifetime(old) {}
    if isDelivered { delivery.deliver() }
  }
}
