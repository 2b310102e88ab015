import Foundation

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
  // Sendable: `lock` guards `past`; everything else is constant.

  /// The models to keep; the oldest ones are forgotten first, and the newest one never.
  public struct Limit: Sendable {
    /// The number of models.
    public var models: Int
    /// The number of bytes; nil for any number.
    ///
    /// The size of a model is that of its changed states as JSON. They are encoded only to be measured, so a
    /// limit costs time in every step.
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
    fileprivate let byteCount: Int
  }

  private let dispatcher: Dispatcher
  private let mode: Dispatcher.PresentingMode
  private let limit: Limit
  private let lock = Lock()
  private var past = Past()

  private struct Past {
    var entries: [Entry] = []
    var byteCount = 0
    /// The number of forgotten entries.
    var forgottenCount = 0
    /// The shown entry, counted with the forgotten ones; nil if the views show the newest model.
    var shown: Int?

    var index: Int { max(0, shown.map { $0 - forgottenCount } ?? entries.count - 1) }
  }

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
    self.limit = limit
    self.mode = mode
    dispatcher.use(HistoryRecorder(history: self))
  }

  // MARK: Positions

  /// The models, the oldest first.
  public var entries: [Entry] { lock.withLock { past.entries } }

  /// The index of the shown model in ``entries``.
  public var index: Int { lock.withLock { past.index } }

  /// `true` if the views show the newest model.
  public var isLive: Bool { lock.withLock { past.shown == nil } }

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

  /// Continues in the shown model: restores it, and ends the presentation.
  ///
  /// The models after it stay in the history, and the restored one becomes the newest.
  ///
  /// - Throws: ``RestoreError`` if the dispatcher is not live.
  public func resumeHere() throws(RestoreError) {
    let model = lock.withLock { past.shown == nil ? nil : past.entries[past.index].model }
    guard let model else { return }
    try dispatcher.restore(model)
    lock.withLock { past.shown = nil }
    dispatcher.endPresenting()
  }

  private func move(_ target: (Int) -> Int) -> Bool {
    let model = lock.withLock { () -> Model?? in
      let index = target(past.index)
      guard past.entries.indices.contains(index), index != past.index else { return nil }
      let isNewest = index == past.entries.count - 1
      past.shown = isNewest ? nil : past.forgottenCount + index
      return .some(isNewest ? nil : past.entries[index].model)
    }
    switch model {
    case nil: return false
    case .some(nil): dispatcher.endPresenting()
    case .some(let model?):
      do throws(RestoreError) {
        try dispatcher.present(model, whilePresenting: mode)
      } catch {
        preconditionFailure("a model of this dispatcher fits its stores: \(error)")
      }
    }
    return true
  }

  // MARK: Growth

  fileprivate func append(_ model: Model, _ action: (any Action)?, changed: [StoreID]) {
    let byteCount = limit.bytes == nil ? 0 : model.byteCount(of: changed)
    let entry = Entry(model: model, action: action, byteCount: byteCount)
    let forgotten = lock.withLock { () -> [Entry] in
      past.entries.append(entry)
      past.byteCount += entry.byteCount
      var count = 0
      while past.entries.count - count > 1, isTooLarge(without: count) {
        past.byteCount -= past.entries[count].byteCount
        count += 1
      }
      past.forgottenCount += count
      defer { past.entries.removeFirst(count) }
      return Array(past.entries.prefix(count))
    }
    // Released without the lock, because a deinitialiser may dispatch.
    withExtendedLifetime(forgotten) {}
  }

  private func isTooLarge(without count: Int) -> Bool {
    past.entries.count - count > limit.models || past.byteCount > limit.bytes ?? .max
  }
}

extension Model {
  /// The size of some states as JSON, which is how limits in bytes count a model.
  ///
  /// A state that cannot be encoded counts as none.
  package func byteCount(of stores: [StoreID]) -> Int {
    stores.reduce(0) { sum, store in
      guard let snapshot = snapshot(of: store) else { return sum }
      do {
        return sum + (try JSONEncoder().encode(snapshot).count)
      } catch {
        return sum
      }
    }
  }
}

/// Adds the models of a dispatcher to a history, which it does not keep alive.
private struct HistoryRecorder: AttachedMiddleware {
  weak let history: LiveHistory?

  func didAttach(_ context: DispatcherContext) {
    history?.append(context.model, nil, changed: context.model.stores)
  }

  func didDispatch(_ step: CompletedStep) {
    guard !step.changed.isEmpty else { return }
    history?.append(step.model, step.envelope.action, changed: step.changed)
  }

  func didRestore(_ restoration: Restoration) {
    history?.append(restoration.model, nil, changed: restoration.changed)
  }
}
