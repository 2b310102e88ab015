import FluxLog

/// The texts of values that are not to be written, each with the token that stands in its place.
///
/// A text is replaced where it is the whole of a string; one of at least four bytes also where it is a part of one,
/// and a number of as many digits in actions: shorter ones cannot be told from ordinary words and numbers.
struct SecretTexts {
  private static let shortest = 4

  private var strings: [String: String] = [:]
  private var numbers: [String: String] = [:]
  /// Those that are looked for within strings, longer ones first: one may be part of another.
  private let parts: [(text: String, token: String)]

  /// - Parameter tokens: The tokens, by the JSON texts of the values.
  /// - Throws: `JSONError` where a text is no JSON.
  init(_ tokens: [String: String]) throws(JSONError) {
    for (text, token) in tokens { Self.add(try JSON.parse(text), token, &strings, &numbers) }
    parts = strings.filter { $0.key.utf8.count >= Self.shortest }
      .sorted { $0.key.utf8.count > $1.key.utf8.count }
      .map { (text: $0.key, token: $0.value) }
  }

  var isEmpty: Bool { strings.isEmpty && numbers.isEmpty }

  /// Adds a value, or what an object or an array consists of.
  private static func add(
    _ value: JSON, _ token: String, _ strings: inout [String: String],
    _ numbers: inout [String: String]
  ) {
    switch value.kind {
    case .null, .bool: break
    case .number:
      if value.text.utf8.count >= shortest { numbers[value.text] = token }
    case .string:
      if let string = value.string, !string.isEmpty, !RedactionToken.isIn(value) {
        strings[string] = token
      }
    case .array:
      for element in value.elements { add(element, RedactionToken.random(), &strings, &numbers) }
    case .object:
      for member in value.members { add(member.value, RedactionToken.random(), &strings, &numbers) }
    }
  }

  /// The text with tokens.
  func replaced(in text: String) -> String {
    if let token = strings[text] { return token }
    var scalars = text.unicodeScalars
    for (part, token) in parts where scalars.count >= part.unicodeScalars.count {
      // By scalars: characters would hide a text that an accent follows.
      scalars.replace(part.unicodeScalars, with: token.unicodeScalars)
    }
    return String(scalars)
  }

  /// The state with tokens; the names of members stay.
  func replaced(in state: JSON) throws -> JSON {
    var writer = JSONWriter()
    write(state, replacesNumbers: false, to: &writer)
    return try writer.json()
  }

  /// The action with tokens in its payload.
  func replaced(inAction action: JSON) throws -> JSON {
    var writer = JSONWriter()
    writer.beginObject()
    for member in action.members {
      writer.name(member.name)
      guard member.name != "type" else {
        writer.raw(member.value)
        continue
      }
      write(member.value, replacesNumbers: true, to: &writer)
    }
    writer.endObject()
    return try writer.json()
  }

  private func write(_ value: JSON, replacesNumbers: Bool, to writer: inout JSONWriter) {
    switch value.kind {
    case .object:
      writer.beginObject()
      for member in value.members {
        writer.name(member.name)
        write(member.value, replacesNumbers: replacesNumbers, to: &writer)
      }
      writer.endObject()
    case .array:
      writer.beginArray()
      for element in value.elements {
        write(element, replacesNumbers: replacesNumbers, to: &writer)
      }
      writer.endArray()
    case .string:
      let text = value.string ?? ""
      let replaced = replaced(in: text)
      if replaced == text { writer.raw(value) } else { writer.string(replaced) }
    case .number:
      if replacesNumbers, let token = numbers[value.text] {
        writer.string(token)
      } else {
        writer.raw(value)
      }
    case .null, .bool: writer.raw(value)
    }
  }
}
