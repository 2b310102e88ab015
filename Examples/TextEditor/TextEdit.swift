public import FluxCore

/// One replacement in a text.
///
/// It is encoded as an array of three, as in the traces of real writing that drive this example:
/// `[at, delete, "insert"]`. Positions and lengths count Unicode scalars, including line breaks.
public struct TextEdit: StateValue {
  /// The start of the replacement.
  public let at: Int
  /// The number of scalars to delete.
  public let delete: Int
  /// The text to insert.
  public let insert: String

  /// Creates an edit.
  ///
  /// - Parameters:
  ///   - at: The start of the replacement.
  ///   - delete: The number of scalars to delete.
  ///   - insert: The text to insert.
  public init(at: Int, delete: Int, insert: String) {
    self.at = at
    self.delete = delete
    self.insert = insert
  }

  /// Decodes an array of three.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    at = try container.decode(Int.self)
    delete = try container.decode(Int.self)
    insert = try container.decode(String.self)
  }

  /// Encodes an array of three.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(at)
    try container.encode(delete)
    try container.encode(insert)
  }
}
