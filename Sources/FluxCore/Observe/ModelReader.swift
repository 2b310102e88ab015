/// The states of all stores after a step, lent to a selector.
///
/// A selector reads stores by their types, in any order and under any condition. It runs again only after steps that
/// change a store its last run read.
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

  /// A store's state, noted as read; `type` must be that of the only store if `id` is nil.
  @usableFromInline
  func snapshot(of type: Any.Type, _ id: StoreID?) -> Unmanaged<StateSnapshot> {
    let slot = unsafe model.pointee.layout.requireIndex(of: type, id)
    unsafe reads.pointee.insert(slot)
    return unsafe snapshot(at: slot)
  }

  /// The state at a place, for a selector that always reads this store and no other.
  @usableFromInline
  func snapshot(at slot: Int) -> Unmanaged<StateSnapshot> {
    unsafe .passUnretained(model.pointee.snapshots[slot])
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
