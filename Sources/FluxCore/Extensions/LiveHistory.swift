/// The models that a running app has had, and the way back to them.
///
/// Moving shows a model in the views, as ``Dispatcher/present(_:whilePresenting:)`` does. The app continues
/// beneath, until you resume at the shown model or move forward to the newest one.
/// ```swift
/// let history = LiveHistory(dispatcher)
/// // ⌘P
/// history.back()
/// // ⌘N
/// history.forward()
/// ```
public final class LiveHistory: @unchecked Sendable {
  // Sendable: the lock of `past` guards the variables; everything else is constant.

  /// The models to keep; the oldest ones are forgotten first, and the newest one never.
  public struct Limit: Sendable {
    /// The number of models.
    public var models: Int
    /// The number of bytes; nil for any number.
    ///
    /// The size of a model is that of its changed states as JSON. They are encoded only to be measured, a large one
    /// only now and then, so a limit costs time in the steps.
    public var bytes: Int?

    /// Creates a limit.
    public init(models: Int = 1000, bytes: Int? = nil) {
      self.models = models
      self.bytes = bytes
    }
  }

  /// A model of the past.
  public struct Entry: Sendable {
    /// The model.
    public let model: Model
    /// The action that led to it; nil for the first model, and for a restored one.
    public let action: (any Action)?
  }

  private let dispatcher: Dispatcher
  private let mode: Dispatcher.PresentingMode
  private let past: KeptModels
  /// The shown model and its place, counted with the forgotten ones; nil if the views show the newest model.
  private var shown: (place: Int, model: Model)?
  /// The number of moves so far: of two concurrent ones, the views show the model of the later one.
  private var moveCount: UInt64 = 0

  /// Creates a history of a dispatcher, which begins with its current model.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher.
  ///   - limit: The models to keep.
  ///   - mode: The treatment of actions while the views show an old model.
  public init(
    _ dispatcher: Dispatcher, limit: Limit = Limit(),
    whilePresenting mode: Dispatcher.PresentingMode = .dispatching
  ) {
    self.dispatcher = dispatcher
    past = KeptModels(limit)
    self.mode = mode
    dispatcher.use(HistoryRecorder(past: past))
  }

  // MARK: Positions

  /// The models, the oldest first.
  public var entries: [Entry] {
    past.withEntries { entries, _ in entries.map { Entry(model: $0.model, action: $0.action) } }
  }

  /// The index of the shown model in ``entries``; if the model was forgotten meanwhile, that of the oldest one.
  public var index: Int { past.withEntries { max(0, index(in: $0, $1)) } }

  /// `true` if the views show the newest model.
  public var isLive: Bool { past.withEntries { _, _ in shown == nil } }

  /// The index of the shown model; -1 if it was forgotten, because it is then before the oldest one.
  private func index(in entries: [KeptModels.Entry], _ forgottenCount: Int) -> Int {
    max(-1, shown.map { $0.place - forgottenCount } ?? entries.count - 1)
  }

  // MARK: Moves

  /// Shows the model before the shown one.
  ///
  /// Returns `false` if there is none.
  @discardableResult
  public func back() -> Bool { move { $0 - 1 } }

  /// Shows the model after the shown one; the newest model ends the presentation.
  ///
  /// Returns `false` if there is none.
  @discardableResult
  public func forward() -> Bool { move { $0 + 1 } }

  /// Shows a model; the newest model ends the presentation.
  ///
  /// - Parameter index: The index in ``entries``.
  /// - Returns: `false` if there is no such model.
  @discardableResult
  public func jump(to index: Int) -> Bool { move { _ in index } }

  /// Continues in the shown model, even if it was forgotten: restores it, and ends the presentation.
  ///
  /// The models after it stay in the history, and the restored one becomes the newest.
  ///
  /// - Throws: ``RestoreError`` if the dispatcher is not live.
  public func resumeHere() throws(RestoreError) {
    let (model, count) = past.withEntries { _, _ in (shown?.model, moveCount) }
    guard let model else { return }
    try dispatcher.resume(in: model)
    let hasMoved = past.withEntries { _, _ in
      guard moveCount == count else { return true }
      // The model is still referred to here: releasing it can run code of the app, which must not be under the lock.
      shown = nil
      return false
    }
    withExtendedLifetime(model) {}
    if hasMoved { show() }
  }

  private func move(_ target: (Int) -> Int) -> Bool {
    let (moves, last) = past.withEntries { entries, forgottenCount in
      let last = shown
      let here = index(in: entries, forgottenCount)
      let index = target(here)
      guard 0..<entries.count ~= index, index != here else { return (false, last) }
      let isNewest = index == entries.count - 1
      shown = isNewest ? nil : (forgottenCount + index, entries[index].model)
      moveCount += 1
      return (true, last)
    }
    // Released without the lock, because a deinitializer may dispatch.
    withExtendedLifetime(last) {}
    if moves { show() }
    return moves
  }

  /// Lets the views show the model; again if another thread has moved meanwhile, which may have come first there.
  private func show() {
    while true {
      let (model, count) = past.withEntries { _, _ in (shown?.model, moveCount) }
      present(model)
      if past.withEntries({ _, _ in moveCount == count }) { return }
    }
  }

  private func present(_ model: Model?) {
    guard let model else { return dispatcher.endPresenting() }
    do throws(RestoreError) {
      try dispatcher.present(model, whilePresenting: mode)
    } catch {
      preconditionFailure("a model of this dispatcher fits its stores: \(error)")
    }
  }
}

/// Adds the models of a dispatcher to those of a history, which it does not keep alive.
private struct HistoryRecorder: AttachedMiddleware {
  weak let past: KeptModels?

  func didAttach(_ context: DispatcherContext) {
    past?.keep(context.model, changed: context.model.stores)
  }

  func didDispatch(_ step: CompletedStep) {
    guard !step.changed.isEmpty else { return }
    past?.keep(step.model, action: step.envelope.action, changed: step.changed)
  }

  func didRestore(_ restoration: Restoration) {
    past?.keep(restoration.model, changed: restoration.changed)
  }
}
