/// The arrays of a state as they were last encoded, outermost ones only, with their texts.
///
/// Most steps change one element of a long array. What is bit for bit as it was need not be encoded
/// again: a step of 1,000 todos takes a twentieth of the instructions.
///
/// Equal bits are the same value, as the arrays are kept: all memory that their elements share with
/// those of the new state is still theirs, and shared memory is copied before it is changed. That
/// holds for values; a state that refers to an object which changes in place must not be remembered.
/// Different bits prove nothing, and such elements are encoded.
final class StateMemory: @unchecked Sendable {
  // Sendable: it belongs to one ledger, and that to the one thread that writes the log. Nothing is called while a
  // variable is accessed, so that overlapping accesses need not be looked for when running.

  /// In the order in which they were encoded.
  ///
  /// What is kept of an array is true wherever it stands, so that another order only means that more
  /// has to be encoded.
  @exclusivity(unchecked) private var arrays: [(elementType: ObjectIdentifier, array: AnyObject)] =
    []
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var isInsideArray = false

  /// More arrays than this are encoded as if they were new.
  private static let limit = 256

  /// Whether the arrays that come next are to be remembered.
  var isReady: Bool { unsafe !isInsideArray && next < Self.limit }

  /// Begins another text.
  func begin() {
    unsafe next = 0
    unsafe isInsideArray = false
  }

  /// What is known of the next array; `end` has to follow.
  func beginArray<Element>(of type: Element.Type) -> RememberedArray<Element> {
    unsafe isInsideArray = true
    let place = unsafe next
    unsafe next += 1
    let elementType = ObjectIdentifier(type)
    if unsafe place < arrays.count, unsafe arrays[place].elementType == elementType {
      // What stands beside this type is an array of it; a checked cast took as long as to compare the elements.
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

/// The elements of an array, and the text that they have, without brackets.
final class RememberedArray<Element> {
  @exclusivity(unchecked) private var elements: [Element] = []
  /// Not an array, as the ends: to look at one in an object counts a reference of it.
  @exclusivity(unchecked) private(set) var text = ByteBuffer()
  /// Where the text of each element ends.
  @exclusivity(unchecked) private var ends = TrivialStack<Int>(capacity: 16)

  /// How many elements at both ends of an array are those that are known.
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

  // Up to the next element there may be bytes that belong to none: who copies an element does not copy them, so that they
  // are what was in the memory before.

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

  /// The text of that many elements at the start.
  func head(_ count: Int) -> Range<Int> { unsafe 0..<(count > 0 ? ends[count - 1] : 0) }

  /// The text of that many elements at the end.
  func tail(_ count: Int) -> Range<Int> {
    let end = unsafe text.count
    guard count > 0 else { return end..<end }
    let before = unsafe elements.count - count
    return unsafe (before > 0 ? ends[before - 1] + 1 : 0)..<end
  }

  /// Takes in an array.
  ///
  /// - Parameters:
  ///   - new: The elements.
  ///   - common: How many at both ends are known.
  ///   - middleEnds: Where the texts of the others end.
  ///   - newText: The text of all.
  func update(
    _ new: [Element], common: (head: Int, tail: Int), middleEnds: [Int],
    text newText: UnsafeRawBufferPointer
  ) {
    let (head, tail) = (head(common.head), tail(common.tail))
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
  /// What comes after so many bytes at the start.
  fileprivate func from(_ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: self[count...])
  }

  /// What comes before so many bytes at the end.
  fileprivate func to(_ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: self[..<(self.count - count)])
  }
}
