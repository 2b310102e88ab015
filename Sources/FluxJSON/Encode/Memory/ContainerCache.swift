/// A cache of keyed containers, reused for later objects with the same key type.
///
/// Creating a container looks up three types and their conformances in the tables of all types.
/// Without the cache, encoding 100 todos takes 27 % more instructions, and recording a step of two
/// todos 26 % more. `ContainerCacheTests` proves the layout that it relies on; with another layout,
/// nothing is cached. A session shares the cache with the nested ones.
///
/// `@safe`: every index is below `slotCount`, and each container is released when it is removed.
@safe
final class ContainerCache {
  /// Not an array, which would count a reference for each container that is inspected.
  private let kept: UnsafeMutablePointer<Unmanaged<KeptContainer>?>
  /// One bit for each slot whose container was handed out since the last ``releaseAll()``.
  @exclusivity(unchecked) private var used: UInt64 = 0
  /// `true` during an encoding, which ends with ``releaseAll()``.
  @exclusivity(unchecked) private var isKeeping = false

  private static let slotCount = UInt64.bitWidth

  init() {
    unsafe kept = .allocate(capacity: Self.slotCount)
    unsafe kept.initialize(repeating: nil, count: Self.slotCount)
  }

  deinit {
    for slot in 0..<Self.slotCount { unsafe kept[slot]?.release() }
    unsafe kept.deallocate()
  }

  /// Starts caching; a session must not end before it calls ``releaseAll()``.
  func begin() { unsafe isKeeping = true }

  func container<Key: CodingKey>(
    of keys: Key.Type, at object: EncodingPlace
  ) -> KeyedEncodingContainer<Key> {
    let slot = slot(of: ObjectIdentifier(keys))
    guard let known = unsafe kept[slot],
      unsafe isKeeping && known._withUnsafeGuaranteedRef({ $0.isFree(for: ObjectIdentifier(keys)) })
    else { return newContainer(of: keys, at: object, slot) }
    unsafe used |= 1 &<< UInt64(slot)
    return unsafe known._withUnsafeGuaranteedRef { $0.container(of: keys, for: object) }
  }

  /// Returns the index for a key type: its first choice, or the neighbour if that is taken.
  @inline(__always)
  private func slot(of type: ObjectIdentifier) -> Int {
    // Type metadata is aligned, so its lowest bits carry no information.
    let first = Int(UInt(bitPattern: type) >> 4 & UInt(Self.slotCount - 1))
    let isOfAnother = unsafe kept[first]?._withUnsafeGuaranteedRef { $0.type != type } ?? false
    return isOfAnother ? first ^ 1 : first
  }

  /// Makes a container, and caches it if its slot is empty.
  @inline(never)
  private func newContainer<Key: CodingKey>(
    of keys: Key.Type, at object: EncodingPlace, _ slot: Int
  ) -> KeyedEncodingContainer<Key> {
    let target = MemberTarget(object)
    let container = KeyedEncodingContainer(KeyedEncoding<Key>(target: target))
    guard unsafe isKeeping, unsafe kept[slot] == nil,
      let new = KeptContainer.of(container, target, keys)
    else {
      // `releaseAll()` does not see this container, which may outlive the encoding. It holds its
      // session from the start.
      target.holdSession()
      return container
    }
    unsafe kept[slot] = .passRetained(new)
    unsafe used |= 1 &<< UInt64(slot)
    return container
  }

  /// Ends an encoding, and evicts the containers that are still in use.
  func releaseAll() {
    unsafe isKeeping = false
    while unsafe used != 0 {
      let slot = unsafe used.trailingZeroBitCount
      unsafe used &= used &- 1
      let isFree = unsafe kept[slot]?._withUnsafeGuaranteedRef { $0.isFreeOrHoldsSession() }
      if isFree == false {
        unsafe kept[slot]?.release()
        unsafe kept[slot] = nil
      }
    }
  }
}

@safe
private class KeptContainer {
  let type: ObjectIdentifier
  private let target: MemberTarget
  /// The only object that the container consists of; all copies of the container refer to it.
  ///
  /// It is behind a pointer because a uniqueness check needs it `inout`.
  fileprivate let box: UnsafeMutablePointer<AnyObject>

  fileprivate init(_ type: ObjectIdentifier, _ box: AnyObject, _ target: MemberTarget) {
    self.type = type
    self.target = target
    unsafe self.box = .allocate(capacity: 1)
    unsafe self.box.initialize(to: box)
  }

  deinit {
    unsafe box.deinitialize(count: 1)
    unsafe box.deallocate()
  }

  /// Caches a container; returns `nil` unless it consists of a single object reference.
  ///
  /// The layout of `KeyedEncodingContainer` depends on the version of the standard library.
  static func of<Key: CodingKey>(
    _ container: KeyedEncodingContainer<Key>, _ target: MemberTarget, _ keys: Key.Type
  ) -> KeptContainer? {
    guard let child = Mirror(reflecting: container).children.first?.value,
      Swift.type(of: child) is AnyClass
    else { return nil }
    let box = child as AnyObject
    let reference = UInt(bitPattern: ObjectIdentifier(box))
    let isReference = unsafe withUnsafeBytes(of: container) { bits in
      unsafe bits.count == MemoryLayout<UInt>.size && bits.load(as: UInt.self) == reference
    }
    guard isReference else { return nil }
    return TypedKeptContainer<KeyedEncodingContainer<Key>>(ObjectIdentifier(keys), box, target)
  }

  /// `true` if the container has no other owner and its key type is `type`.
  @inline(__always)
  final func isFree(for type: ObjectIdentifier) -> Bool {
    unsafe self.type == type && isKnownUniquelyReferenced(&box.pointee)
  }

  /// Returns `true` if the container has no other owner; otherwise makes it hold its session.
  final func isFreeOrHoldsSession() -> Bool {
    if isFree(for: type) { return true }
    target.holdSession()
    return false
  }

  /// Returns the container, redirected to another object.
  @inline(__always)
  final func container<Key: CodingKey>(
    of keys: Key.Type, for object: EncodingPlace
  ) -> KeyedEncodingContainer<Key> {
    precondition(type == ObjectIdentifier(keys))
    target.move(to: object)
    // `of` made this object with the same key type.
    return unsafe unsafeDowncast(self, to: TypedKeptContainer<KeyedEncodingContainer<Key>>.self)
      .container()
  }
}

/// A cached container with a static type that needs no lookup here.
private final class TypedKeptContainer<Container>: KeptContainer {
  /// Returns the container.
  @inline(never)
  func container() -> Container {
    // `of` checked that the container consists of a reference to this object.
    unsafe UnsafeRawPointer(box).load(as: Container.self)
  }
}

/// The object whose members a ``KeyedEncoding`` container writes.
///
/// A cached container is redirected to another object through `move(to:)`.
@safe
final class MemberTarget {
  @exclusivity(unchecked) private(set) var position: EncodingPosition
  /// The session, unretained.
  ///
  /// The encoder holds it during the encoding. `owner` holds it if the container lives longer.
  @exclusivity(unchecked) private var reference: Unmanaged<EncodingSession>
  /// The session, if the container may outlive the encoding.
  ///
  /// It is `nil` while the session caches the container, which avoids a reference cycle.
  @exclusivity(unchecked) private var owner: EncodingSession?

  init(_ place: EncodingPlace) {
    unsafe position = place.position
    unsafe reference = .passUnretained(place.session)
  }

  func move(to place: EncodingPlace) {
    unsafe position = place.position
    unsafe reference = .passUnretained(place.session)
  }

  /// Retains the session, because the container may outlive the encoding.
  func holdSession() { unsafe owner = reference.takeUnretainedValue() }

  /// The place of the object, with a strong reference to its session.
  var place: EncodingPlace {
    unsafe EncodingPlace(
      session: reference.takeUnretainedValue(), position: position)
  }

  /// Calls `body` with the session, and throws if the object is not the innermost value.
  @inline(__always)
  func write(_ body: (EncodingSession) throws -> Void) throws {
    try unsafe reference._withUnsafeGuaranteedRef { session in
      try session.check(unsafe position)
      try body(session)
    }
  }
}
