/// The model that views show instead of the newest states, and those views.
final class Presentation: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = Lock()
  private var model: Model?
  private var ignoresActions = false
  /// The number of calls so far: of two concurrent calls, the later one counts for all views.
  private var callCount: UInt64 = 0
  private let views = NumberedValues<@Sendable (Model?, _ call: UInt64) -> Void>()

  /// `true` if the newest call wants actions to be ignored.
  var isIgnoringActions: Bool { lock.withLock { ignoresActions } }

  /// Presents a model, or none; `willPresent` is called first if actions are treated differently from now on.
  ///
  /// In this order, a user who sees the newest states again can dispatch, and one who sees other states cannot.
  func present(_ model: Model?, ignoresActions: Bool, _ willPresent: () -> Void) {
    let (call, isNew) = lock.withLock {
      defer { (self.model, self.ignoresActions) = (model, ignoresActions) }
      callCount += 1
      return (callCount, ignoresActions != self.ignoresActions)
    }
    if isNew { willPresent() }
    for present in views.all { present(model, call) }
  }

  /// Adds a view, which shows the presented model from now on; returns the number that removes it.
  ///
  /// `select` returns nil if the view is gone.
  func add<Value>(
    _ view: PresentedView<Value>, initial: Bool, newest: Value?,
    _ select: @escaping @Sendable (Model) -> Value?
  ) -> UInt64 {
    let number = views.add { model, call in
      if let model {
        if let value = select(model) { view.present(value, call: call) }
      } else {
        view.present(nil, call: call)
      }
    }
    // Read last, so that no call is missed. If one reaches the view before it begins, its number says so.
    let (model, call) = lock.withLock { (self.model, callCount) }
    view.begin(
      newest: newest, presented: model.flatMap(select), call: call, isDelivered: initial)
    return number
  }

  func remove(_ number: UInt64) { views.remove(number) }
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
      guard call > values.call || values.call == 0 else { return nil }
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
    // Released without the lock, because a deinitializer may dispatch.
    withExtendedLifetime(old) {}
    if isDelivered { delivery.deliver() }
  }
}
