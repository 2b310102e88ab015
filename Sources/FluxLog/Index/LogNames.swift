import FluxSystem

/// The action types and step shapes of a log, each with a small number.
///
/// Shared by the threads that build the index. Numbers follow the order of discovery, which differs
/// each time a log is opened, so they never leave the index.
final class LogNames: Sendable {
  /// Names with numbers; there are at most as many as steps, and columns store them in 32 bits.
  private struct Table<Name: Hashable> {
    private(set) var names: [Name] = []
    private var ids: [Name: UInt32] = [:]

    init(_ names: [Name]) {
      for name in names { _ = id(of: name) }
    }

    mutating func id(of name: Name) -> UInt32 {
      if let known = ids[name] { return known }
      let id = UInt32(names.count)
      names.append(name)
      ids[name] = id
      return id
    }
  }

  private let typeTable = Monitor(Table<BytewiseName>([]))
  private let shapeTable = Monitor(Table<StepShape>([]))

  /// The stores whose states some step leaves out.
  private let unwrittenTable = Monitor<Set<BytewiseName>>([])

  func restore(types: [String], shapes: [StepShape]) {
    typeTable.withLock { $0 = Table(types.map(BytewiseName.init)) }
    shapeTable.withLock { $0 = Table(shapes) }
    for shape in shapes { noteUnwritten(shape) }
  }

  private func noteUnwritten(_ shape: StepShape) {
    let stores = shape.writes.filter { $0.kind == .unwritten }.map { BytewiseName($0.store) }
    if !stores.isEmpty { unwrittenTable.withLock { $0.formUnion(stores) } }
  }

  /// The stores whose states some step leaves out.
  var unwrittenStores: Set<BytewiseName> { unwrittenTable.withLock { $0 } }

  func id(ofType type: String) -> UInt32 {
    typeTable.withLock { $0.id(of: BytewiseName(type)) }
  }

  func id(ofShape shape: StepShape) -> UInt32 {
    noteUnwritten(shape)
    return shapeTable.withLock { $0.id(of: shape) }
  }

  var types: [String] { typeTable.withLock { $0.names }.map(\.text) }

  var shapes: [StepShape] { shapeTable.withLock { $0.names } }

  func type(_ id: UInt32) -> String { typeTable.withLock { $0.names[Int(id)].text } }

  func shape(_ id: UInt32) -> StepShape { shapeTable.withLock { $0.names[Int(id)] } }

  func types(where matches: (String) -> Bool) -> IDSet {
    Self.ids(types, matches)
  }

  func shapes(where matches: (StepShape) -> Bool) -> IDSet {
    Self.ids(shapes, matches)
  }

  private static func ids<Name>(_ names: [Name], _ matches: (Name) -> Bool) -> IDSet {
    IDSet(names.indices.filter { matches(names[$0]) }.map { UInt32($0) })
  }
}
