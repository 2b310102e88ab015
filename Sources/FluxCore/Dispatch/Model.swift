/// The states of all stores of a dispatcher at one moment, as a value.
public struct Model: Sendable {
  /// One object, so that a model can be lent without counting a reference.
  @usableFromInline private(set) var contents: Contents

  /// What a model consists of.
  @usableFromInline
  final class Contents: @unchecked Sendable {
    // Sendable: the variable only changes where nobody else has the object, see `withOwnSnapshots(_:)`. So there is
    // no overlapping access to check for, either.
    let layout: Layout
    @exclusivity(unchecked) @usableFromInline fileprivate(set) var snapshots: [StateSnapshot]

    fileprivate init(_ layout: Layout, _ snapshots: [StateSnapshot]) {
      self.layout = layout
      unsafe self.snapshots = snapshots
    }
  }

  /// Makes a model of stores whose states stand in the order of the layout.
  init(_ layout: Layout, _ snapshots: [StateSnapshot]) { contents = Contents(layout, snapshots) }

  /// Makes a model of the contents of another one.
  init(_ contents: Contents) { self.contents = contents }

  var layout: Layout { contents.layout }

  /// The states, in the order of the layout.
  @inlinable var snapshots: [StateSnapshot] {
    @inline(__always) _read { yield unsafe contents.snapshots }
  }

  /// Changes states, which no copy of the model sees.
  mutating func withOwnSnapshots<Result>(_ change: (inout [StateSnapshot]) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&contents) {
      contents = Contents(contents.layout, unsafe contents.snapshots)
    }
    return unsafe change(&contents.snapshots)
  }

  /// The identifiers of all stores, absent features included, in the order of the dispatcher.
  public var stores: [StoreID] { layout.ids }

  /// The state of a store; nil where there is no such store, or it is a feature that is absent.
  ///
  /// - Parameter id: The store.
  /// - Returns: The state, shared with the dispatcher.
  public func snapshot(of id: StoreID) -> StateSnapshot? {
    slotContents(of: id).flatMap { $0.isFeature && $0.snapshot.isNil ? nil : $0.snapshot }
  }

  /// What lies in a store's slot, an absent feature's nil too, and whether it is a feature's; nil where there
  /// is no such store.
  ///
  /// To find out whether a state is nil takes a cast, which a recorder leaves to another thread.
  package func slotContents(of id: StoreID) -> (snapshot: StateSnapshot, isFeature: Bool)? {
    layout.index(of: id).map { (snapshots[$0], layout.isFeature[$0]) }
  }

  /// The state of a store.
  ///
  /// A store that the dispatcher does not have, or a type with several instances and no identifier, is a
  /// mistake in the program and stops it with a message.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - id: The store, where there are several of the type.
  public subscript<S: Store>(_ type: S.Type, _ id: StoreID? = nil) -> S.State {
    guard let typed = snapshots[layout.requireIndex(of: type, id)].value as? S.State else {
      preconditionFailure("the layout leads to a store of this type")
    }
    return typed
  }
}

/// Which store stands where: fixed when the dispatcher is made.
final class Layout: Sendable {
  let ids: [StoreID]
  let indices: [StoreID: Int]
  let isFeature: [Bool]
  /// Each identifier as a list of its own: what most steps change.
  private let idsAlone: [IDList]
  /// The stores of each type, in order.
  private let indicesByType: [ObjectIdentifier: [Int]]

  init(_ slots: [Slot]) {
    ids = slots.map(\.id)
    indices = Dictionary(uniqueKeysWithValues: zip(ids, slots.indices))
    isFeature = slots.map(\.isFeature)
    idsAlone = ids.map { IDList([$0]) }
    indicesByType = Dictionary(grouping: slots.indices) { ObjectIdentifier(slots[$0].storeType) }
  }

  /// Identifiers of stores; an object, so that they can be lent without counting a reference.
  private final class IDList: Sendable {
    let ids: [StoreID]

    init(_ ids: [StoreID]) { self.ids = ids }
  }

  /// Lends the identifiers of stores; of a single one without making a list.
  @inline(__always)
  func lendIDs(of indices: [Int], to body: ([StoreID]) -> Void) {
    guard indices.count == 1 else { return body(indices.map { ids[$0] }) }
    // Held by the layout.
    let list = unsafe Unmanaged.passUnretained(idsAlone[indices[0]])
    unsafe list._withUnsafeGuaranteedRef { body($0.ids) }
  }

  /// Where a store stands; nil where there is no such store.
  func index(of id: StoreID) -> Int? {
    // To compare a few short names is a third of the time that it takes to hash one.
    ids.count <= 8 ? ids.firstIndex(of: id) : indices[id]
  }

  /// Where a store stands, or a sentence that says why that cannot be told.
  func index(of type: any Store.Type, _ id: StoreID?) throws(LookUpFailure) -> Int {
    let candidates = indicesByType[ObjectIdentifier(type)] ?? []
    if let id {
      if let index = candidates.first(where: { ids[$0] == id }) { return index }
      throw LookUpFailure("there is no \(type) called \"\(id)\"; the stores are \(list(ids))")
    }
    guard let index = candidates.first else {
      throw LookUpFailure("there is no \(type) among the stores \(list(ids))")
    }
    guard candidates.count == 1 else {
      let names = candidates.map { ids[$0] }
      throw LookUpFailure("there are several of \(type): say which of \(list(names)) is meant")
    }
    return index
  }

  /// Where a store stands; stops the program where it asks for one that is not there.
  func requireIndex(of type: any Store.Type, _ id: StoreID?) -> Int {
    do {
      return try index(of: type, id)
    } catch {
      fatalError("\(error.message). Add it to the stores that the dispatcher is made with.")
    }
  }

  private func list(_ ids: [StoreID]) -> String {
    ids.map(\.rawValue).joined(separator: ", ")
  }
}

/// Why a store could not be found.
struct LookUpFailure: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// Whether a value is a nil optional, whatever it is an optional of.
func isNil(_ value: Any) -> Bool {
  (value as? any AnyOptional)?.isNil ?? false
}

private protocol AnyOptional {
  var isNil: Bool { get }
}

extension Optional: AnyOptional {
  fileprivate var isNil: Bool { self == nil }
}
