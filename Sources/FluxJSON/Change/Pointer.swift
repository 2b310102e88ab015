/// A JSON Pointer (RFC 6901), which identifies one value in a document.
///
/// Two pointers are equal if their reference tokens are equal, code point by code point.
///
/// ```swift
/// let pointer = try Pointer("/todos/items/0/done")
/// try state.value(at: pointer)
/// ```
public struct Pointer: Sendable, Hashable, CustomStringConvertible {
  /// The text in WTF-8, which can represent names with lone surrogates.
  let bytes: [UInt8]

  /// The pointer to the whole document.
  public static let root = Pointer(tokens: [])

  /// Parses a pointer: an empty text for the whole document, or tokens with a `/` before each.
  ///
  /// - Throws: ``PointerError`` if the text is not empty and does not start with `/`, or if a `~`
  ///   is not followed by `0` or `1`.
  public init(_ text: String) throws(PointerError) {
    try self.init(bytes: Array(text.utf8))
  }

  /// Creates a pointer from unescaped tokens.
  public init(tokens: some Sequence<String>) {
    bytes = tokens.reduce(into: []) { $0.appendToken($1.utf8) }
  }

  init(bytes: [UInt8]) throws(PointerError) {
    if let reason = Pointer.fault(in: bytes) {
      throw PointerError(pointer: WTF8.string(bytes), reason: reason)
    }
    self.bytes = bytes
  }

  /// Creates a pointer from bytes that are known to be valid.
  init(checked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The reference tokens, unescaped.
  ///
  /// A lone surrogate is replaced by U+FFFD.
  public var tokens: [String] {
    var tokens: [String] = []
    unsafe bytes.withUnsafeBytes { bytes in
      var reader = unsafe PointerTokens(JSONBytes(bytes))
      while let token = reader.next() { tokens.append(token.string) }
    }
    return tokens
  }

  /// The text of the pointer.
  ///
  /// A lone surrogate is replaced by U+FFFD.
  public var description: String { WTF8.string(bytes) }

  /// Returns the pointer to a member of the value at this pointer.
  public func appending(name: String) -> Pointer {
    appending(token: name.utf8)
  }

  /// Returns the pointer to a member whose name is in WTF-8.
  func appending(token: some Sequence<UInt8>) -> Pointer {
    var bytes = bytes
    bytes.appendToken(token)
    return Pointer(checked: bytes)
  }

  /// Returns the pointer to an element of the array at this pointer.
  public func appending(index: Int) -> Pointer {
    appending(name: String(index))
  }

  /// The pointer to the enclosing container; the parent of the root is the root.
  public var parent: Pointer {
    Pointer(checked: Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)]))
  }

  /// Returns `true` if this pointer equals `other`, or points inside the value at `other`.
  public func isWithin(_ other: Pointer) -> Bool {
    bytes.starts(with: other.bytes)
      && (bytes.count == other.bytes.count || bytes[other.bytes.count] == UInt8(ascii: "/"))
  }

  /// Returns the error in the bytes; nil if they are a valid pointer.
  static func fault(in bytes: some Collection<UInt8>) -> PointerError.Reason? {
    guard let first = bytes.first else { return nil }
    guard first == UInt8(ascii: "/") else { return .noLeadingSlash }
    var follows = false
    for (offset, byte) in bytes.enumerated() {
      if follows, byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") {
        return .invalidEscape(byte: offset - 1)
      }
      follows = byte == UInt8(ascii: "~")
    }
    return follows ? .invalidEscape(byte: bytes.count - 1) : nil
  }
}

extension [UInt8] {
  /// Appends a reference token, and escapes `~` as `~0` and `/` as `~1`.
  mutating func appendToken(_ token: some Sequence<UInt8>) {
    append(UInt8(ascii: "/"))
    for byte in token {
      switch byte {
      case UInt8(ascii: "~"): append(contentsOf: "~0".utf8)
      case UInt8(ascii: "/"): append(contentsOf: "~1".utf8)
      default: append(byte)
      }
    }
  }
}
