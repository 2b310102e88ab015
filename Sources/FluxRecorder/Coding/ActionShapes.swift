import FluxCore
import FluxJSON
import FluxLog
import Synchronization

/// The way in which actions of a type are encoded.
struct ActionShape: Sendable {
  /// `{"type":"` followed by the type's kind.
  let typePrefix: [UInt8]
  let form: Form

  enum Form {
    /// The members are the payload.
    case plain
    /// The case is part of the type.
    case enumeration
    /// ``Batch`` or ``NamedAction``.
    case special
  }

  static func typePrefix(_ kind: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("type")
    writer.string(kind)
    // The closing quote is missing because a case name may follow.
    return writer.bytes.dropLast()
  }
}

/// Caches the shapes of action types.
///
/// Computing a shape takes microseconds, and a log has few types. The cache consists of linked
/// lists that only grow, so a lookup needs neither a lock nor reference counting. Together those
/// cost an eleventh of the time to encode a small action.
@safe
final class ActionShapes: @unchecked Sendable {
  // Sendable: the places are atomic, and the entries are immutable and never released.
  static let shared = ActionShapes()

  @safe
  private final class Entry: Sendable {
    let type: ObjectIdentifier
    let shape: ActionShape
    /// The previous first entry of the list.
    let next: Unmanaged<Entry>?

    init(_ type: ObjectIdentifier, _ shape: ActionShape, next: Unmanaged<Entry>?) {
      self.type = type
      self.shape = shape
      unsafe self.next = next
    }
  }

  private static let placeCount = 64
  private let places: UnsafeMutablePointer<Atomic<Unmanaged<Entry>?>>

  private init() {
    unsafe places = .allocate(capacity: Self.placeCount)
    for place in 0..<Self.placeCount { unsafe (places + place).initialize(to: Atomic(nil)) }
  }

  func shape(of action: some Any) -> ActionShape {
    let type = type(of: action)
    let identifier = ObjectIdentifier(type)
    let newest = unsafe places[Self.place(of: identifier)].load(ordering: .acquiring)
    if let shape = unsafe Self.shape(of: identifier, from: newest) { return shape }
    let kind =
      (type as? any Action.Type)?.kind ?? typeName(of: type, droppingSuffix: "Action")
    let shape = ActionShape(typePrefix: ActionShape.typePrefix(kind), form: form(of: action))
    unsafe remember(identifier, shape, before: newest)
    return shape
  }

  private static func place(of type: ObjectIdentifier) -> Int {
    // Type metadata is aligned, so its lowest bits are always equal.
    Int(UInt(bitPattern: type) >> 4 % UInt(placeCount))
  }

  private static func shape(
    of type: ObjectIdentifier, from newest: Unmanaged<Entry>?
  ) -> ActionShape? {
    var entry = unsafe newest
    while let known = unsafe entry {
      if unsafe known._withUnsafeGuaranteedRef({ $0.type == type }) {
        return unsafe known._withUnsafeGuaranteedRef { $0.shape }
      }
      unsafe entry = known._withUnsafeGuaranteedRef { unsafe $0.next }
    }
    return nil
  }

  /// Adds a shape to the cache.
  ///
  /// If two threads compute the same shape at the same time, both add it, which is harmless.
  private func remember(
    _ type: ObjectIdentifier, _ shape: ActionShape, before newest: Unmanaged<Entry>?
  ) {
    var next = unsafe newest
    while true {
      let entry = unsafe Unmanaged.passRetained(Entry(type, shape, next: next))
      let (isAdded, found) = unsafe places[Self.place(of: type)].compareExchange(
        expected: next, desired: entry, ordering: .acquiringAndReleasing)
      if isAdded { return }
      unsafe entry.release()
      unsafe next = found
    }
  }

  private func form(of action: Any) -> ActionShape.Form {
    if action is Batch || action is NamedAction { return .special }
    return Mirror(reflecting: action).displayStyle == .enum ? .enumeration : .plain
  }
}
