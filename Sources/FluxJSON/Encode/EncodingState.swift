import Foundation

/// The text that the encoder writes, and the values in progress, outermost first.
///
/// No method here calls code of the encoded types.
///
/// `@safe`: `LogEncoder` keeps `memory` alive for the whole encoding.
@safe
struct EncodingState: ~Copyable {
  var buffer = ByteBuffer()
  var levels = TrivialStack<EncodingLevel>(capacity: 8)
  var parts = TrivialStack<EncodedPart>(capacity: 16)
  var children: [EncodingSession] = []
  /// The first misuse that could not be thrown at its origin.
  var failure: (any Error)?
  /// `true` if the members of objects keep the order in which they are encoded.
  var keepsOrder = false
  private var nextSerial: UInt32 = 0
  var types = TypeTable()
  /// The memory of the encoded state, or `nil` if the value is not remembered.
  var memory: Unmanaged<StateMemory>?

  /// Resets everything except the allocated memory, for the next text.
  ///
  /// Serial numbers continue, so a position in this text is never valid in the next.
  mutating func removeAll() {
    buffer.truncate(to: 0)
    levels.truncate(to: 0)
    parts.truncate(to: 0)
    if !children.isEmpty { children = [] }
    failure = nil
    unsafe memory = nil
  }

  // MARK: Levels

  mutating func push(_ type: any Encodable.Type) {
    nextSerial &+= 1
    levels.append(
      EncodingLevel(
        serial: nextSerial, start: buffer.count, firstPart: parts.count,
        type: type))
  }

  func isInnermost(_ position: EncodingPosition) -> Bool {
    position.level == levels.count - 1 && levels[position.level].serial == position.serial
  }

  /// Makes the innermost value an object or an array; returns `false` if it has another form.
  mutating func open(_ kind: EncodingLevel.Kind) -> Bool {
    let innermost = levels.count - 1
    if levels[innermost].kind == kind { return true }
    guard levels[innermost].kind == .nothing else { return false }
    levels[innermost].kind = kind
    if kind == .array { levels[innermost].group = types.facts(of: levels[innermost].type).group }
    buffer.append(kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    return true
  }

  /// Makes the innermost value a scalar; returns `false` if it has a form already.
  mutating func openScalar() -> Bool {
    let innermost = levels.count - 1
    guard levels[innermost].kind == .nothing else { return false }
    levels[innermost].kind = .scalar
    return true
  }

  // MARK: Members and elements

  /// Writes the name of a member; the caller writes the value next.
  mutating func beginMember(_ name: UnsafeRawBufferPointer) {
    let innermost = levels.count - 1
    if levels[innermost].count > 0 { buffer.append(UInt8(ascii: ",")) }
    let start = buffer.count
    unsafe buffer.appendQuoted(name)
    let hasEscapes = buffer.count - start != name.count + 2
    // Members sort by their unescaped names, so an escaped name must not supply the prefix.
    let prefix =
      hasEscapes
      ? unsafe JSONBytes(name).prefix(0, name.count) : buffer.prefix(start + 1, name.count)
    if levels[innermost].count > 0, prefix <= levels[innermost].lastPrefix {
      levels[innermost].isSorted = false
    }
    levels[innermost].lastPrefix = prefix
    levels[innermost].count += 1
    parts.append(EncodedPart(start: start, nameEnd: buffer.count, prefix: prefix))
    buffer.append(UInt8(ascii: ":"))
  }

  /// Begins an element; the caller writes its value next.
  mutating func beginElement() {
    let innermost = levels.count - 1
    if levels[innermost].count > 0 { buffer.append(UInt8(ascii: ",")) }
    levels[innermost].count += 1
    guard levels[innermost].group > 0 else { return }
    parts.append(EncodedPart(start: buffer.count, nameEnd: buffer.count, prefix: 0))
  }

  /// Assigns the member or element that was just begun to a child session.
  mutating func addChild(_ child: EncodingSession) {
    let innermost = levels.count - 1
    levels[innermost].hasChildren = true
    children.append(child)
    if levels[innermost].kind == .array, levels[innermost].group == 0 {
      parts.append(EncodedPart(start: buffer.count, nameEnd: buffer.count, prefix: 0))
    }
    parts[parts.count - 1].child = children.count - 1
  }

  /// The sizes of the state before a member or an element.
  struct Mark {
    fileprivate let levels: Int
    fileprivate let parts: Int
    fileprivate let bytes: Int
  }

  @inline(__always)
  func mark() -> Mark {
    Mark(levels: levels.count, parts: parts.count, bytes: buffer.count)
  }

  /// Rolls back the member or element that failed after the mark.
  mutating func restore(_ mark: Mark) {
    truncate(to: mark)
    levels[mark.levels - 1].count -= 1
    // The name before the rolled-back one is unknown now, so the order is unknown, too.
    levels[mark.levels - 1].isSorted = false
  }

  /// Rolls back a value that began at the mark, so that another one can be written in its place.
  mutating func rollBack(to mark: Mark) {
    truncate(to: mark)
    failure = nil
  }

  private mutating func truncate(to mark: Mark) {
    levels.truncate(to: mark.levels)
    parts.truncate(to: mark.parts)
    buffer.truncate(to: mark.bytes)
  }

  /// Writes a value of a type whose form does not depend on its own `encode(to:)`.
  @inline(__always)
  mutating func write<T: Encodable>(_ value: T, opening: Bool) -> Bool {
    // The preceding comparison makes each cast one from a type to itself.
    if T.self == String.self {
      if opening, !openScalar() { return false }
      append(unsafe unsafeBitCast(value, to: String.self))
    } else if T.self == Int.self {
      if opening, !openScalar() { return false }
      buffer.appendNumber(Int64(unsafe unsafeBitCast(value, to: Int.self)))
    } else if T.self == Double.self {
      if opening, !openScalar() { return false }
      buffer.appendNumber(unsafe unsafeBitCast(value, to: Double.self))
    } else if T.self == Bool.self {
      if opening, !openScalar() { return false }
      append(unsafe unsafeBitCast(value, to: Bool.self))
    } else {
      return writeRare(value, opening: opening)
    }
    return true
  }

  @inline(never)
  private mutating func writeRare<T: Encodable>(_ value: T, opening: Bool) -> Bool {
    /// Each case below makes this a cast from a type to itself.
    func known<Known>(_ type: Known.Type) -> Known { unsafe unsafeBitCast(value, to: type) }
    if opening, levels[levels.count - 1].kind != .nothing { return false }
    switch ObjectIdentifier(T.self) {
    case ObjectIdentifier(Float.self): buffer.appendNumber(known(Float.self))
    case ObjectIdentifier(Int8.self): buffer.appendNumber(Int64(known(Int8.self)))
    case ObjectIdentifier(Int16.self): buffer.appendNumber(Int64(known(Int16.self)))
    case ObjectIdentifier(Int32.self): buffer.appendNumber(Int64(known(Int32.self)))
    case ObjectIdentifier(Int64.self): buffer.appendNumber(known(Int64.self))
    case ObjectIdentifier(UInt.self): buffer.appendNumber(UInt64(known(UInt.self)))
    case ObjectIdentifier(UInt8.self): buffer.appendNumber(UInt64(known(UInt8.self)))
    case ObjectIdentifier(UInt16.self): buffer.appendNumber(UInt64(known(UInt16.self)))
    case ObjectIdentifier(UInt32.self): buffer.appendNumber(UInt64(known(UInt32.self)))
    case ObjectIdentifier(UInt64.self): buffer.appendNumber(known(UInt64.self))
    case ObjectIdentifier(Int128.self): buffer.appendNumber(known(Int128.self))
    case ObjectIdentifier(UInt128.self): buffer.appendNumber(known(UInt128.self))
    case ObjectIdentifier(Date.self): append(known(Date.self))
    case ObjectIdentifier(Data.self): append(known(Data.self).base64EncodedString())
    case ObjectIdentifier(URL.self): append(known(URL.self).absoluteString)
    case ObjectIdentifier(Decimal.self): append(known(Decimal.self))
    default: return false
    }
    return !opening || openScalar()
  }

  @inline(__always)
  mutating func append(_ string: String) {
    // `withUTF8` would need a mutable copy of the string.
    let isDone: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe buffer.appendQuoted(UnsafeRawBufferPointer($0))
    }
    if isDone == nil { appendCopy(of: string) }
  }

  /// Appends a string without contiguous storage, such as one from Objective-C.
  @inline(never)
  private mutating func appendCopy(of string: String) {
    var string = string
    string.withUTF8 { unsafe buffer.appendQuoted(UnsafeRawBufferPointer($0)) }
  }

  mutating func append(_ bool: Bool) { buffer.append(bool ? "true" : "false") }

  mutating func append(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    if let text = ISO8601.text(seconds) { append(text) } else { buffer.appendNumber(seconds) }
  }

  mutating func append(_ decimal: Decimal) {
    guard decimal.isFinite else { return buffer.append("\"NaN\"") }
    var text = decimal.description
    text.withUTF8 { unsafe buffer.append(UnsafeRawBufferPointer($0)) }
  }
}

struct EncodingLevel: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable { case nothing, scalar, array, object }

  var kind = Kind.nothing
  /// `true` if the names of an object are known to be in ascending order so far.
  var isSorted = true
  /// `true` if a nested container or a super-encoder encodes one of the values.
  var hasChildren = false
  /// The number of elements that form one entry of an unordered array; 0 if order matters.
  var group: UInt8 = 0
  /// Distinguishes this level from earlier ones at the same depth.
  let serial: UInt32
  var count = 0
  /// The offset at which the value's text begins, and the index of its first part.
  let start: Int
  let firstPart: Int
  var lastPrefix: UInt64 = 0
  /// The type of the value, or a placeholder if it is unknown.
  var type: any Encodable.Type
}

/// A member of an object, or an element of an array that must be moved or filled in.
struct EncodedPart: BitwiseCopyable {
  let start: Int
  /// The end of the quoted name; equal to `start` for elements.
  var nameEnd: Int
  var end = 0
  /// The first eight bytes of the name, the first one highest.
  let prefix: UInt64
  /// The index of the child session whose text belongs at the end of this part, or -1.
  var child = -1
}

/// The level of a session that a container writes to.
struct EncodingPlace {
  let session: EncodingSession
  let position: EncodingPosition

  var level: Int { position.level }
}

/// A level of a session, distinguished from earlier ones at the same depth.
struct EncodingPosition: BitwiseCopyable {
  let level: Int
  let serial: UInt32
}
