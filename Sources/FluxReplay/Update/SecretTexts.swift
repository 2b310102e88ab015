import FluxJSON
import FluxLog

/// The texts of secret values, each with the token that replaces it.
///
/// A text is replaced if it is a whole string. A text of at least four bytes is also replaced inside a
/// string, and a number of at least four digits in actions and messages. Shorter ones cannot be told from
/// ordinary words and numbers.
struct SecretTexts {
  /// A text to look for inside other texts.
  private struct Part {
    let text: String
    /// The secret that has the token: the text itself, or the unescaped form of it.
    let secret: BytewiseName
    let isNumber: Bool
  }

  private static let shortest = 4

  private var strings: [BytewiseName: String] = [:]
  private var numbers: [BytewiseName: String] = [:]
  private var parts: [Int: [Part]] = [:]
  /// The lengths of the parts in bytes, longest first, because one part may contain another.
  private var lengths: [Int] = []

  var isEmpty: Bool { strings.isEmpty && numbers.isEmpty }

  /// Adds a value; the values inside an object or an array get tokens of their own.
  mutating func add(_ value: JSON, token: String) {
    switch value.kind {
    case .null, .bool: break
    case .number: add(number: value.text, token)
    case .string:
      if !RedactionToken.isIn(value) { add(string: value.string ?? "", token) }
    case .array: for element in value.elements { add(member: element) }
    case .object: for member in value.members { add(member: member.value) }
    }
  }

  /// Adds a value inside another one, unless it has a token.
  private mutating func add(member value: JSON) {
    let known =
      switch value.kind {
      case .number: numbers[BytewiseName(value.text)]
      case .string: strings[BytewiseName(value.string ?? "")]
      case .null, .bool, .array, .object: nil as String?
      }
    if known == nil { add(value, token: RedactionToken.random()) }
  }

  private mutating func add(number text: String, _ token: String) {
    guard text.utf8.count >= Self.shortest else { return }
    let number = BytewiseName(text)
    guard numbers.updateValue(token, forKey: number) == nil else { return }
    add(Part(text: text, secret: number, isNumber: true))
  }

  private mutating func add(string text: String, _ token: String) {
    guard !text.isEmpty else { return }
    let string = BytewiseName(text)
    let isKnown = strings.updateValue(token, forKey: string) != nil
    guard !isKnown, text.utf8.count >= Self.shortest else { return }
    for form in Set([string] + Self.escapedForms(of: text)) {
      add(Part(text: form.text, secret: string, isNumber: false))
    }
  }

  /// Returns the escaped forms of a text between quotes.
  private static func escapedForms(of text: String) -> [BytewiseName] {
    // By scalars: a combining accent would form one character with the quote before it.
    [JSON(stringLiteral: text).text, text.debugDescription].map {
      BytewiseName(String($0.unicodeScalars.dropFirst().dropLast()))
    }
  }

  private mutating func add(_ part: Part) {
    let length = part.text.utf8.count
    if parts[length] == nil {
      lengths.insert(length, at: lengths.firstIndex { $0 < length } ?? lengths.endIndex)
    }
    parts[length, default: []].append(part)
  }

  /// Returns the text with tokens.
  func replaced(in text: String) -> String {
    replaced(in: text, replacesNumbers: false)
  }

  /// Returns the message with tokens; numbers in it may be secrets, too.
  func replaced(inMessage message: String) -> String {
    replaced(in: message, replacesNumbers: true)
  }

  private func replaced(in text: String, replacesNumbers: Bool) -> String {
    if let token = strings[BytewiseName(text)] { return token }
    var scalars = text.unicodeScalars
    for length in lengths where length <= text.utf8.count {
      for part in parts[length] ?? [] where replacesNumbers || !part.isNumber {
        guard let token = part.isNumber ? numbers[part.secret] : strings[part.secret] else {
          continue
        }
        // By scalars: as characters, a text before a combining accent would not match.
        scalars.replace(part.text.unicodeScalars, with: token.unicodeScalars)
      }
    }
    return String(scalars)
  }

  /// Returns the state with tokens; member names stay.
  func replaced(in state: JSON) throws -> JSON {
    var writer = JSONWriter()
    write(state, replacesNumbers: false, to: &writer)
    return try writer.json()
  }

  /// Returns the action with tokens in its payload.
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
      if replacesNumbers, let token = numbers[BytewiseName(value.text)] {
        writer.string(token)
      } else {
        writer.raw(value)
      }
    case .null, .bool: writer.raw(value)
    }
  }
}
