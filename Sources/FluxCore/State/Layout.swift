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
  private let soleIndices: TypeMap<Int>

  init(_ stores: [(id: StoreID, type: Any.Type, isFeature: Bool)]) {
    ids = stores.map(\.id)
    indices = Dictionary(uniqueKeysWithValues: zip(ids, stores.indices))
    isFeature = stores.map(\.isFeature)
    idsAlone = ids.map { [$0] }
    let byType = Dictionary(grouping: stores.indices) { ObjectIdentifier(stores[$0].type) }
    indicesByType = byType
    soleIndices = TypeMap(byType.filter { $0.value.count == 1 }.mapValues { $0[0] })
  }

  func ids(of indices: [Int]) -> [StoreID] {
    indices.count == 1 ? idsAlone[indices[0]] : indices.map { ids[$0] }
  }

  func index(of id: StoreID) -> Int? {
    // Comparing a few short names takes a third of the time of hashing one.
    ids.count <= 8 ? ids.firstIndex(of: id) : indices[id]
  }

  /// The place of a store; rejects the step of `reader` if none or several match.
  func index(
    of type: Any.Type, _ id: StoreID?, for reader: StoreID? = nil
  ) throws(Rejection) -> Int {
    let candidates = indicesByType[ObjectIdentifier(type)] ?? []
    let matches = id == nil ? candidates : candidates.filter { ids[$0] == id }
    if matches.count == 1 { return matches[0] }
    let problem =
      switch (matches.isEmpty, id) {
      case (true, let id?):
        "there is no \(type) with the id \"\(id)\"; the stores are \(ids.names)"
      case (true, nil): "there is no \(type); the stores are \(ids.names)"
      case (false, _):
        "there are several stores of type \(type); "
          + "pass one of the ids \(matches.map { ids[$0] }.names)"
      }
    throw Rejection(reason: .unknownStore, store: reader, message: problem)
  }

  /// The place of a store; stops the program with a message if none or several match.
  @inline(__always)
  func requireIndex(of type: Any.Type, _ id: StoreID?) -> Int {
    if id == nil, let index = soleIndices.value(of: ObjectIdentifier(type)) { return index }
    return requireIndexBySearch(of: type, id)
  }

  private func requireIndexBySearch(of type: Any.Type, _ id: StoreID?) -> Int {
    do {
      return try index(of: type, id)
    } catch {
      fatalError("\(error.message). Check the stores that the dispatcher was created with.")
    }
  }
}
