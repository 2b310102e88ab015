/// A value that remembers what it was: undo and redo for a part of a state.
///
/// A store that keeps its document in a history gives its users undo by two actions:
/// ```swift
/// case .rename(let title): document.change { $0.title = title }
/// case .undo: guard document.undo() else { throw Rejection("there is nothing to undo") }
/// ```
/// Every remembered value is a part of the state: it costs nothing in memory as long as values share
/// what they have in common, but it is compared, and written whole to a log when it is remembered.
public struct History<Value: Codable & Equatable & Sendable>: StateValue {
  /// The value as it is.
  public private(set) var present: Value
  /// What can be undone, the latest last.
  public private(set) var past: [Value] = []
  /// What can be redone, the next last.
  public private(set) var future: [Value] = []
  /// How many values are remembered at most; older ones are forgotten.
  public let limit: Int

  /// Creates a history without a past.
  ///
  /// - Parameters:
  ///   - present: The value as it is.
  ///   - limit: How many values are remembered at most.
  public init(_ present: Value, limit: Int = 100) {
    self.present = present
    self.limit = max(0, limit)
  }

  /// Changes the value so that the change can be undone, and forgets what could be redone.
  ///
  /// A change that leaves the value as it was is none.
  ///
  /// - Parameter body: Changes the value in place.
  /// - Throws: Whatever the body throws; the value is then as it was.
  public mutating func change<Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Void
  ) throws(Failure) {
    var changed = present
    try body(&changed)
    guard changed != present else { return }
    past.append(present)
    past.removeFirst(max(0, past.count - max(0, limit)))
    future = []
    present = changed
  }

  /// Goes back by one change.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func undo() -> Bool {
    guard let previous = past.popLast() else { return false }
    future.append(present)
    present = previous
    return true
  }

  /// Goes forward again by one change that was undone.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func redo() -> Bool {
    guard let next = future.popLast() else { return false }
    past.append(present)
    present = next
    return true
  }
}
