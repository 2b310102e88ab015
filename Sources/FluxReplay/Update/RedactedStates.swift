import FluxLog

/// Keeps secrets out of states that a replay has made.
///
/// A replay begins in tokens and is given tokens, so most of what it comes to at a redacted place is one. What is
/// none, the app has made itself: it gets the token that the recording has in that place or, where that one
/// stands for another value, a new one. Equal values have equal tokens, as in a recording.
struct RedactedStates {
  private typealias Pattern = ArraySlice<String>

  private let patterns: [Pattern]
  /// The tokens, by the texts of the values that they stand for.
  private var tokens: [BytewiseName: String] = [:]
  /// The same values, for where they are a part of something else.
  private(set) var texts = SecretTexts()
  private var given: Set<String> = []

  /// Takes the places as a header has them, by the names that the states' stores have here.
  init(_ pointers: [String]) throws(PointerError) {
    var patterns: [Pattern] = []
    for pointer in pointers { patterns.append(try Pointer(pointer).tokens[...]) }
    self.patterns = patterns
  }

  /// The state without what is redacted.
  ///
  /// - Parameters:
  ///   - state: The state that the replay has come to.
  ///   - store: The store.
  ///   - recorded: The state that the log has there; nil where it has none.
  /// - Returns: The state with tokens.
  /// - Throws: `JSONError` where the state nests too deep to be written.
  mutating func redacted(_ state: JSON, of store: String, recorded: JSON?) throws -> JSON {
    let inside = Self.descend(patterns, into: store)
    guard !inside.isEmpty else { return state }
    var writer = JSONWriter()
    write(state, recorded, inside, to: &writer)
    return try writer.json()
  }

  /// Gives a token to a value that is none, and stands at no place of the header.
  mutating func learn(_ value: JSON) {
    _ = token(of: value, nil)
  }

  private mutating func write(
    _ value: JSON, _ recorded: JSON?, _ patterns: [Pattern], to writer: inout JSONWriter
  ) {
    if patterns.contains([]), !value.isNull {
      return writer.string(token(of: value, recorded))
    }
    switch value.kind {
    case .object where !patterns.isEmpty:
      writer.beginObject()
      for member in value.members {
        writer.name(member.name)
        let inside = Self.descend(patterns, into: member.name)
        write(member.value, recorded?[member.name], inside, to: &writer)
      }
      writer.endObject()
    case .array where !patterns.isEmpty:
      writer.beginArray()
      let before = recorded.map { Array($0.elements) } ?? []
      for (index, element) in value.elements.enumerated() {
        let inside = Self.descend(patterns, into: String(index))
        write(element, index < before.count ? before[index] : nil, inside, to: &writer)
      }
      writer.endArray()
    default: writer.raw(value)
    }
  }

  private mutating func token(of value: JSON, _ recorded: JSON?) -> String {
    if RedactionToken.isIn(value), let token = value.string { return token }
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

  /// What is left of the patterns behind a member of this name.
  private static func descend(_ patterns: [Pattern], into name: String) -> [Pattern] {
    patterns.compactMap { pattern in
      guard let first = pattern.first, first == name || first == "*" else { return nil }
      return pattern.dropFirst()
    }
  }
}

extension AppDescription {
  /// The places that a recording does not show, by the app's names for its stores.
  ///
  /// - Throws: `PointerError` where the header has one that is none.
  func redactedPlaces(of header: LogHeader) throws(PointerError) -> [String] {
    var places: [String] = []
    for text in header.redacted {
      let tokens = try Pointer(text).tokens
      guard let store = tokens.first, storeName(for: store) != store else {
        places.append(text)
        continue
      }
      places.append(Pointer(tokens: [storeName(for: store)] + tokens.dropFirst()).description)
    }
    return places
  }
}
