/// Says which operation of a patch is wrong or cannot be applied, and why.
///
/// The value that the patch was to be applied to is as it was.
public struct PatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Error, Equatable, Sendable {
    /// A patch is an array of operations.
    case notAnArray
    /// An operation is an object.
    case notAnOperation
    /// `op` is none of the operations that there are; it is given as it is written.
    case unknownOperation(String)
    /// The operation lacks a member that it needs.
    case missing(member: String)
    /// A member of the operation is of another type than it has to be.
    case wrongType(member: String, expected: String)
    /// The operation's pointer is none, or leads nowhere.
    case pointer(PointerError)
    /// A `test` found another value.
    case testFailed(found: JSON)
    /// A `splice` found something else than a string.
    case notAString(JSON.Kind)
    /// A `splice` reaches beyond the string's end.
    case outOfRange(at: Int, delete: Int, count: Int)
    /// The whole document was to be removed.
    case removesRoot
    /// A value was to be moved into itself.
    case movesIntoItself
    /// The result would nest deeper than ``JSON/maximumDepth``.
    case tooDeep
    /// The operations so far copied more than 256 MB from one place of the document to another.
    case copiesTooMuch
    /// The result could become longer than ``JSON/maximumByteCount``.
    case tooLarge
  }

  /// The operation's place in the patch, from 0; nil where it is the patch that is wrong.
  public let index: Int?
  /// The operation's name, where it is known.
  public let operation: String?
  /// The pointer to what was to be changed, where it is known.
  public let path: String?
  /// What is wrong.
  public let reason: Reason

  /// Says which operation failed and why, in one sentence.
  public var message: String {
    guard let index else { return cause }
    let name = operation.map { " (\($0)\(path.map { " \"\($0)\"" } ?? ""))" } ?? ""
    return "operation \(index)\(name): \(cause)"
  }

  /// The message.
  public var description: String { message }

  private var cause: String {
    switch reason {
    case .notAnArray: "a patch is an array of operations"
    case .notAnOperation: "an operation is an object with the members \"op\" and \"path\""
    case .unknownOperation(let name):
      "there is no operation \(name); expected one of "
        + PatchStep.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    case .missing(let member): "the member \"\(member)\" is missing"
    case .wrongType(let member, let expected): "the member \"\(member)\" has to be \(expected)"
    case .pointer(let error): error.message
    case .testFailed(let found): "the value there is another one: \(PatchError.short(found))"
    case .notAString(let kind): "a splice needs a string, and the value there is of kind \(kind)"
    case .outOfRange(let at, let delete, let count):
      "deleting \(delete) at \(at) reaches beyond the end of a string of \(count) Unicode scalars"
    case .removesRoot: "the whole document cannot be removed, only replaced"
    case .movesIntoItself: "a value cannot be moved into itself"
    case .tooDeep: "the result would nest deeper than \(JSON.maximumDepth) levels"
    case .copiesTooMuch:
      "more than \(Draft.copyLimit) bytes are copied from one place of the document to another"
    case .tooLarge: "the result could become longer than \(JSON.maximumByteCount) bytes"
    }
  }

  private static func short(_ value: JSON) -> String {
    let text = value.description
    return text.count <= 60 ? text : text.prefix(57) + "..."
  }
}
