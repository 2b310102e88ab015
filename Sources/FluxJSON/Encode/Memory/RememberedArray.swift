/// The elements of an array that equal remembered ones bit by bit.
struct SharedElements {
  let oldCount: Int
  let newCount: Int
  /// The number of equal elements at the beginning of both arrays.
  var head = 0
  /// The number of equal elements at the end of both arrays.
  var tail = 0
  /// The remembered elements that moved together, between head and tail; empty if there are none.
  var oldRun = 0..<0
  /// The places of those elements in the new array.
  var newRun = 0..<0

  /// The number of shared elements.
  var count: Int { head &+ newRun.count &+ tail }

  /// Returns the remembered index of a shared element.
  func oldIndex(of place: Int) -> Int {
    if place < head { return place }
    if newRun.contains(place) { return place - newRun.lowerBound + oldRun.lowerBound }
    return place - newCount + oldCount
  }

  /// Returns the new index of a remembered element, or of the next shared one if it is gone.
  func newIndex(from place: Int) -> Int {
    if place < head { return place }
    if place < oldRun.upperBound { return max(place - oldRun.lowerBound, 0) + newRun.lowerBound }
    return max(place - oldCount + tail, 0) + newCount - tail
  }
}

/// The elements of an array, and their text without brackets.
final class RememberedArray<Element> {
  @exclusivity(unchecked) private var elements: [Element] = []
  /// Not an array, and neither is `ends`: reading an array in a class counts a reference.
  @exclusivity(unchecked) private(set) var text = ByteBuffer()
  @exclusivity(unchecked) private var ends = TrivialStack<Int>(capacity: 16)
  /// The ends of the elements that were just encoded.
  ///
  /// Not an array, whose memory takes 1 % of the instructions of recording a step of two todos.
  @exclusivity(unchecked) private var newEnds = TrivialStack<Int>(capacity: 1)

  /// `true` if no value of the element type holds an object that can encode itself.
  @exclusivity(unchecked) var holdsNoObjects = false

  /// Returns the elements that equal remembered ones bit by bit.
  func shared(with other: [Element]) -> SharedElements {
    var shared = SharedElements(oldCount: count, newCount: other.count)
    unsafe elements.withUnsafeBytes { known in
      unsafe other.withUnsafeBytes { new in
        shared.head = unsafe Self.commonHead(known, new)
        let rest = min(count, other.count) - shared.head
        if rest > 0 { shared.tail = unsafe min(Self.commonTail(known, new), rest) }
        unsafe findRun(&shared, known, new)
      }
    }
    return shared
  }

  /// Finds elements between the head and the tail that moved together.
  ///
  /// A list with a limit loses its first element when it gets another one: an undo history, the points of a chart, the
  /// lines of a console. Either the first new element was further back, or the first old one is further back now.
  private func findRun(
    _ shared: inout SharedElements, _ known: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer
  ) {
    let start = shared.head
    let (oldEnd, newEnd) = (count - shared.tail, shared.newCount - shared.tail)
    shared.oldRun = start..<start
    shared.newRun = start..<start
    // One changed element, added ones and removed ones are the usual cases.
    guard oldEnd > start, newEnd > start, max(oldEnd, newEnd) - start > 1 else { return }
    let stride = MemoryLayout<Element>.stride
    let old = unsafe UnsafeRawBufferPointer(rebasing: known[..<(oldEnd * stride)])
    let new = unsafe UnsafeRawBufferPointer(rebasing: new[..<(newEnd * stride)])
    shared.oldRun = unsafe Self.longestRun(from: start, of: new, in: old)
    shared.newRun = unsafe Self.longestRun(from: start, of: old, in: new)
    if shared.oldRun.count >= shared.newRun.count {
      shared.newRun = start..<start + shared.oldRun.count
    } else {
      shared.oldRun = start..<start + shared.newRun.count
    }
  }

  /// Returns the longest part of `target`, after the element at `start`, that equals the elements of `source` from
  /// `start` on.
  private static func longestRun(
    from start: Int, of source: UnsafeRawBufferPointer, in target: UnsafeRawBufferPointer
  ) -> Range<Int> {
    let (size, stride) = (MemoryLayout<Element>.size, MemoryLayout<Element>.stride)
    let rest = unsafe source.from(start * stride)
    let element = unsafe UnsafeRawBufferPointer(rebasing: rest[..<size])
    var longest = start..<start
    // Equal numbers are common, and each is tried in vain.
    var attempts = 4
    var place = start + 1
    while place * stride < target.count, attempts > 0 {
      let other = unsafe target.from(place * stride)
      if unsafe UnsafeRawBufferPointer(rebasing: other[..<size]).equals(element) {
        let length = unsafe commonHead(other, rest)
        if length > longest.count { longest = place..<place + length }
        attempts -= 1
      }
      place += 1
    }
    return longest
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

  /// The number of elements; reading it from the array would count a reference.
  var count: Int { unsafe ends.count }

  /// Returns the range of the text of some elements.
  func span(of part: Range<Int>) -> Range<Int> {
    let start = unsafe part.lowerBound > 0 ? ends[part.lowerBound - 1] + 1 : 0
    guard part.isEmpty else { return start..<(unsafe ends[part.upperBound - 1]) }
    let place = unsafe part.lowerBound > 0 ? text.count : 0
    return place..<place
  }

  func beginMiddle() { unsafe newEnds.truncate(to: 0) }

  /// Notes the end of an element that does not equal a remembered one.
  func append(end: Int) { unsafe newEnds.append(end) }

  /// Notes the ends of remembered elements whose text now begins at an offset.
  func appendRun(_ run: Range<Int>, at offset: Int) {
    let shift = offset - span(of: run).lowerBound
    for place in run { unsafe newEnds.append(ends[place] + shift) }
  }

  /// Replaces the remembered array with a new one; the ends of the elements between head and tail were noted.
  func update(
    _ new: [Element], _ shared: SharedElements, text newText: UnsafeRawBufferPointer
  ) {
    let head = span(of: 0..<shared.head)
    let tail = span(of: count - shared.tail..<count)
    let shift = unsafe newText.count - text.count
    let middle = head.upperBound..<newText.count - tail.count
    let changed = unsafe UnsafeRawBufferPointer(rebasing: newText[middle])
    unsafe text.replace(head.upperBound..<tail.lowerBound, with: changed)
    unsafe ends.replace(shared.head..<count - shared.tail, with: newEnds)
    if shift != 0 {
      for place in unsafe ends.count - shared.tail..<ends.count { unsafe ends[place] += shift }
    }
    unsafe elements = new
  }

  /// Forgets all elements.
  func removeAll() {
    unsafe elements = []
    unsafe text = ByteBuffer()
    unsafe ends.truncate(to: 0)
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
