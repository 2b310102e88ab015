import FluxSystem

/// The part of a file that is being scanned; all places are offsets in the file.
///
/// Safe although it holds a pointer: the buffer owns the memory, and every place is checked.
@safe
struct ScanBuffer: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  /// The offset of the buffer in the file.
  private(set) var base = 0
  /// The number of bytes in the buffer.
  private(set) var count = 0

  init() {
    unsafe memory = .allocate(byteCount: 0, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  var end: Int { base + count }

  /// The bytes in the buffer, valid until it changes.
  var bytes: UnsafeRawBufferPointer {
    // `count` is never greater than the size of the memory.
    unsafe UnsafeRawBufferPointer(start: memory.baseAddress, count: count)
  }

  /// Replaces the contents by a range of the file.
  mutating func fill(from file: OpenFile, _ range: Range<Int>) throws(LogError) {
    base = range.lowerBound
    count = 0
    try extend(from: file, by: range.count)
  }

  /// Reads the next `more` bytes of the file.
  mutating func extend(from file: OpenFile, by more: Int) throws(LogError) {
    if unsafe count + more > memory.count { grow(to: count + more) }
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + more])
    let read = try unsafe file.read(into: rest, at: end)
    count += read
    guard read == more else { throw LogError(path: file.path, reason: .shrunk(line: nil)) }
  }

  private mutating func grow(to size: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    unsafe larger.copyMemory(from: bytes)
    unsafe memory.deallocate()
    unsafe memory = larger
  }

  /// Returns the place of the next newline.
  @inline(__always)
  func newline(from place: Int) -> Int? {
    let offset = place - base
    precondition(offset >= 0 && offset <= count)
    guard offset < count, let start = unsafe memory.baseAddress else { return nil }
    // Inside the buffer: `offset + (count - offset)` is its count.
    guard let found = unsafe memchr(start + offset, 0x0A, count - offset) else { return nil }
    return unsafe base + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
  }
}
