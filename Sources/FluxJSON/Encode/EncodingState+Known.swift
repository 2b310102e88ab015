import Foundation

extension EncodingState {
  /// Writes a value of a type whose form does not depend on its own `encode(to:)`.
  ///
  /// Returns `false` if the type is not one of these. Pass `true` for `opening` if the value takes
  /// the place of the innermost one. It then also returns `false` if that one has a form already.
  @inline(__always)
  mutating func write<T: Encodable>(_ value: T, opening: Bool) throws -> Bool {
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
      return writeFoundation(value, opening: opening)
    }
    return true
  }

  @inline(__always)
  private mutating func writeFoundation<T: Encodable>(_ value: T, opening: Bool) -> Bool {
    let isKnown =
      T.self == Date.self || T.self == Data.self || T.self == URL.self || T.self == Decimal.self
    return isKnown && writeKnownFoundation(value, opening: opening)
  }

  @inline(never)
  private mutating func writeKnownFoundation<T: Encodable>(_ value: T, opening: Bool) -> Bool {
    if T.self == Date.self {
      if opening, !openScalar() { return false }
      append((value as? Date) ?? .distantPast)
    } else if T.self == Data.self {
      if opening, !openScalar() { return false }
      append((value as? Data)?.base64EncodedString() ?? "")
    } else if T.self == URL.self {
      if opening, !openScalar() { return false }
      append((value as? URL)?.absoluteString ?? "")
    } else if T.self == Decimal.self {
      if opening, !openScalar() { return false }
      append((value as? Decimal) ?? 0)
    } else {
      return false
    }
    return true
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
