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
    let bytes = Array(text.utf8)
    if let reason = Pointer.fault(in: bytes) { throw PointerError(pointer: text, reason: reason) }
    self.bytes = bytes
  }

  /// Creates a pointer from unescaped tokens.
  public init(tokens: some Sequence<String>) {
    bytes = tokens.reduce(into: []) { $0.appendToken($1.utf8) }
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

/// An error in a JSON Pointer's text, or a pointer that leads to no value.
public struct PointerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The cause of a failure.
  public enum Reason: Error, Equatable, Sendable {
    /// The text is not empty and does not start with `/`.
    case noLeadingSlash
    /// A `~` is not followed by `0` or `1`; the associated value is its byte offset.
    case invalidEscape(byte: Int)
    /// An object has no member with that name.
    case noMember(name: String, parent: String)
    /// A token for an array is not an index.
    case notAnIndex(token: String, parent: String)
    /// An array has no element at that index.
    case noElement(token: String, count: Int, parent: String)
    /// A token leads into a scalar, which holds no other values.
    case scalar(JSON.Kind, parent: String)
  }

  /// The text of the pointer.
  public let pointer: String
  /// The cause of the failure.
  public let reason: Reason

  /// A sentence that states what is wrong, where, and what was expected.
  public var message: String {
    switch reason {
    case .noLeadingSlash:
      "the JSON Pointer \"\(pointer)\" does not start with '/'"
    case .invalidEscape(let byte):
      "the JSON Pointer \"\(pointer)\" has a '~' at byte \(byte) without 0 or 1 after it;"
        + " '~' is written ~0 and '/' is written ~1"
    case .noMember(let name, let parent):
      "\(PointerError.name(parent)) has no member \"\(name)\" (pointer \"\(pointer)\")"
    case .notAnIndex(let token, let parent):
      "\(PointerError.name(parent)) is an array, and \"\(token)\" is not an index of one"
        + " (pointer \"\(pointer)\")"
    case .noElement(let token, let count, let parent):
      "\(PointerError.name(parent)) has \(count) element\(count == 1 ? "" : "s"), and none at"
        + " \"\(token)\" (pointer \"\(pointer)\")"
    case .scalar(let kind, let parent):
      "\(PointerError.name(parent)) is a \(kind) and holds no other values"
        + " (pointer \"\(pointer)\")"
    }
  }

  /// The error's message.
  public var description: String { message }

  private static func name(_ pointer: String) -> String {
    pointer.isEmpty ? "the document" : "\"\(pointer)\""
  }
}
