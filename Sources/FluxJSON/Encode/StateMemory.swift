/// The arrays of a state as they were last encoded, with their texts.
///
/// Arrays inside other arrays are not remembered. Most steps change one element of a long array.
/// Elements whose bits did not change are not encoded again. A step of 1,000 todos then takes a
/// twentieth of the instructions.
///
/// Equal bits mean equal values, because the memory retains the old array. Its elements keep their
/// storage alive, and shared storage is copied before a change. This is true for values only. Do
/// not remember a state that refers to an object which changes in place. Different bits prove
/// nothing, so those elements are encoded again.
package final class StateMemory: @unchecked Sendable {
  // Sendable: one ledger owns the memory, and only the thread that writes the log uses that ledger.
  // No access to a variable calls other code, so run-time exclusivity checks are unnecessary.

  /// The arrays in the order in which they were encoded.
  @exclusivity(unchecked) private var arrays: [(elementType: ObjectIdentifier, array: AnyObject)] =
    []
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var isInsideArray = false

  /// The maximum number of remembered arrays; further arrays are encoded in full.
  private static let limit = 256

  package init() {}

  /// `true` if the next array can be remembered.
  var isReady: Bool { unsafe !isInsideArray && next < Self.limit }

  /// Starts the next text at the first remembered array.
  func begin() {
    unsafe next = 0
    unsafe isInsideArray = false
  }

  /// Returns the memory of the next array; the caller must call ``endArray()`` afterwards.
  func beginArray<Element>(of type: Element.Type) -> RememberedArray<Element> {
    unsafe isInsideArray = true
    let place = unsafe next
    unsafe next += 1
    let elementType = ObjectIdentifier(type)
    if unsafe place < arrays.count, unsafe arrays[place].elementType == elementType {
      // The element type was just compared. A checked cast took as long as comparing the elements.
      return unsafe unsafeDowncast(arrays[place].array, to: RememberedArray<Element>.self)
    }
    let new = RememberedArray<Element>()
    if unsafe place < arrays.count {
      unsafe arrays[place] = (elementType, new)
    } else {
      unsafe arrays.append((elementType, new))
    }
    return new
  }

  func endArray() { unsafe isInsideArray = false }
}

/// The elements of an array, and their text without brackets.
final class RememberedArray<Element> {
  @exclusivity(unchecked) private var elements: [Element] = []
  /// Not an array, and neither is `ends`: reading an array in a class counts a reference.
  @exclusivity(unchecked) private(set) var text = ByteBuffer()
  @exclusivity(unchecked) private var ends = TrivialStack<Int>(capacity: 16)

  /// Returns the number of elements at both ends that equal the remembered ones bit by bit.
  func common(with other: [Element]) -> (head: Int, tail: Int) {
    unsafe elements.withUnsafeBytes { known in
      unsafe other.withUnsafeBytes { new in
        let head = unsafe Self.commonHead(known, new)
        let rest = unsafe min(elements.count, other.count) - head
        guard rest > 0 else { return (head, 0) }
        return unsafe (head, min(Self.commonTail(known, new), rest))
      }
    }
  }

  // Elements may be followed by padding. A copy of an element does not include it, so its bytes are
  // arbitrary. A difference in the padding is ignored.

  private static func commonHead(
    _ known: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer
  ) -> Int {
    let (size, stride) = (MemoryLayout<Element>.size, MemoryLayout<Element>.stride)
    let end = min(known.count, new.count)
    var start = 0
    while start < end {
      let same = unsafe start + known.from(start).commonPrefix(with: new.from(start))
      if same >= end || same % stride < size { return same / stride }
      start = (same / stride + 1) * stride
    }
    return end / stride
  }

  private static func commonTail(
    _ known: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer
  ) -> Int {
    let (size, stride) = (MemoryLayout<Element>.size, MemoryLayout<Element>.stride)
    let end = min(known.count, new.count)
    var skipped = 0
    while skipped < end {
      let same = unsafe skipped + known.to(skipped).commonSuffix(with: new.to(skipped))
      if same >= end || same % stride >= stride - size { return same / stride }
      skipped = same / stride * stride + stride - size
    }
    return end / stride
  }

  var count: Int { unsafe elements.count }

  /// Returns the range of the text of some elements.
  func span(of part: Range<Int>) -> Range<Int> {
    let start = unsafe part.lowerBound > 0 ? ends[part.lowerBound - 1] + 1 : 0
    guard part.isEmpty else { return start..<(unsafe ends[part.upperBound - 1]) }
    let place = unsafe part.lowerBound > 0 ? text.count : 0
    return place..<place
  }

  /// Replaces the remembered array with a new one.
  func update(
    _ new: [Element], common: (head: Int, tail: Int), middleEnds: [Int],
    text newText: UnsafeRawBufferPointer
  ) {
    let head = span(of: 0..<common.head)
    let tail = span(of: count - common.tail..<count)
    let shift = unsafe newText.count - text.count
    let middle = head.upperBound..<newText.count - tail.count
    let changed = unsafe UnsafeRawBufferPointer(rebasing: newText[middle])
    unsafe text.replace(head.upperBound..<tail.lowerBound, with: changed)
    unsafe ends.replace(common.head..<elements.count - common.tail, with: middleEnds)
    if shift != 0 {
      for place in unsafe ends.count - common.tail..<ends.count { unsafe ends[place] += shift }
    }
    unsafe elements = new
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func from(_ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: self[count...])
  }

  fileprivate func to(_ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: self[..<(self.count - count)])
  }
}

extension EncodingSession {
  /// Encodes the innermost value as an array, reusing the text of unchanged elements.
  @inline(__always)
  func encodeRemembered<T: Encodable>(_ value: T) throws -> Bool {
    guard let memory = unsafe state.memory,
      unsafe memory._withUnsafeGuaranteedRef({ $0.isReady }),
      let type = unsafe state.rememberableArray(T.self), unsafe state.open(.array)
    else { return false }
    try unsafe memory._withUnsafeGuaranteedRef { try type.encode(value, in: self, $0) }
    return true
  }

  fileprivate func encode<Element: Encodable>(
    _ elements: [Element], _ memory: StateMemory
  ) throws {
    let known = memory.beginArray(of: Element.self)
    defer { memory.endArray() }
    let common = known.common(with: elements)
    let start = unsafe state.buffer.count
    unsafe state.appendElements(common.head, of: known.text, known.span(of: 0..<common.head))
    var ends: [Int] = []
    for place in common.head..<elements.count - common.tail {
      unsafe state.beginElement()
      try encodeNext(elements[place])
      ends.append(unsafe state.buffer.count - start)
    }
    unsafe state.appendElements(
      common.tail, of: known.text, known.span(of: known.count - common.tail..<known.count))
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
