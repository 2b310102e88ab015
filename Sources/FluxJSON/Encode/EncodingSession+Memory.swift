extension EncodingSession {
  /// Encodes the innermost value as an array, reusing the text of unchanged elements.
  ///
  /// Returns `false` if the value is not a suitable array, if it already has another form, or if
  /// the state memory takes no array at this point.
  @inline(__always)
  func encodeRemembered<T: Encodable>(_ value: T) throws -> Bool {
    guard let memory = unsafe state.memory,
      unsafe memory._withUnsafeGuaranteedRef({ $0.isReady }),
      let type = unsafe state.arrays.array(T.self), unsafe state.open(.array)
    else { return false }
    try unsafe memory._withUnsafeGuaranteedRef { try type.encode(value, in: self, $0) }
    return true
  }

  /// Encodes the elements of the innermost value, an array that was just opened.
  fileprivate func encode<Element: Encodable>(
    _ elements: [Element], _ memory: StateMemory
  ) throws {
    let known = memory.beginArray(of: Element.self)
    defer { memory.endArray() }
    let common = known.common(with: elements)
    let start = unsafe state.buffer.count
    unsafe state.appendElements(common.head, of: known.text, known.head(common.head))
    var ends: [Int] = []
    for place in common.head..<elements.count - common.tail {
      unsafe state.beginElement()
      try encodeNext(elements[place])
      ends.append(unsafe state.buffer.count - start)
    }
    unsafe state.appendElements(common.tail, of: known.text, known.tail(common.tail))
    unsafe state.buffer.withBytes(start..<state.buffer.count) { text in
      unsafe known.update(elements, common: common, middleEnds: ends, text: text)
    }
  }
}

extension EncodingState {
  /// Appends elements as a part of a text that was encoded before.
  fileprivate mutating func appendElements(
    _ count: Int, of text: borrowing ByteBuffer, _ part: Range<Int>
  ) {
    guard count > 0 else { return }
    let innermost = levels.count - 1
    if levels[innermost].count > 0 { buffer.append(UInt8(ascii: ",")) }
    levels[innermost].count += count
    unsafe text.withBytes(part) { unsafe buffer.append($0) }
  }
}

/// An array whose elements can be remembered.
protocol RememberableArray {
  /// `true` if the elements are object references, whose equal bits do not prove equal values.
  static var holdsObjects: Bool { get }

  /// Encodes a value whose type is exactly this array type.
  static func encode<T>(
    _ value: T, in session: EncodingSession, _ memory: StateMemory) throws
}

extension Array: RememberableArray where Element: Encodable {
  static var holdsObjects: Bool { Element.self is AnyObject.Type }

  static func encode<T>(
    _ value: T, in session: EncodingSession, _ memory: StateMemory
  ) throws {
    precondition(T.self == Self.self)
    // The precondition makes this a cast from a type to itself.
    try session.encode(unsafe unsafeBitCast(value, to: Self.self), memory)
  }
}

/// Caches which types are rememberable arrays, as `UnorderedTypes` does for unordered ones.
struct RememberableArrays {
  private var known: [(type: ObjectIdentifier, array: (any RememberableArray.Type)?)?] = []
  /// Large enough that the types of one state rarely evict each other.
  ///
  /// A type that is evicted at every step also needs a dynamic cast at every step.
  private static let placeCount: UInt = 64

  mutating func array(_ type: any Encodable.Type) -> (any RememberableArray.Type)? {
    if known.isEmpty { known = Array(repeating: nil, count: Int(Self.placeCount)) }
    let identifier = ObjectIdentifier(type)
    let bits = UInt64(UInt(bitPattern: identifier))
    // The highest bits of the product depend on every bit of the pointer.
    var slot = Int((bits &* 0x9E37_79B9_7F4A_7C15) >> 58)
    if let entry = known[slot], entry.type != identifier { slot ^= 1 }
    if let entry = known[slot], entry.type == identifier { return entry.array }
    let array = type as? any RememberableArray.Type
    let usable = array?.holdsObjects == true ? nil : array
    known[slot] = (identifier, usable)
    return usable
  }
}
