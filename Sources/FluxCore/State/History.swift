/// A value with undo and redo, for a part of a state.
///
/// A store that keeps its document in a history offers undo with two actions:
/// ```swift
/// func reduce(
///   _ document: inout History<Document>, _ action: DocumentAction, _ step: inout Step
/// ) throws {
///   switch action {
///   case .rename(let title): document.change { $0.title = title }
///   case .undo: guard document.undo() else { throw Rejection("there is nothing to undo") }
///   }
/// }
/// ```
/// Every kept value is a part of the state, and each kept value is compared. Values that share storage need little
/// memory. A log contains only what a step changes in the present value: past values are copies of it.
public struct History<Value: Codable & Equatable & Sendable>: StateValue {
  /// The current value.
  public private(set) var present: Value
  /// The values that undo returns to, the latest last.
  public private(set) var past: [Value] = []
  /// The values that redo returns to, the next one last.
  public private(set) var future: [Value] = []
  /// The maximum number of past values; older ones are dropped.
  public let limit: Int

  /// Creates a history without past values.
  public init(_ present: Value, limit: Int = 100) {
    self.present = present
    self.limit = max(0, limit)
  }

  /// Changes the value; undo can revert the change, and redo becomes unavailable.
  ///
  /// If the value stays equal, the history does not change.
  ///
  /// - Parameter body: Changes the value in place.
  /// - Throws: The error of the body; the value then stays unchanged.
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

  /// Reverts the last change.
  ///
  /// Returns `true` if there was a change to revert.
  @discardableResult
  public mutating func undo() -> Bool {
    guard let previous = past.popLast() else { return false }
    future.append(present)
    present = previous
    return true
  }

  /// Repeats the last reverted change.
  ///
  /// Returns `true` if there was a change to repeat.
  @discardableResult
  public mutating func redo() -> Bool {
    guard let next = future.popLast() else { return false }
    past.append(present)
    present = next
    return true
  }
}
