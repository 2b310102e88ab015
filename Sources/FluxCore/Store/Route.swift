/// The handlers of one action type, in the order of the dispatcher's stores.
final class Route: Sendable {
  // Separate from the others because most actions have one handler. Reading a constant property needs no
  // reference counting; reading an array element does.
  private let first: Handler
  private let others: [Handler]

  /// - Parameters:
  ///   - first: The first handler.
  ///   - others: The other handlers, in order.
  init(_ first: Handler, _ others: [Handler]) {
    self.first = first
    self.others = others
  }

  /// Runs an action through every handler, in order; skips stores that have handled it early.
  func run(_ reference: ActionReference, _ kernel: Kernel) throws(Rejection) {
    kernel.turn.value.handlingSlot = first.slot
    try first.run(reference, kernel)
    for handler in others {
      kernel.turn.value.handlingSlot = handler.slot
      if !kernel.turn.value.hasHandledEarly(handler.slot) { try handler.run(reference, kernel) }
    }
  }

  /// Runs an action through one store, because another store reads it; returns the rejection, if any.
  func rejection(of reference: ActionReference, onlyIn slot: Int, _ kernel: Kernel) -> Rejection? {
    do {
      try handler(of: slot)?.run(reference, kernel)
      return nil
    } catch {
      return error
    }
  }

  /// `true` if the store handles actions of this type.
  func includes(_ slot: Int) -> Bool {
    handler(of: slot) != nil
  }

  private func handler(of slot: Int) -> Handler? {
    first.slot == slot ? first : others.first { $0.slot == slot }
  }
}

/// Finds the route of an action type.
@safe
struct RouteTable: @unchecked Sendable {
  // Sendable: the table and its routes are constant.

  private let routes: [Route]
  // Not reference-counted: the table keeps its routes alive, and counting costs a sixth of a step that changes
  // nothing.
  private let table: TypeTable<Unmanaged<Route>>

  init(_ routes: [ObjectIdentifier: Route]) {
    unsafe table = TypeTable(routes.mapValues { unsafe .passUnretained($0) })
    self.routes = Array(routes.values)
  }

  /// Calls `body` with the route of a type; returns nil if there is none.
  @inline(__always)
  func withRoute<Result>(of type: ObjectIdentifier, _ body: (Route) -> Result) -> Result? {
    // The kernel keeps the table alive during the call, and the table keeps the route alive.
    unsafe table.value(of: type)?._withUnsafeGuaranteedRef { body($0) }
  }
}

/// Finds the value for a type.
///
/// It is a hash table with linear probing that never changes. The addresses of types serve as hashes: a
/// lookup takes 3 ns, and 20 ns in a `Dictionary`.
struct TypeTable<Value> {
  fileprivate struct Entry {
    let type: ObjectIdentifier
    let value: Value
  }

  private let entries: [Entry?]
  private let mask: Int

  init(_ values: [ObjectIdentifier: Value]) {
    var capacity = 8
    while capacity < values.count * 2 { capacity *= 2 }
    let mask = capacity - 1
    var entries = [Entry?](repeating: nil, count: capacity)
    for (type, value) in values {
      var index = Self.start(type) & mask
      while entries[index] != nil { index = (index + 1) & mask }
      entries[index] = Entry(type: type, value: value)
    }
    self.entries = entries
    self.mask = mask
  }

  /// The value for a type; nil if there is none.
  @inline(__always)
  func value(of type: ObjectIdentifier) -> Value? {
    var index = Self.start(type) & mask
    while let entry = entries[index] {
      if entry.type == type { return entry.value }
      index = (index + 1) & mask
    }
    return nil
  }

  /// Type metadata is aligned and its addresses are close together: the low bits are equal, the middle ones
  /// differ.
  private static func start(_ type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 12))
  }
}

extension TypeTable: Sendable where Value: Sendable {}
extension TypeTable.Entry: Sendable where Value: Sendable {}
