/// The states of all stores of a dispatcher at one moment.
public struct Model: Sendable {
  let layout: Layout
  /// The states, in the order of the layout.
  @usableFromInline var snapshots: [StateSnapshot]
  /// The last step that changed a store of this model; 0 if none did.
  ///
  /// Nil if the model came from another dispatcher, see ``Dispatcher/restore(_:)``.
  public internal(set) var step: UInt64?

  init(_ layout: Layout, _ snapshots: [StateSnapshot]) {
    self.layout = layout
    self.snapshots = snapshots
    step = 0
  }

  /// The identifiers of all stores, absent features included, in the order of the dispatcher.
  public var stores: [StoreID] { layout.ids }

  /// The state of a store; nil if there is no such store, or if it is an absent feature.
  ///
  /// - Parameter id: The store.
  /// - Returns: The state, shared with the dispatcher.
  package func snapshot(of id: StoreID) -> StateSnapshot? {
    slotContents(of: id).flatMap { $0.isFeature && $0.snapshot.isNil ? nil : $0.snapshot }
  }

  /// The state of a store, even that of an absent feature, and `true` if the store is a feature; nil if there
  /// is no such store.
  ///
  /// Testing a state for nil takes a cast, which a recorder leaves to another thread.
  package func slotContents(of id: StoreID) -> (snapshot: StateSnapshot, isFeature: Bool)? {
    layout.index(of: id).map { (snapshots[$0], layout.isFeature[$0]) }
  }
}
