/// Encodes numbers and strings for a sidecar.
struct SidecarWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func put(_ string: String) {
    put(UInt32(string.utf8.count))
    bytes.append(contentsOf: string.utf8)
  }

  mutating func put<Number: FixedWidthInteger>(_ numbers: [Number]) {
    #if _endian(little)
      unsafe numbers.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    #else
      for number in numbers { put(number) }
    #endif
  }

  mutating func put<Element>(
    _ elements: [Element], _ body: (inout SidecarWriter, Element) -> Void
  ) {
    put(UInt32(elements.count))
    for element in elements { body(&self, element) }
  }
}

/// Decodes numbers and strings from a sidecar.
///
/// Validates everything: a count never exceeds the bytes that are left.
struct SidecarReader {
  struct Mismatch: Error {}

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(Mismatch) -> Number {
    let size = MemoryLayout<Number>.size
    guard bytes.count - position >= size else { throw Mismatch() }
    defer { position += size }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: type))
    }
  }

  mutating func count<Number: FixedWidthInteger>(
    _ type: Number.Type = UInt64.self
  ) throws(Mismatch) -> Int {
    // An `Int` has 32 bits on some watches.
    guard let count = Int(exactly: try number(type)) else { throw Mismatch() }
    return count
  }

  mutating func string() throws(Mismatch) -> String {
    let count = try count(UInt32.self)
    guard count <= bytes.count - position,
      let string = String(validating: bytes[position..<position + count], as: UTF8.self)
    else { throw Mismatch() }
    position += count
    return string
  }

  mutating func numbers<Number: FixedWidthInteger>(
    _ type: Number.Type, count: Int
  ) throws(Mismatch) -> [Number] {
    let size = MemoryLayout<Number>.size
    guard count >= 0, count <= (bytes.count - position) / size else { throw Mismatch() }
    defer { position += count * size }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe [Number](unsafeUninitializedCapacity: count) { numbers, filled in
        let part = unsafe UnsafeRawBufferPointer(
          rebasing: bytes[position..<position + count * size])
        unsafe UnsafeMutableRawBufferPointer(numbers).copyMemory(from: part)
        #if !_endian(little)
          for place in numbers.indices {
            unsafe numbers[place] = unsafe Number(littleEndian: numbers[place])
          }
        #endif
        filled = count
      }
    }
  }

  mutating func elements<Element>(
    _ body: (inout SidecarReader) throws(Mismatch) -> Element
  ) throws(Mismatch) -> [Element] {
    let count = try number(UInt32.self)
    var elements: [Element] = []
    // Every element takes at least one byte, so a wrong count fails at the end of the bytes.
    for _ in 0..<count { elements.append(try body(&self)) }
    return elements
  }
}
