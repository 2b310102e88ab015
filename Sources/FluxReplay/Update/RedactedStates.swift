import FluxJSON
import FluxLog

/// Replaces secrets in replayed states with tokens.
///
/// A replay begins with tokens and dispatches tokens, so most values at redacted places are tokens. The app
/// has computed the others itself. Such a value gets the recorded token of that place or, if that token
/// already stands for another value, a new one. As in a recording, equal values have equal tokens.
struct RedactedStates {
  private typealias Pattern = ArraySlice<String>

  private let patterns: [Pattern]
  /// The tokens, by the texts of their values.
  private var tokens: [BytewiseName: String] = [:]
  /// The same values, to find them inside other texts.
  private(set) var texts = SecretTexts()
  private var given: Set<String> = []

  /// Reads a header's redacted places, with the names that the stores have in the states.
  init(_ pointers: [String]) throws(PointerError) {
    var patterns: [Pattern] = []
    for pointer in pointers { patterns.append(try Pointer(pointer).tokens[...]) }
    self.patterns = patterns
  }

  /// Returns the state with tokens in the redacted places.
  ///
  /// - Parameters:
  ///   - state: The replayed state.
  ///   - store: The store.
  ///   - recorded: The recorded state; nil if there is none.
  /// - Returns: The state with tokens.
  /// - Throws: `JSONError` if the state nests too deeply to be written.
  mutating func redacted(_ state: JSON, of store: String, recorded: JSON?) throws -> JSON {
    let inside = Self.descend(patterns, into: store)
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

  /// Returns the rest of the patterns after a member of this name.
  private static func descend(_ patterns: [Pattern], into name: String) -> [Pattern] {
    patterns.compactMap { pattern in
      guard let first = pattern.first, first == name || first == "*" else { return nil }
      return pattern.dropFirst()
    }
  }
}

extension AppDescription {
  /// Returns the redacted places of a recording, by the app's names for its stores.
  ///
  /// - Throws: `PointerError` if the header has an invalid one.
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
