import FluxJSON

extension InFlightRecord {
  /// Returns the actions in the bytes of a ring; none if the ring belongs to another log or has an
  /// unknown layout.
  ///
  /// Searches every place where a record may start, so that an invalid record hides no other. Skips
  /// records with a wrong checksum.
  static func actions(in ring: [UInt8], identity: UInt32) -> [InFlightAction] {
    guard let layout = Layout(ofRing: ring),
      ring.starts(with: ringHeader(identity: identity, layout))
    else { return [] }
    var actions: [InFlightAction] = []
    unsafe ring.span.bytes.withUnsafeBytes { bytes in
      var place = ringHeaderCount
      while place + Offset.text <= bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[place...])
        guard let counts = unsafe counts(ofRecord: rest, layout) else {
          place += 8
          continue
        }
        unsafe actions.append(action(ofRecord: rest, counts))
        place += byteCount(textCount: counts.origin + counts.text)
      }
    }
    return actions
  }

  /// Returns the lengths of a record's texts; `nil` if no valid record starts here.
  private static func counts(
    ofRecord record: UnsafeRawBufferPointer, _ layout: Layout
  ) -> (origin: Int, text: Int)? {
    guard unsafe number(record, at: 0, UInt32.self) == layout.recordMagic else { return nil }
    let textCount = unsafe Int(number(record, at: Offset.textCount, UInt32.self))
    let originCount =
      layout.hasOrigin ? unsafe Int(number(record, at: Offset.originCount, UInt32.self)) : 0
    guard originCount + textCount <= record.count - Offset.text,
      unsafe number(record, at: Offset.checksum, UInt32.self)
        == checksum(record, textCount: originCount + textCount, layout)
    else { return nil }
    return (originCount, textCount)
  }

  private static func action(
    ofRecord record: UnsafeRawBufferPointer, _ counts: (origin: Int, text: Int)
  ) -> InFlightAction {
    let start = Offset.text + counts.origin
    let text = unsafe [UInt8](record[start..<start + counts.text])
    let action =
      unsafe number(record, at: Offset.fullCount, UInt32.self) == counts.text
      ? parsed(text) : JSON?.none
    return unsafe InFlightAction(
      number: number(record, at: Offset.number, UInt64.self),
      time: LogTime(microseconds: number(record, at: Offset.time, UInt64.self)),
      type: action?["type"]?.string ?? type(inBeginningOf: text), action: action,
      isCommitted: number(record, at: Offset.flag, UInt32.self) == committed,
      origin: origin([UInt8](record[Offset.text..<start])))
  }

  /// Validated like the action, in spite of the checksum.
  private static func origin(_ text: [UInt8]) -> ActionOrigin {
    do throws(JSONError) { return try ActionOrigin(text: text) } catch { return ActionOrigin() }
  }

  /// A text with a correct checksum is what was written; it is validated as JSON all the same.
  private static func parsed(_ text: [UInt8]) -> JSON? {
    do throws(JSONError) { return try JSON.parse(text) } catch { return nil }
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
    return parsed(Array(text[prefix.count...end]))?.string
  }

  private static func number<Number: FixedWidthInteger>(
    _ record: UnsafeRawBufferPointer, at offset: Int, _ type: Number.Type
  ) -> Number {
    unsafe Number(littleEndian: record.loadUnaligned(fromByteOffset: offset, as: type))
  }
}
