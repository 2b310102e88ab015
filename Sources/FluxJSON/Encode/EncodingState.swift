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
  var unordered = UnorderedTypes()
  /// The memory of the encoded state, or `nil` if the value is not remembered.
  ///
  /// `LogEncoder` holds it, and clears this property at the end. It is unmanaged because every
  /// value reads it, and would count a reference.
  var memory: Unmanaged<StateMemory>?
  var arrays = RememberableArrays()

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
    if kind == .array { levels[innermost].group = unordered.group(of: levels[innermost].type) }
    buffer.append(kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    return true
  }

  /// Makes the innermost value a scalar; returns `false` if it has a form already.
  ///
  /// The caller writes the scalar next.
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
    levels.truncate(to: mark.levels)
    parts.truncate(to: mark.parts)
    buffer.truncate(to: mark.bytes)
    levels[mark.levels - 1].count -= 1
    // The name before the rolled-back one is unknown now, so the order is unknown, too.
    levels[mark.levels - 1].isSorted = false
  }
}
