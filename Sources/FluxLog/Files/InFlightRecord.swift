import FluxJSON
import FluxSystem

/// The layout of the file of actions in flight, a ring of records.
///
/// The ring begins with a magic number, the checksum of the log's header, and the checksum of both.
/// Records begin at multiples of eight. A record has a magic number, a checksum of everything after
/// it except the flag, the number, the time, the count of its text, the count of the whole text,
/// the flag, the count of the origin's text, that text, and the text of the action. All numbers are
/// little-endian. A changed layout is a new ``Layout``.
enum InFlightRecord {
  static let ringHeaderCount = 16
  static let committed: UInt32 = 0x434F_4D54
  /// The flag of the reserved record, from whose number on steps were dropped.
  static let dropped: UInt32 = 0x4452_4F50
  /// The place of the reserved record, and the size of the ring's header with it.
  static let reserved = ringHeaderCount..<ringHeaderCount + Offset.text

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

  /// Returns the size of a record with the texts of the origin and of the action.
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

  /// Returns a record.
  static func record(
    number: UInt64, time: LogTime, origin: [UInt8], text: ArraySlice<UInt8>, fullCount: Int,
    flag: UInt32 = 0
  ) -> [UInt8] {
    let textCount = origin.count + text.count
    var record = [UInt8](repeating: 0, count: byteCount(textCount: textCount))
    // All numbers are before the texts, which end before the record does.
    unsafe record.withUnsafeMutableBytes { record in
      func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        unsafe record.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
      }
      put(Layout.current.recordMagic, at: 0)
      put(number, at: Offset.number)
      put(time.microseconds, at: Offset.time)
      // The text is at most a quarter of the ring; of the whole, all above 4 GB is the same.
      put(UInt32(text.count), at: Offset.textCount)
      put(UInt32(clamping: fullCount), at: Offset.fullCount)
      put(flag, at: Offset.flag)
      put(UInt32(origin.count), at: Offset.originCount)
      let start = Offset.text + origin.count
      unsafe record[Offset.text..<start].copyBytes(from: origin)
      unsafe record[start..<start + text.count].copyBytes(from: text)
      let sum = unsafe checksum(UnsafeRawBufferPointer(record), textCount: textCount)
      put(sum, at: Offset.checksum)
    }
    return record
  }

  /// The reserved record of a ring that found no room for a step.
  static func dropped(from number: UInt64, at time: LogTime) -> [UInt8] {
    record(number: number, time: time, origin: [], text: [], fullCount: 0, flag: dropped)
  }

  /// The bytes of the flag of a committed step.
  static var committedFlag: [UInt8] {
    unsafe withUnsafeBytes(of: committed.littleEndian) { unsafe Array($0) }
  }

  /// The checksum of a record: the numbers before the flag, the one behind it, and the texts.
  static func checksum(
    _ record: UnsafeRawBufferPointer, textCount: Int, _ layout: Layout = .current
  ) -> UInt32 {
    let numbers = unsafe UnsafeRawBufferPointer(rebasing: record[Offset.number..<Offset.flag])
    let restStart = layout.hasOrigin ? Offset.originCount : Offset.text
    let rest = restStart..<Offset.text + textCount
    return unsafe CRC32C.checksum(
      UnsafeRawBufferPointer(rebasing: record[rest]), after: CRC32C.checksum(numbers))
  }
}

extension InFlightRecord {
  /// A layout of the ring, identified by magic numbers before the ring and before each record.
  ///
  /// Rings outlive the program that wrote them, so readers know every layout that there was.
  struct Layout {
    let ringMagic: UInt32
    let recordMagic: UInt32
    /// `true` if a record has the text of an origin; otherwise its count is zero and not part of the
    /// checksum.
    let hasOrigin: Bool

    /// "FLXS" and "flxb": the layout that is written.
    static let current = Layout(
      ringMagic: 0x5358_4C46, recordMagic: 0x6278_6C66, hasOrigin: true)
    /// "FLXR" and "flxa".
    static let withoutOrigin = Layout(
      ringMagic: 0x5258_4C46, recordMagic: 0x6178_6C66, hasOrigin: false)
  }
}

extension InFlightRecord.Layout {
  /// Finds the layout of a ring by its first bytes.
  init?(ofRing ring: [UInt8]) {
    let layout = [Self.current, .withoutOrigin].first { layout in
      unsafe withUnsafeBytes(of: layout.ringMagic.littleEndian) { unsafe ring.starts(with: $0) }
    }
    guard let layout else { return nil }
    self = layout
  }
}

// MARK: Reading

extension InFlightRecord {
  /// The largest ring that is written and read.
  ///
  /// Readers hold the whole ring in memory, so they must not believe the size of any file.
  static let largestRing = 64 << 20

  /// Reads a ring.
  ///
  /// - Throws: ``LogError`` if it cannot be read, or is larger than the limit.
  static func bytes(of file: OpenFile) throws(LogError) -> [UInt8] {
    let size = try file.status().size
    guard size <= largestRing else {
      throw LogError(
        path: file.path, reason: .inFlightTooLarge(byteCount: size, limit: largestRing))
    }
    return try file.bytes(at: 0, count: size)
  }

  /// Returns the actions in the bytes of a ring; none if the ring belongs to another log or has an
  /// unknown layout.
  ///
  /// Searches every place where a record may start, so that an invalid record hides no other. Skips
  /// records with a wrong checksum. Ends if those have many times the bytes of the ring: records
  /// that overlap so often were made to keep a reader busy.
  static func actions(in ring: [UInt8], identity: UInt32) -> [InFlightAction] {
    guard let layout = Layout(ofRing: ring),
      ring.starts(with: ringHeader(identity: identity, layout))
    else { return [] }
    var actions: [InFlightAction] = []
    var budget = Int(clamping: 64 * Int64(ring.count))
    unsafe ring.withUnsafeBytes { bytes in
      var offset = ringHeaderCount
      while offset + Offset.text <= bytes.count, budget > 0 {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        guard let counts = unsafe counts(ofRecord: rest, layout, &budget) else {
          offset += 8
          continue
        }
        unsafe actions.append(action(ofRecord: rest, counts))
        offset += byteCount(textCount: counts.origin + counts.text)
      }
    }
    return actions
  }

  /// Returns the lengths of a record's texts; `nil` if no valid record starts here.
  ///
  /// Takes the bytes of the texts from the budget.
  private static func counts(
    ofRecord record: UnsafeRawBufferPointer, _ layout: Layout, _ budget: inout Int
  ) -> (origin: Int, text: Int)? {
    guard unsafe number(record, at: 0, UInt32.self) == layout.recordMagic else { return nil }
    // Clamped, because an `Int` has 32 bits on some watches.
    let textCount = unsafe Int(clamping: number(record, at: Offset.textCount, UInt32.self))
    let originCount =
      layout.hasOrigin
      ? unsafe Int(clamping: number(record, at: Offset.originCount, UInt32.self)) : 0
    let room = record.count - Offset.text
    guard originCount <= room, textCount <= room - originCount else { return nil }
    budget -= originCount + textCount
    guard
      unsafe number(record, at: Offset.checksum, UInt32.self)
        == checksum(record, textCount: originCount + textCount, layout)
    else { return nil }
    return (originCount, textCount)
  }

  /// Reads a record, whose texts have a correct checksum, and are still validated as JSON.
  private static func action(
    ofRecord record: UnsafeRawBufferPointer, _ counts: (origin: Int, text: Int)
  ) -> InFlightAction {
    let start = Offset.text + counts.origin
    let text = unsafe [UInt8](record[start..<start + counts.text])
    let action =
      unsafe number(record, at: Offset.fullCount, UInt32.self) == counts.text
      ? JSON(ifValid: text) : JSON?.none
    let flag = unsafe number(record, at: Offset.flag, UInt32.self)
    return unsafe InFlightAction(
      number: number(record, at: Offset.number, UInt64.self),
      time: LogTime(microseconds: number(record, at: Offset.time, UInt64.self)),
      type: action?["type"]?.string ?? type(inBeginningOf: text), action: action,
      isCommitted: flag == committed, isDropped: flag == dropped,
      origin: ActionOrigin(text: [UInt8](record[Offset.text..<start])))
  }

  /// Returns the type of an action of which only the beginning exists, if the type is the first
  /// member.
  private static func type(inBeginningOf text: [UInt8]) -> String? {
    let prefix = Array(#"{"type":"#.utf8)
    guard text.starts(with: prefix) else { return nil }
    var end = prefix.count + 1
    while end < text.count, text[end] != UInt8(ascii: "\"") {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < text.count else { return nil }
    return JSON(ifValid: Array(text[prefix.count...end]))?.string
  }

  private static func number<Number: FixedWidthInteger>(
    _ record: UnsafeRawBufferPointer, at offset: Int, _ type: Number.Type
  ) -> Number {
    unsafe Number(littleEndian: record.loadUnaligned(fromByteOffset: offset, as: type))
  }
}
