/// Says why a text is no JSON Pointer, or why it points at nothing.
public struct PointerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Error, Equatable, Sendable {
    /// The text is neither empty nor does it start with `/`.
    case noLeadingSlash
    /// A `~` that is not followed by `0` or `1`, at that byte from 0.
    case invalidEscape(byte: Int)
    /// An object has no member of that name.
    case noMember(name: String, parent: String)
    /// A token that is not an index meets an array.
    case notAnIndex(token: String, parent: String)
    /// An array is too short for that index.
    case noElement(token: String, count: Int, parent: String)
    /// A token meets a value that holds no others.
    case scalar(JSON.Kind, parent: String)
  }

  /// The pointer.
  public let pointer: String
  /// What is wrong with it.
  public let reason: Reason

  /// Says what is wrong, where, and what was expected, in one sentence.
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

  /// The message.
  public var description: String { message }

  private static func name(_ pointer: String) -> String {
    pointer.isEmpty ? "the document" : "\"\(pointer)\""
  }
}
