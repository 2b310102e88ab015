/// The states of all stores after a step, lent to a selector.
///
/// A selector reads stores by their types, in any order and under any condition. It runs again only after
/// steps that change a store that its last run has read.
/// ```swift
/// let receipt = dispatcher.observe { model in
///   model[CartStore.self].items.count + model[WishStore.self].items.count
/// } _: { count in
///   print("\(count) items")
/// }
/// ```
@safe
public struct ModelReader: ~Copyable {
  // The lender keeps both alive: a selector can neither copy nor keep its reader.
  private let model: UnsafePointer<Model>
  private let reads: UnsafeMutablePointer<SlotSet>

  init(model: UnsafePointer<Model>, reads: UnsafeMutablePointer<SlotSet>) {
    unsafe self.model = model
    unsafe self.reads = reads
  }

  /// The state of a store; the selector runs again when it changes.
  ///
  /// The program stops with a message if the dispatcher does not have the store, or if it has several of the
  /// type and `id` is nil.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The identifier of the store; needed if the dispatcher has several of the type.
  @inlinable
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    // The model keeps the snapshot alive. Counting a reference would take a third of the time of a read.
    unsafe snapshot(of: type, id)._withUnsafeGuaranteedRef { $0.state(as: S.State.self) }
  }

  @usableFromInline
  func snapshot(of type: any Store.Type, _ id: StoreID?) -> Unmanaged<StateSnapshot> {
    let slot = unsafe model.pointee.layout.requireIndex(of: type, id)
    unsafe reads.pointee.insert(slot)
    return unsafe .passUnretained(model.pointee.snapshots[slot])
  }

  /// Runs a selector on a model; returns its value and the stores that it has read.
  static func read<Value>(
    _ model: Model, _ select: (borrowing ModelReader) -> Value
  ) -> (value: Value, slots: SlotSet) {
    var slots = SlotSet()
    let value = unsafe withUnsafePointer(to: model) { model in
      unsafe withUnsafeMutablePointer(to: &slots) { slots in
        select(unsafe ModelReader(model: model, reads: slots))
      }
    }
    return (value, slots)
  }
}
