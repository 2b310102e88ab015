import FluxJSON
import FluxSystem

/// The action types, step shapes and source lines of a log, each with a small number.
///
/// Shared by the threads that build the index. Numbers follow the order of discovery, which differs
/// each time a log is opened, so they never leave the index.
final class LogNames: Sendable {
  /// Names with numbers; there are at most as many as steps, and columns store them in 32 bits.
  private struct Table<Name: Hashable> {
    private(set) var names: [Name] = []
    private var ids: [Name: UInt32] = [:]
    private(set) var byteCount = 0

    /// Returns the number of a name; `byteCount` is the size of what it refers to.
    mutating func id(of name: Name, byteCount size: Int) -> UInt32 {
      if let known = ids[name] { return known }
      let id = UInt32(names.count)
      names.append(name)
      ids[name] = id
      // Twice, in the list and in the dictionary, which is half empty.
      byteCount += size + 4 * MemoryLayout<Name>.stride
      return id
    }
  }

  /// The shapes of steps, and the stores that they write.
  private struct Shapes {
    private(set) var table = Table<StepShape>()
    /// No more than one above the limit.
    private(set) var stores: Set<BytewiseName> = []
    /// The stores whose states some step leaves out.
    private(set) var unwrittenStores: Set<BytewiseName> = []

    mutating func id(of shape: StepShape, limit: Int) -> UInt32 {
      let known = table.names.count
      let size = shape.writes.reduce(0) {
        $0 + MemoryLayout<StepShape.Write>.stride + $1.store.utf8.count
      }
      let id = table.id(of: shape, byteCount: size)
      if Int(id) == known { note(shape, limit) }
      return id
    }

    private mutating func note(_ shape: StepShape, _ limit: Int) {
      for write in shape.writes where stores.count <= limit {
        stores.insert(BytewiseName(write.store))
        if write.kind == .unwritten { unwrittenStores.insert(BytewiseName(write.store)) }
      }
    }
  }

  /// The memory that bounds the number of stores that steps write.
  let limit: MemoryLimit
  let storeLimit: Int
  private let typeTable = Monitor(Table<BytewiseName>())
  private let shapeTable = Monitor(Shapes())
  private let sourceTable = Monitor(Table<BytewiseName>())

  init(limit: MemoryLimit = .standard) {
    self.limit = limit
    storeLimit = limit.storeCount
  }

  /// The stores whose states some step leaves out.
  var unwrittenStores: Set<BytewiseName> { shapeTable.withLock { $0.unwrittenStores } }

  func id(ofType type: String) -> UInt32 {
    typeTable.withLock { $0.id(of: BytewiseName(type), byteCount: type.utf8.count) }
  }

  func id(ofShape shape: StepShape) -> UInt32 {
    shapeTable.withLock { $0.id(of: shape, limit: storeLimit) }
  }

  var byteCount: Int {
    typeTable.withLock { $0.byteCount } + sourceTable.withLock { $0.byteCount }
      + shapeTable.withLock { $0.table.byteCount }
  }

  /// The number in place of a source line, for a step that names none.
  static let noSource: UInt32 = 0

  /// Returns the number of a source line, counted from 1.
  func id(ofSource source: String) -> UInt32 {
    sourceTable.withLock { $0.id(of: BytewiseName(source), byteCount: source.utf8.count) } + 1
  }

  /// The source lines, in the order of their numbers.
  var sources: [String] { sourceTable.withLock { $0.names }.map(\.text) }

  var types: [String] { typeTable.withLock { $0.names }.map(\.text) }

  var shapes: [StepShape] { shapeTable.withLock { $0.table.names } }

  /// Returns the stores that steps write; `counts` are those of ``LogIndex/shapeCounts``.
  func stores(ofShapes counts: [Int]?) -> Set<BytewiseName> {
    guard let counts else { return shapeTable.withLock { $0.stores } }
    let used = zip(shapes, counts).filter { $1 > 0 }.map { $0.0 }
    return Set(used.flatMap(\.writes).map { BytewiseName($0.store) })
  }

  /// `true` if the steps write more stores than ``storeLimit``.
  var hasTooManyStores: Bool { shapeTable.withLock { $0.stores.count > storeLimit } }

  func type(_ id: UInt32) -> String { typeTable.withLock { $0.names[Int(id)].text } }

  func shape(_ id: UInt32) -> StepShape { shapeTable.withLock { $0.table.names[Int(id)] } }

  func types(where matches: (String) -> Bool) -> IDSet {
    Self.ids(types, matches)
  }

  func shapes(where matches: (StepShape) -> Bool) -> IDSet {
    Self.ids(shapes, matches)
  }

  private static func ids<Name>(_ names: [Name], _ matches: (Name) -> Bool) -> IDSet {
    IDSet(names.indices.filter { matches(names[$0]) })
  }
}
