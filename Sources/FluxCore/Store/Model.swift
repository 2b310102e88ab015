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
  public func snapshot(of id: StoreID) -> StateSnapshot? {
    slotContents(of: id).flatMap { $0.isFeature && $0.snapshot.isNil ? nil : $0.snapshot }
  }

  /// The state of a store, even that of an absent feature, and `true` if the store is a feature; nil if there
  /// is no such store.
  ///
  /// Testing a state for nil takes a cast, which a recorder leaves to another thread.
  package func slotContents(of id: StoreID) -> (snapshot: StateSnapshot, isFeature: Bool)? {
    layout.index(of: id).map { (snapshots[$0], layout.isFeature[$0]) }
  }

  /// The state of a store.
  ///
  /// The program stops with a message if the dispatcher does not have the store, or if it has several of the
  /// type and `id` is nil.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The identifier of the store; needed if the dispatcher has several of the type.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    guard let typed = snapshots[layout.requireIndex(of: type, id)].value as? S.State else {
      preconditionFailure("The layout finds stores by their types")
    }
    return typed
  }
}

/// The places of a dispatcher's stores, which never change.
final class Layout: Sendable {
  let ids: [StoreID]
  let indices: [StoreID: Int]
  let isFeature: [Bool]
  /// A one-element list for each identifier, because most steps change one store.
  private let idsAlone: [[StoreID]]
  /// The places of the stores of each type, in order.
  private let indicesByType: [ObjectIdentifier: [Int]]
  /// The places of the stores that are the only ones of their type.
  private let soleIndices: TypeTable<Int>

  init(_ slots: [Slot]) {
    ids = slots.map(\.id)
    indices = Dictionary(uniqueKeysWithValues: zip(ids, slots.indices))
    isFeature = slots.map(\.isFeature)
    idsAlone = ids.map { [$0] }
    let byType = Dictionary(grouping: slots.indices) { ObjectIdentifier(slots[$0].storeType) }
    indicesByType = byType
    soleIndices = TypeTable(byType.filter { $0.value.count == 1 }.mapValues { $0[0] })
  }

  func ids(of indices: [Int]) -> [StoreID] {
    indices.count == 1 ? idsAlone[indices[0]] : indices.map { ids[$0] }
  }

  /// The place of a store; nil if there is no such store.
  func index(of id: StoreID) -> Int? {
    // Comparing a few short names takes a third of the time of hashing one.
    ids.count <= 8 ? ids.firstIndex(of: id) : indices[id]
  }

  /// The place of a store; rejects the step of `reader` if none or several match.
  func index(
    of type: any Store.Type, _ id: StoreID?, for reader: StoreID? = nil
  ) throws(Rejection) -> Int {
    let candidates = indicesByType[ObjectIdentifier(type)] ?? []
    let matches = id == nil ? candidates : candidates.filter { ids[$0] == id }
    if matches.count == 1 { return matches[0] }
    let problem =
      switch (matches.isEmpty, id) {
      case (true, let id?):
        "there is no \(type) with the id \"\(id)\"; the stores are \(list(ids))"
      case (true, nil): "there is no \(type); the stores are \(list(ids))"
      case (false, _):
        "there are several stores of type \(type); "
          + "pass one of the ids \(list(matches.map { ids[$0] }))"
      }
    throw Rejection(reason: .unknownStore, store: reader, message: problem)
  }

  /// The place of a store; stops the program with a message if none or several match.
  @inline(__always)
  func requireIndex(of type: any Store.Type, _ id: StoreID?) -> Int {
    if id == nil, let index = soleIndices.value(of: ObjectIdentifier(type)) { return index }
    return requireIndexBySearch(of: type, id)
  }

  private func requireIndexBySearch(of type: any Store.Type, _ id: StoreID?) -> Int {
    do {
      return try index(of: type, id)
    } catch {
      fatalError("\(error.message). Check the stores that the dispatcher was created with.")
    }
  }

  private func list(_ ids: [StoreID]) -> String {
    ids.map(\.rawValue).joined(separator: ", ")
  }
}

/// `true` if a value is a nil optional of any type.
func isNil(_ value: Any) -> Bool {
  (value as? any AnyOptional)?.isNil ?? false
}

private protocol AnyOptional {
  var isNil: Bool { get }
}

extension Optional: AnyOptional {
  fileprivate var isNil: Bool { self == nil }
}

/// One store's committed state: immutable and shared by reference.
///
/// Keeping a snapshot costs one reference. A recorder can pass it to another thread and encode it there.
public class StateSnapshot: Encodable, @unchecked Sendable {
  // Sendable: the only stored property is the subclass's constant of a Sendable type. The attribute is
  // needed because the class is not final.

  @usableFromInline init() {}

  /// The state; a nil optional for an absent feature.
  public var value: any Codable & Equatable & Sendable {
    preconditionFailure("Every snapshot is a TypedSnapshot")
  }

  /// `true` if the state is a nil optional.
  package var isNil: Bool { FluxCore.isNil(value) }

  /// The state as its own type.
  @inlinable
  final func state<State: Codable & Equatable & Sendable>(as type: State.Type) -> State {
    // Debug builds check the type; a slot only holds snapshots of its own state type.
    unsafe unsafeDowncast(self, to: TypedSnapshot<State>.self).state
  }

  /// Encodes the state itself, without a wrapper.
  public func encode(to encoder: any Encoder) throws {
    preconditionFailure("Every snapshot is a TypedSnapshot")
  }
}

/// A snapshot that knows the type of its state.
@usableFromInline
final class TypedSnapshot<State: Codable & Equatable & Sendable>: StateSnapshot, @unchecked Sendable
{
  // Sendable: one constant of a Sendable type.
  @usableFromInline let state: State

  @inlinable
  init(_ state: State) {
    self.state = state
    super.init()
  }

  @usableFromInline
  override var value: any Codable & Equatable & Sendable { state }

  @usableFromInline
  override func encode(to encoder: any Encoder) throws {
    // A container, because encoders have special rules for some types, for example dates.
    var container = encoder.singleValueContainer()
    try container.encode(state)
  }
}
