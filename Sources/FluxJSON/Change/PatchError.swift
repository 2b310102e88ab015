/// An error that names the operation of a patch that failed, and why.
///
/// The value that the patch was applied to is unchanged.
public struct PatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The cause of a failure.
  public enum Reason: Error, Equatable, Sendable {
    /// The patch is not an array of operations.
    case notAnArray
    /// The operation is not an object.
    case notAnOperation
    /// The value of `op` is unknown; the associated value is its text in the patch.
    case unknownOperation(String)
    /// The operation lacks a required member.
    case missing(member: String)
    /// A member of the operation has the wrong type.
    case wrongType(member: String, expected: String)
    /// A pointer of the operation is invalid, or leads to no value.
    case pointer(PointerError)
    /// A `test` found a different value.
    case testFailed(found: JSON)
    /// A `splice` found a value that is not a string.
    case notAString(JSON.Kind)
    /// A `splice` reaches beyond the end of the string.
    case outOfRange(at: Int, delete: Int, count: Int)
    /// A `remove` or `move` would remove the whole document.
    case removesRoot
    /// A `move` would move a value into itself.
    case movesIntoItself
    /// The result would nest deeper than this number of levels: ``JSON/maximumDepth``, or less for a state of a log.
    case tooDeep(limit: Int)
    /// The operations copied or moved more than this number of bytes within the document.
    case copiesTooMuch(limit: Int)
    /// The result could become longer than ``JSON/maximumByteCount``.
    case tooLarge
  }

  /// The operation's index in the patch; nil if the patch itself is invalid.
  public let index: Int?
  /// The operation's name; nil if it is unknown.
  public let operation: String?
  /// The operation's `path`; nil if it is unknown.
  public let path: String?
  /// The cause of the failure.
  public let reason: Reason

  /// A sentence that names the operation that failed, and why.
  public var message: String {
    guard let index else { return cause }
    let name = operation.map { " (\($0)\(path.map { " \"\($0)\"" } ?? ""))" } ?? ""
    return "operation \(index)\(name): \(cause)"
  }

  /// The error's message.
  public var description: String { message }

  private var cause: String {
    switch reason {
    case .notAnArray: "a patch is an array of operations"
    case .notAnOperation: "an operation is an object with the members \"op\" and \"path\""
    case .unknownOperation(let name):
      "there is no operation \(name); expected one of "
        + PatchStep.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    case .missing(let member): "the member \"\(member)\" is missing"
    case .wrongType(let member, let expected): "the member \"\(member)\" must be \(expected)"
    case .pointer(let error): error.message
    case .testFailed(let found): "the value there differs: \(PatchError.short(found))"
    case .notAString(let kind): "a splice needs a string, and the value there is of kind \(kind)"
    case .outOfRange(let at, let delete, let count):
      "deleting \(delete) at \(at) reaches beyond the end of a string of \(count) Unicode scalars"
    case .removesRoot: "the whole document cannot be removed, only replaced"
    case .movesIntoItself: "a value cannot be moved into itself"
    case .tooDeep(let limit): "the result would nest deeper than \(limit) levels"
    case .copiesTooMuch(let limit):
      "copies would make the document larger than \(MemoryLimit(byteCount: limit).description); "
        + MemoryLimit.advice
    case .tooLarge: "the result could become longer than \(JSON.maximumByteCount) bytes"
    }
  }

  private static func short(_ value: JSON) -> String {
    let text = value.description
    return text.count <= 60 ? text : text.prefix(57) + "..."
  }
}
