import FluxCore
import FluxLog

/// The states of a recording that were read by reflection last.
///
/// A state with the same bits as the last one is not read again. The last one is kept alive, so equal bits mean that
/// the values are equal, unless they refer to objects, which may change in place. Neither `==` nor the identity of
/// objects says anything about the contents, so neither is asked.
final class ReflectedStates: @unchecked Sendable {
  // Sendable: `lock` guards `known`, and is not held while code of the app runs. A kept value refers to no objects.

  private struct Known {
    /// Empty if the store is absent.
    var text: [UInt8]
    /// The value, if its text depends on its bits only.
    var value: Any?
  }

  private let limit: Int
  private let onCut: @Sendable (_ value: String, _ limit: Int) -> Void
  private let lock = Lock()
  private var known: [String: Known] = [:]
  private var isClosed = false

  /// Creates the memory of a recording, which reports values with more than `limit` values in them.
  init(limit: Int, onCut: @escaping @Sendable (_ value: String, _ limit: Int) -> Void) {
    self.limit = limit
    self.onCut = onCut
  }

  /// Returns the text of a store's state; nil if it is that of the last one.
  ///
  /// - Throws: `EncodingFailure` if a value kept its encoder, and used it after its own end.
  func text(of state: Any, store: String) throws(EncodingFailure) -> [UInt8]? {
    let last = lock.withLock { known[store] }
    if let value = last?.value, hasSameBits(state, as: value) { return nil }
    let text = try read(state, "the state of \(store)", store)
    lock.withLock {
      if !isClosed { known[store] = Known(text: text.bytes, value: text.isPure ? state : nil) }
    }
    return text.bytes == last?.text ? nil : text.bytes
  }

  /// Returns the changes of a step, without the states that are the same as the last ones.
  func changes(_ states: [String: Any?]) -> [StepRecord.Change] {
    states.sorted { $0.key < $1.key }.compactMap { store, state in
      guard let state = state.flatMap(ReflectionWalk.present) else {
        let last = lock.withLock { known.updateValue(Known(text: []), forKey: store) }
        return last?.text.isEmpty == true ? nil : StepRecord.Change(store: store, state: nil)
      }
      do throws(EncodingFailure) {
        return try text(of: state, store: store).map {
          StepRecord.Change(store: store, state: LogValue(text: $0))
        }
      } catch {
        forget([store])
        return StepRecord.Change(store: store, state: LogValue(encoding: { throw error }))
      }
    }
  }

  /// Forgets stores whose newest state in the log is not the one that was read last.
  func forget(_ stores: some Sequence<String>) {
    lock.withLock {
      guard !known.isEmpty else { return }
      for store in stores { known[store] = nil }
    }
  }

  /// Forgets all stores, and keeps no more values.
  func close() {
    let released = lock.withLock {
      isClosed = true
      let known = known
      self.known = [:]
      return known
    }
    withExtendedLifetime(released) {}
  }

  /// Reads an action.
  ///
  /// - Throws: `EncodingFailure` if a value kept its encoder, and used it after its own end.
  func action(_ action: Any) throws(EncodingFailure) -> LogValue {
    let bytes = try EncodingFailure.wrapping(nil) {
      try ActionText.bytes(reflecting: action) { action in
        try read(action, "the action \(type(of: action))", nil).bytes
      }
    }
    return LogValue(text: bytes)
  }

  private func read(
    _ value: Any, _ name: String, _ store: String?
  ) throws(EncodingFailure) -> ReflectedText {
    let text = try EncodingFailure.wrapping(store) {
      try ReflectionWalk.text(of: value, limit: limit)
    }
    if text.isCut { onCut(name, limit) }
    return text
  }
}
