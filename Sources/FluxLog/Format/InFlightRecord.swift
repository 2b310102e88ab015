/// The layout of the ring of actions in flight: private to this library, and checked.
///
/// The ring begins with a magic number, the checksum of what its log is known by, and the checksum of
/// both; records begin at multiples of eight. A record is magic, checksum (of all that follows
/// but the flag), number, time, the count of its text, the count of the whole text, the flag, the count of the
/// origin's text, that text, and the text of the action. All numbers are little-endian. A change of this is
/// a ``Layout`` of its own.
enum InFlightRecord {
  static let ringHeaderCount = 16
  static let committed: UInt32 = 0x434F_4D54

  enum Offset {
    static let checksum = 4
    static let number = 8
    static let time = 16
    static let textCount = 24
    static let fullCount = 28
    static let flag = 32
    static let originCount = 36
    static let text = 40
  }

  /// How many bytes a record takes with the texts of the origin and of the action.
  static func byteCount(textCount: Int) -> Int { (Offset.text + textCount + 7) / 8 * 8 }

  static func ringHeader(identity: UInt32, _ layout: Layout = .current) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ringHeaderCount)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: layout.ringMagic.littleEndian, as: UInt32.self)
      unsafe bytes.storeBytes(of: identity.littleEndian, toByteOffset: 4, as: UInt32.self)
      let sum = unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<8]))
      unsafe bytes.storeBytes(of: sum.littleEndian, toByteOffset: 8, as: UInt32.self)
    }
    return bytes
  }

  /// Writes a record into memory of exactly its size.
  static func write(
    to memory: UnsafeMutableRawBufferPointer, number: UInt64, time: LogTime,
    origin: UnsafeRawBufferPointer, text: UnsafeRawBufferPointer, fullCount: Int
  ) {
    precondition(memory.count == byteCount(textCount: origin.count + text.count))
    unsafe memory.storeBytes(of: 0, toByteOffset: Offset.flag, as: UInt64.self)
    unsafe memory.storeBytes(of: number.littleEndian, toByteOffset: Offset.number, as: UInt64.self)
    unsafe memory.storeBytes(
      of: time.microseconds.littleEndian, toByteOffset: Offset.time, as: UInt64.self)
    // The text is at most a quarter of the ring; of the whole, all above 4 GB is the same.
    unsafe memory.storeBytes(
      of: UInt32(text.count).littleEndian, toByteOffset: Offset.textCount, as: UInt32.self)
    unsafe memory.storeBytes(
      of: UInt32(clamping: fullCount).littleEndian, toByteOffset: Offset.fullCount, as: UInt32.self)
    unsafe memory.storeBytes(
      of: UInt32(origin.count).littleEndian, toByteOffset: Offset.originCount, as: UInt32.self)
    let texts = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[Offset.text...])
    unsafe texts.copyMemory(from: origin)
    unsafe UnsafeMutableRawBufferPointer(rebasing: texts[origin.count...]).copyMemory(from: text)
    let sum = unsafe checksum(
      UnsafeRawBufferPointer(memory), textCount: origin.count + text.count)
    unsafe memory.storeBytes(of: sum.littleEndian, toByteOffset: Offset.checksum, as: UInt32.self)
    unsafe memory.storeBytes(of: Layout.current.recordMagic.littleEndian, as: UInt32.self)
  }

  static func setCommitted(_ memory: UnsafeMutableRawBufferPointer) {
    unsafe memory.storeBytes(of: committed.littleEndian, toByteOffset: Offset.flag, as: UInt32.self)
  }

  /// The checksum of a record: the numbers before the flag, the one behind it, and the texts.
  static func checksum(
    _ record: UnsafeRawBufferPointer, textCount: Int, _ layout: Layout = .current
  ) -> UInt32 {
    var checksum = CRC32C()
    unsafe checksum.update(UnsafeRawBufferPointer(rebasing: record[Offset.number..<Offset.flag]))
    let restStart = layout.hasOrigin ? Offset.originCount : Offset.text
    let rest = restStart..<Offset.text + textCount
    unsafe checksum.update(UnsafeRawBufferPointer(rebasing: record[rest]))
    return checksum.value
  }
}
