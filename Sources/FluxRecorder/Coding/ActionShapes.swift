import FluxCore
import FluxLog
import Synchronization

/// How actions of a type are written.
struct ActionShape: Sendable {
  /// `{"type":"` and what the type is called in a log.
  let typePrefix: [UInt8]
  let form: Form

  enum Form {
    /// Its members are the payload.
    case plain
    /// Its case is part of the type.
    case enumeration
    /// ``Batch`` or ``NamedAction``.
    case special
  }

  static func typePrefix(_ kind: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("type")
    writer.string(kind)
    // Without the closing quote, since the name of a case may follow.
    return writer.bytes.dropLast()
  }
}

/// Remembers how types of actions are written: to find out takes microseconds, and a log has few types.
///
/// Lists that only grow, so that to look into them takes neither a lock nor a count of references: the two took an
/// eleventh of what the text of a small action took.
@safe
final class ActionShapes: @unchecked Sendable {
  // Sendable: the places are atomic, and what they lead to never changes, nor is it let go of.
  static let shared = ActionShapes()

  @safe
  private final class Entry: Sendable {
    let type: ObjectIdentifier
    let shape: ActionShape
    /// The entry that had the place before.
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
    // Types are described by aligned memory: the lowest bits tell nothing.
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

  /// Two threads that find the same out at the same time both remember it, which does no harm.
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
