import Foundation

/// The newest models of a dispatcher, bounded in number and in bytes.
///
/// Models share the states that did not change, so a model costs about what its step changed: the size of the changed states
/// as JSON. A large state is measured only now and then, because otherwise each step would encode it.
package final class KeptModels: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  package struct Entry {
    package let model: Model
    /// The step that led to it; nil if nobody asks for models by their steps.
    package let step: UInt64?
    package let action: (any Action)?
    fileprivate let byteCount: Int
  }

  /// A state's size, and the number of changes since it was measured.
  private struct Size {
    var byteCount: Int
    var age = 0
  }

  /// The bytes that are encoded for each change, on average.
  private static let measuredByteCount = 32 << 10

  private let limit: LiveHistory.Limit
  private let lock = Lock()
  private var entries: [Entry] = []
  private var forgottenCount = 0
  private var byteCount = 0
  private var sizes: [StoreID: Size] = [:]

  package init(_ limit: LiveHistory.Limit) { self.limit = limit }

  /// Calls `body` with the models, the oldest first, and the number of forgotten ones, while no other thread uses them.
  func withEntries<Result>(_ body: ([Entry], _ forgottenCount: Int) -> Result) -> Result {
    lock.withLock { body(entries, forgottenCount) }
  }

  /// The size of the largest known model: of all stores.
  package var largestByteCount: Int {
    lock.withLock { sizes.values.reduce(0) { $0 + $1.byteCount } }
  }

  /// Keeps a model, and forgets the oldest ones if there are too many; the newest one stays in any case.
  package func keep(
    _ model: Model, after step: UInt64? = nil, action: (any Action)? = nil, changed: [StoreID]
  ) {
    let entry = Entry(
      model: model, step: step, action: action,
      byteCount: changed.reduce(0) { $0 + size(of: $1, in: model) })
    let forgotten = lock.withLock { () -> [Entry] in
      if let step, let newest = entries.last?.step, newest >= step { return [] }
      entries.append(entry)
      byteCount += entry.byteCount
      var count = 0
      while entries.count - count > 1, isTooLarge(without: count) {
        byteCount -= entries[count].byteCount
        count += 1
      }
      forgottenCount += count
      defer { entries.removeFirst(count) }
      return Array(entries.prefix(count))
    }
    // Released without the lock, because a deinitializer may dispatch.
    withExtendedLifetime(forgotten) {}
  }

  private func isTooLarge(without count: Int) -> Bool {
    entries.count - count > limit.models || byteCount > limit.bytes ?? .max
  }

  private func size(of store: StoreID, in model: Model) -> Int {
    guard limit.bytes != nil else { return 0 }
    let known = lock.withLock { () -> Int? in
      guard let size = sizes[store], size.age < size.byteCount / Self.measuredByteCount else {
        return nil
      }
      sizes[store]?.age += 1
      return size.byteCount
    }
    if let known { return known }
    let byteCount = Self.byteCount(of: store, in: model)
    lock.withLock { sizes[store] = Size(byteCount: byteCount) }
    return byteCount
  }

  /// The size of a state as JSON; one that is absent or cannot be encoded counts as none.
  private static func byteCount(of store: StoreID, in model: Model) -> Int {
    guard let snapshot = model.snapshot(of: store) else { return 0 }
    do {
      return try JSONEncoder().encode(snapshot).count
    } catch {
      return 0
    }
  }

  /// Returns the model after a step; nil if it was not kept.
  package func model(after step: UInt64) -> Model? {
    lock.withLock {
      guard let last = entries.last?.step, step <= last else { return nil }
      // Few steps have no model, so the place is near the one that it has if all have one.
      let first = max(0, entries.count - 1 - Int(clamping: last - step))
      return entries[first...].first { $0.step ?? 0 >= step }.flatMap {
        $0.step == step ? $0.model : nil
      }
    }
  }

  package func removeAll() {
    let forgotten = lock.withLock {
      defer { (entries, forgottenCount, byteCount) = ([], 0, 0) }
      return entries
    }
    withExtendedLifetime(forgotten) {}
  }
}
