/// A stack of values without references.
///
/// An array instead checks on every change whether it is shared: a sixth of the encoder's time.
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
    // Elements are trivial: a write initialises them, and they need no end.
    unsafe base[count] = element
    count &+= 1
  }

  @inline(__always)
  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    unsafe larger.initialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    capacity *= 2
  }
}
