/// A stack of trivial values.
///
/// An array would check on every change whether its storage is shared. Those checks took a sixth of
/// the encoder's time.
@safe
struct TrivialStack<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit { unsafe base.deallocate() }

  @inline(__always)
  subscript(_ place: Int) -> Element {
    _read {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
      yield unsafe base[place]
    }
    _modify {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
      yield unsafe &base[place]
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    // Elements are trivial: an assignment initializes them, and they need no deinitialization.
    unsafe base[count] = element
    count &+= 1
  }

  @inline(__always)
  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  mutating func replace(_ part: Range<Int>, with elements: borrowing TrivialStack) {
    precondition(part.lowerBound >= 0 && part.upperBound <= count)
    let newCount = count - part.count + elements.count
    if newCount > capacity { grow(to: newCount) }
    let rest = unsafe base + part.upperBound
    // Both ranges are within the capacity. `update(from:)` allows overlap.
    unsafe (rest + elements.count - part.count).update(from: rest, count: count - part.upperBound)
    unsafe (base + part.lowerBound).update(from: elements.base, count: elements.count)
    count = newCount
  }

  @inline(never)
  private mutating func grow(to least: Int = 0) {
    let newCapacity = max(capacity * 2, least)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    unsafe larger.initialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    capacity = newCapacity
  }
}
