/// The states of all stores of a dispatcher at one moment.
public struct Model: Sendable {
  /// One object, so that a model can be borrowed without reference counting.
  @usableFromInline private(set) var contents: Contents

  /// The content of a model.
  @usableFromInline
  final class Contents: @unchecked Sendable {
    // Sendable: the variable only changes while the object has a single owner, see `withUniqueSnapshots(_:)`.
    // For the same reason, accesses cannot overlap.
    let layout: Layout
    @exclusivity(unchecked) @usableFromInline fileprivate(set) var snapshots: [StateSnapshot]

    fileprivate init(_ layout: Layout, _ snapshots: [StateSnapshot]) {
      self.layout = layout
      unsafe self.snapshots = snapshots
    }
  }

  /// Creates a model from states in the order of the layout.
  init(_ layout: Layout, _ snapshots: [StateSnapshot]) { contents = Contents(layout, snapshots) }

  /// Creates a model that shares the content of another one.
  init(_ contents: Contents) { self.contents = contents }

  var layout: Layout { contents.layout }

  /// The states, in the order of the layout.
  @inlinable var snapshots: [StateSnapshot] {
    @inline(__always) _read { yield unsafe contents.snapshots }
  }

  /// Changes states; copies of the model keep theirs.
  mutating func withUniqueSnapshots<Result>(_ change: (inout [StateSnapshot]) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&contents) {
      contents = Contents(contents.layout, unsafe contents.snapshots)
    }
    return unsafe change(&contents.snapshots)
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
  private let idsAlone: [IDList]
  /// The places of the stores of each type, in order.
  private let indicesByType: [ObjectIdentifier: [Int]]

  init(_ slots: [Slot]) {
    ids = slots.map(\.id)
    indices = Dictionary(uniqueKeysWithValues: zip(ids, slots.indices))
    isFeature = slots.map(\.isFeature)
    idsAlone = ids.map { IDList([$0]) }
    indicesByType = Dictionary(grouping: slots.indices) { ObjectIdentifier(slots[$0].storeType) }
  }

  /// A list of identifiers; an object, so that it can be borrowed without reference counting.
  private final class IDList: Sendable {
    let ids: [StoreID]

    init(_ ids: [StoreID]) { self.ids = ids }
  }

  /// Calls `body` with the identifiers of stores; for a single store, without allocating a list.
  @inline(__always)
  func withIDs(of indices: [Int], _ body: ([StoreID]) -> Void) {
    guard indices.count == 1 else { return body(indices.map { ids[$0] }) }
    // The layout keeps the list alive.
    let list = unsafe Unmanaged.passUnretained(idsAlone[indices[0]])
    unsafe list._withUnsafeGuaranteedRef { body($0.ids) }
  }

  /// The place of a store; nil if there is no such store.
  func index(of id: StoreID) -> Int? {
    // Comparing a few short names takes a third of the time of hashing one.
    ids.count <= 8 ? ids.firstIndex(of: id) : indices[id]
  }

  /// The place of a store; throws a message for people if none or several match.
  func index(of type: any Store.Type, _ id: StoreID?) throws(LookUpFailure) -> Int {
    let candidates = indicesByType[ObjectIdentifier(type)] ?? []
    if let id {
      if let index = candidates.first(where: { ids[$0] == id }) { return index }
      throw LookUpFailure("there is no \(type) with the id \"\(id)\"; the stores are \(list(ids))")
    }
    guard let index = candidates.first else {
      throw LookUpFailure("there is no \(type); the stores are \(list(ids))")
    }
    guard candidates.count == 1 else {
      let names = candidates.map { ids[$0] }
      throw LookUpFailure(
        "there are several stores of type \(type); pass one of the ids \(list(names))")
    }
    return index
  }

  /// The place of a store; stops the program with a message if none or several match.
  func requireIndex(of type: any Store.Type, _ id: StoreID?) -> Int {
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

/// The reason why a store was not found.
struct LookUpFailure: Error {
  let message: String

  init(_ message: String) {
    self.message = message
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
