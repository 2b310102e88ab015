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
