/// Containers that were handed out for the members of objects, kept for the next objects whose members have names of
/// the same type.
///
/// To make one is to look up three types and their conformances by the type of the names, in tables of all types: 1,400
/// instructions, and a small object takes as many.
///
/// A session shares them with those inside it, as an enum with associated values needs one for each value.
///
/// `@safe`: there are as many places as are asked for, and what stands there is released where it is taken out.
@safe
final class KeptContainers {
  /// Not an array, which would count a reference of each container that is looked at.
  private let kept: UnsafeMutablePointer<Unmanaged<KeptContainer>?>
  /// A bit for each place from which a container was handed out since the last ``releaseAll()``.
  @exclusivity(unchecked) private var used: UInt64 = 0
  /// Whether an encoding is under way, which ends with ``releaseAll()``.
  @exclusivity(unchecked) private var isKeeping = false

  private static let placeCount = UInt64.bitWidth

  init() {
    unsafe kept = .allocate(capacity: Self.placeCount)
    unsafe kept.initialize(repeating: nil, count: Self.placeCount)
  }

  deinit {
    for place in 0..<Self.placeCount { unsafe kept[place]?.release() }
    unsafe kept.deallocate()
  }

  /// Keeps containers from now on, until ``releaseAll()``, before which no session must end.
  func begin() { unsafe isKeeping = true }

  /// A container for the object at a place.
  func container<Key: CodingKey>(
    of keys: Key.Type, at object: EncodingPlace
  ) -> KeyedEncodingContainer<Key> {
    let place = place(of: ObjectIdentifier(keys))
    guard let known = unsafe kept[place],
      unsafe isKeeping && known._withUnsafeGuaranteedRef({ $0.isFree(for: ObjectIdentifier(keys)) })
    else { return newContainer(of: keys, at: object, place) }
    unsafe used |= 1 &<< UInt64(place)
    return unsafe known._withUnsafeGuaranteedRef { $0.container(of: keys, for: object) }
  }

  /// Where the container for names of a type is kept; of two places the one that has it, if any.
  @inline(__always)
  private func place(of type: ObjectIdentifier) -> Int {
    // Types are described by aligned memory: the lowest bits tell nothing.
    let first = Int(UInt(bitPattern: type) >> 4 & UInt(Self.placeCount - 1))
    let isOfAnother = unsafe kept[first]?._withUnsafeGuaranteedRef { $0.type != type } ?? false
    return isOfAnother ? first ^ 1 : first
  }

  /// Makes a container, and keeps it where nothing else is kept.
  ///
  /// That may be a container of names that both need the place for, or one in use: of an object around this one.
  @inline(never)
  private func newContainer<Key: CodingKey>(
    of keys: Key.Type, at object: EncodingPlace, _ place: Int
  ) -> KeyedEncodingContainer<Key> {
    let target = MemberTarget(object)
    let container = KeyedEncodingContainer(KeyedEncoding<Key>(target: target))
    guard unsafe isKeeping, unsafe kept[place] == nil,
      let new = KeptContainer.of(container, target, keys)
    else {
      // What is asked of an encoder that outlives its encoding is never let go of, either.
      target.holdSession()
      return container
    }
    unsafe kept[place] = .passRetained(new)
    unsafe used |= 1 &<< UInt64(place)
    return container
  }

  /// Ends an encoding: a container that somebody still has is not kept, and holds its session from now on.
  func releaseAll() {
    unsafe isKeeping = false
    while unsafe used != 0 {
      let place = unsafe used.trailingZeroBitCount
      unsafe used &= used &- 1
      let isFree = unsafe kept[place]?._withUnsafeGuaranteedRef { $0.isFreeOrHoldsSession() }
      if isFree == false {
        unsafe kept[place]?.release()
        unsafe kept[place] = nil
      }
    }
  }
}

/// A container that is kept, whatever the type of the names.
@safe
private class KeptContainer {
  let type: ObjectIdentifier
  private let target: MemberTarget
  /// The only thing that the container consists of, behind a pointer, as to ask who refers to it is to lend it: who has
  /// the container refers to this object.
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

  /// Nil where this language's containers are anything but a reference to an object of theirs.
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

  /// Whether nobody else has the container, and its names are of that type.
  @inline(__always)
  final func isFree(for type: ObjectIdentifier) -> Bool {
    unsafe self.type == type && isKnownUniquelyReferenced(&box.pointee)
  }

  /// Whether nobody else has the container; where somebody has, it holds its session from now on.
  final func isFreeOrHoldsSession() -> Bool {
    if isFree(for: type) { return true }
    target.holdSession()
    return false
  }

  /// The container, made one for another object.
  ///
  /// Not an optional, whose type would have to be looked up.
  @inline(__always)
  final func container<Key: CodingKey>(
    of keys: Key.Type, for object: EncodingPlace
  ) -> KeyedEncodingContainer<Key> {
    precondition(type == ObjectIdentifier(keys))
    target.move(to: object)
    // Made as such in `of`, with the same type of names.
    return unsafe unsafeDowncast(self, to: TypedKeptContainer<KeyedEncodingContainer<Key>>.self)
      .container()
  }
}

/// A container that is kept, with its type, which need not be looked up here.
private final class TypedKeptContainer<Container>: KeptContainer {
  /// Not inlined: where it is called, nothing but the type of the names is known.
  @inline(never)
  func container() -> Container {
    // The container consists of a reference to this object, as was made sure of when it was made.
    unsafe UnsafeRawPointer(box).assumingMemoryBound(to: Container.self).pointee
  }
}
