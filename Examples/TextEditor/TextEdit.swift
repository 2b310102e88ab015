public import FluxCore

/// One replacement in a text.
///
/// It is coded as an array of three, as in the traces of real writing that drive this example:
/// `[at, delete, "insert"]`. Positions and lengths count Unicode scalars, line breaks included.
public struct TextEdit: StateValue {
  /// Where the replacement begins.
  public let at: Int
  /// How many scalars are deleted there.
  public let delete: Int
  /// What is inserted there.
  public let insert: String

  /// Creates an edit.
  ///
  /// - Parameters:
  ///   - at: Where the replacement begins.
  ///   - delete: How many scalars are deleted there.
  ///   - insert: What is inserted there.
  public init(at: Int, delete: Int, insert: String) {
    self.at = at
    self.delete = delete
    self.insert = insert
  }

  /// Reads an array of three.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    at = try container.decode(Int.self)
    delete = try container.decode(Int.self)
    insert = try container.decode(String.self)
  }

  /// Writes an array of three.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(at)
    try container.encode(delete)
    try container.encode(insert)
  }
}
