import FluxJSON
import FluxLog

/// Replaces secrets in replayed states with tokens.
///
/// A replay begins with tokens and dispatches tokens, so most values at redacted places are tokens. The app
/// has computed the others itself. Such a value gets the recorded token of that place or, if that token
/// already stands for another value, a new one. As in a recording, equal values have equal tokens.
struct RedactedStates {
  private let places: RedactedPlaces
  /// The tokens, by the texts of their values.
  private var tokens: [BytewiseName: String] = [:]
  /// The same values, to find them inside other texts.
  private(set) var texts = SecretTexts()
  private var given: Set<String> = []

  /// Reads a header's redacted places, with the names that the stores have in the states.
  init(_ redacted: [String], only: [String]? = nil) throws(PointerError) {
    places = try RedactedPlaces(redacted, only: only)
  }

  /// `true` if the header has redacted places.
  var hidesPlaces: Bool { !places.isEmpty }

  /// Returns the state with tokens in the redacted places.
  mutating func redacted(_ state: JSON, of store: String, recorded: JSON?) throws -> JSON {
    let inside = places.descending(into: store)
    guard !inside.isEmpty else { return state }
    var writer = JSONWriter()
    write(state, recorded, inside, to: &writer)
    return try writer.json()
  }

  /// Assigns a token to a value outside the header's places.
  mutating func learn(_ value: JSON) {
    _ = token(of: value, nil)
  }

  private mutating func write(
    _ value: JSON, _ recorded: JSON?, _ places: RedactedPlaces, to writer: inout JSONWriter
  ) {
    if places.isSecret(value.kind) { return writer.string(token(of: value, recorded)) }
    guard !places.isEmpty else { return writer.raw(value) }
    // An index into a JSON array walks over the elements before it.
    let elements = recorded.map { Array($0.elements) } ?? []
    writer.rewrite(value) { part, writer in
      let before: JSON? =
        switch part.step {
        case .name(let name): recorded?[name]
        case .index(let index): index < elements.count ? elements[index] : nil
        }
      write(part.value, before, places.descending(into: part.step.token, of: value), to: &writer)
    }
  }

  private mutating func token(of value: JSON, _ recorded: JSON?) -> String {
    if RedactionToken.isIn(value), let token = value.string { return token }
    // A replay decodes all tokens to the same value, which tells nothing about the recorded one.
    if value.isSubstitute, RedactionToken.isIn(recorded), let token = recorded?.string {
      return token
    }
    let text = BytewiseName(value.text)
    if let known = tokens[text] { return known }
    var token = RedactionToken.random()
    if RedactionToken.isIn(recorded), let kept = recorded?.string, !given.contains(kept) {
      token = kept
    }
    given.insert(token)
    tokens[text] = token
    texts.add(value, token: token)
    return token
  }
}

extension JSON {
  /// `true` for what a decoder that accepts tokens makes of one: 0, false, empty, or made of such values.
  ///
  /// A date, a UUID and a URL are the ones that `LogDecoder` documents.
  fileprivate var isSubstitute: Bool {
    switch kind {
    case .null: true
    case .bool: bool == false
    case .number: number?.double == 0
    case .string:
      isRedactionToken || text == #""""# || text == #""2001-01-01T00:00:00Z""#
        || text.hasPrefix(#""00000000-0000-4000-"#) || text.hasPrefix(#""redacted:"#)
    case .array, .object: parts.allSatisfy(\.value.isSubstitute)
    }
  }
}

extension AppDescription {
  /// Returns a header with the app's names for the stores in its redacted places.
  func renamingRedactedPlaces(of header: LogHeader) throws(PointerError) -> LogHeader {
    var header = header
    header.redacted = try renamingStores(in: header.redacted)
    if let only = header.only { header.only = try renamingStores(in: only) }
    return header
  }

  private func renamingStores(in pointers: [String]) throws(PointerError) -> [String] {
    try pointers.map { text throws(PointerError) in
      let tokens = try Pointer(text).tokens
      guard let store = tokens.first, storeName(for: store) != store else { return text }
      return Pointer(tokens: [storeName(for: store)] + tokens.dropFirst()).description
    }
  }
}

/// The texts of secret values, each with the token that replaces it.
///
/// A text is replaced if it is a whole string. A text of at least four bytes, and transformed copies of it, are
/// also replaced inside a string, and a number of at least four digits in actions and messages. Shorter ones
/// cannot be told from ordinary words and numbers.
struct SecretTexts {
  private var strings: [BytewiseName: String] = [:]
  private var numbers: [BytewiseName: String] = [:]
  /// The strings, to find them and their transformed copies inside other texts.
  private var stringIndex = SecretIndex()
  /// The strings and the numbers.
  private var index = SecretIndex()

  var isEmpty: Bool { strings.isEmpty && numbers.isEmpty }

  /// Adds a value; the values inside an object or an array get their own tokens.
  mutating func add(_ value: JSON, token: String) {
    switch value.kind {
    case .null, .bool: break
    case .number: add(number: value.text, token)
    case .string:
      if !RedactionToken.isIn(value) { add(string: value.string ?? "", token) }
    case .array, .object: for part in value.parts { add(member: part.value) }
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
    guard text.utf8.count >= SecretForms.shortest else { return }
    numbers[BytewiseName(text)] = token
    index.add(text, token: token)
  }

  private mutating func add(string text: String, _ token: String) {
    guard !text.isEmpty else { return }
    strings[BytewiseName(text)] = token
    stringIndex.add(text, token: token)
    index.add(text, token: token)
  }

  func replaced(in text: String) -> String {
    strings[BytewiseName(text)] ?? stringIndex.redacted(text)
  }

  /// Returns the message with tokens; numbers in it may be secrets, too.
  func replaced(inMessage message: String) -> String {
    strings[BytewiseName(message)] ?? index.redacted(message)
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
    // A host may leave out the action of a follow-up, which is null then.
    writer.rewrite(action.kind == .object ? action : [:]) { member, writer in
      guard member.step.token != "type" else { return writer.raw(member.value) }
      write(member.value, replacesNumbers: true, to: &writer)
    }
    return try writer.json()
  }

  private func write(_ value: JSON, replacesNumbers: Bool, to writer: inout JSONWriter) {
    switch value.kind {
    case .object, .array:
      writer.rewrite(value) { part, writer in
        write(part.value, replacesNumbers: replacesNumbers, to: &writer)
      }
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
