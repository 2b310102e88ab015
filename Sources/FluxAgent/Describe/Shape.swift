import FluxJSON

/// The form of a value in JSON, as a JSON Schema says it.
indirect enum Shape: Sendable, Equatable {
  /// A member of an object.
  struct Member: Sendable, Equatable {
    let name: String
    let shape: Shape
    let isRequired: Bool
    let about: String
  }

  case object([Member])
  case array(Shape)
  case map(Shape)
  case text, integer, number, bool
  /// One of a few texts.
  case choice([String])
  /// A value of any kind, from a log.
  case any

  /// The members of an object; none for other shapes.
  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// The schema; with `isAnswer`, of what the server writes: an integer that a double does not hold is a text there.
  func schema(isAnswer: Bool) -> JSON { JSON(object: schemaMembers(isAnswer: isAnswer, about: "")) }

  private func schemaMembers(isAnswer: Bool, about: String) -> JSONMembers {
    var result: JSONMembers = []
    switch self {
    case .object(let members):
      result = [("type", "object")]
      result.append(
        (
          "properties",
          JSON(
            object: members.map { member in
              let schema = member.shape.schemaMembers(isAnswer: isAnswer, about: member.about)
              return (member.name, JSON(object: schema))
            })
        ))
      let required = members.filter(\.isRequired).map { JSON(stringLiteral: $0.name) }
      if !required.isEmpty { result.append(("required", JSON(array: required))) }
      result.append(("additionalProperties", false))
    case .array(let element):
      result = [("type", "array"), ("items", element.schema(isAnswer: isAnswer))]
    case .map(let value):
      result = [("type", "object"), ("additionalProperties", value.schema(isAnswer: isAnswer))]
    case .text: result = [("type", "string")]
    case .integer: result = [("type", isAnswer ? ["integer", "string"] : "integer")]
    case .number: result = [("type", "number")]
    case .bool: result = [("type", "boolean")]
    case .choice(let texts):
      result = [("type", "string"), ("enum", JSON(array: texts.map { JSON(stringLiteral: $0) }))]
    case .any: break
    }
    if !about.isEmpty { result.append(("description", JSON(stringLiteral: about))) }
    return result
  }

  /// Returns the shape of a member or an element; nil if there is none.
  func inner(_ name: String) -> Shape? {
    switch self {
    case .object(let members): members.first { $0.name == name }?.shape
    case .array(let element): element
    case .map(let value): value
    case .text, .integer, .number, .bool, .choice, .any: nil
    }
  }

  /// The values of this shape, for errors.
  var phrase: String {
    switch self {
    case .object, .map: "an object"
    case .array: "an array"
    case .text: "a text"
    case .integer: "an integer"
    case .number: "a number"
    case .bool: "true or false"
    case .choice(let texts): texts.joined(separator: " or ")
    case .any: "a value"
    }
  }
}

/// A type of arguments or answers: its members are those that it decodes, and each has a sentence about it.
///
/// The schemas that clients get, the errors of arguments and the table in docs/agents.md all come from this.
protocol Described: Codable, Sendable {
  /// A sentence about each member, by its name in JSON.
  static var about: KeyValuePairs<String, String> { get }
}

extension Described {
  /// The form of the type.
  static var shape: Shape { .object(ShapeReader.members(of: self, about: about)) }
}

/// A type whose form is known without decoding it.
protocol Shaped {
  static var shape: Shape { get }
  /// Any value of the type.
  static var sample: Self { get }
}

extension String: Shaped {
  static var shape: Shape { .text }
  static var sample: String { "" }
}

extension Bool: Shaped {
  static var shape: Shape { .bool }
  static var sample: Bool { false }
}

extension Shaped where Self: FixedWidthInteger {
  static var shape: Shape { .integer }
  static var sample: Self { 0 }
}

extension Int: Shaped {}
extension Int64: Shaped {}
extension UInt64: Shaped {}

extension VerbatimJSON: Shaped {
  static var shape: Shape { .any }
  static var sample: VerbatimJSON { VerbatimJSON(.null) }
}

extension Array: Shaped where Element: Decodable {
  static var shape: Shape { .array(ShapeReader.shape(of: Element.self)) }
  static var sample: [Element] { [] }
}

extension Dictionary: Shaped where Key == String, Value: Decodable {
  static var shape: Shape { .map(ShapeReader.shape(of: Value.self)) }
  static var sample: [String: Value] { [:] }
}
