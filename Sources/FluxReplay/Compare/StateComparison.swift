package import FluxJSON
import FluxLog

/// Compares two values place by place.
package struct StateComparison {
  /// A place at which two values differ.
  struct Place: Equatable {
    /// The names and indices that lead to it.
    let tokens: [String]
    let recorded: JSON?
    let replayed: JSON?
    /// `true` if the value is redacted, so that only its presence was compared.
    var isRedacted = false

    /// The place from the store's state, whose name is the first token.
    var withoutStore: Place {
      Place(tokens: Array(tokens.dropFirst()), recorded: recorded, replayed: replayed)
    }
  }

  struct Result: Equatable {
    /// The places, in the order of the first value.
    var places: [Place] = []
    /// Places that differ because one value is a redaction token.
    var redacted: [[String]] = []
    /// The number of redacted values that were not compared.
    var redactedValues = 0
  }

  /// The numeric tolerance, relative to the larger number; absolute if both are smaller than one.
  let tolerance: Double
  let ignored: IgnoredPlaces?
  /// The redacted places, seen from the model, at which only presence is compared.
  var hidden = RedactedPlaces()

  /// Finds the places at which two values differ.
  ///
  /// Arrays are compared index by index. If they differ in length, only the first difference is reported,
  /// because the others follow from it.
  func compare(_ recorded: JSON?, _ replayed: JSON?, at tokens: [String]) -> Result {
    var result = Result()
    // A list instead of recursion: values nest as deeply as a log allows.
    var pending = [Place(tokens: tokens, recorded: recorded, replayed: replayed)]
    while let place = pending.popLast() {
      if isEqual(place) || ignored?.contains(place.tokens) ?? false { continue }
      if isHidden(place) {
        result.addPresence(place)
        continue
      }
      switch (place.recorded, place.replayed) {
      case (let recorded?, let replayed?)
      where recorded.kind == .object && replayed.kind == .object:
        pending += members(recorded, replayed, place.tokens).reversed()
      case (let recorded?, let replayed?) where recorded.kind == .array && replayed.kind == .array:
        pending += elements(recorded, replayed, place.tokens).reversed()
      default:
        if RedactionToken.isIn(place.recorded) || RedactionToken.isIn(place.replayed) {
          if !result.addPresence(place) { result.redacted.append(place.tokens) }
        } else {
          result.places.append(place)
        }
      }
    }
    return result
  }

  /// Returns the places of a value that another form of it does not have; null counts as no value.
  package static func places(of value: JSON, lostIn other: JSON?) -> [[String]] {
    StateComparison(tolerance: 0, ignored: nil).compare(value, other, at: []).places
      .filter { $0.replayed == nil && $0.recorded?.kind != .null }.map(\.tokens)
  }

  private func isHidden(_ place: Place) -> Bool {
    guard !hidden.isEmpty else { return false }
    return [place.recorded, place.replayed].contains { value in
      value.map { hidden.isSecret(at: place.tokens, $0.kind) } ?? false
    }
  }

  private func isEqual(_ place: Place) -> Bool {
    guard let recorded = place.recorded, let replayed = place.replayed else {
      return place.recorded == nil && place.replayed == nil
    }
    if recorded == replayed { return true }
    guard tolerance > 0, let left = recorded.number?.double, let right = replayed.number?.double
    else { return false }
    return abs(left - right) <= tolerance * max(1, abs(left), abs(right))
  }

  private func members(_ recorded: JSON, _ replayed: JSON, _ tokens: [String]) -> [Place] {
    var places: [Place] = []
    for member in recorded.members {
      places.append(
        Place(
          tokens: tokens + [member.name], recorded: member.value, replayed: replayed[member.name]))
    }
    for member in replayed.members where recorded[member.name] == nil {
      places.append(Place(tokens: tokens + [member.name], recorded: nil, replayed: member.value))
    }
    return places
  }

  private func elements(_ recorded: JSON, _ replayed: JSON, _ tokens: [String]) -> [Place] {
    let (left, right) = (Array(recorded.elements), Array(replayed.elements))
    var places: [Place] = []
    for index in 0..<max(left.count, right.count) {
      let place = Place(
        tokens: tokens + [String(index)],
        recorded: index < left.count ? left[index] : nil,
        replayed: index < right.count ? right[index] : nil)
      places.append(place)
      if left.count != right.count, !isEqual(place) { break }
    }
    return places
  }
}

extension StateComparison.Result {
  /// Adds a redacted place if only one side has a value there; returns `true` if so.
  ///
  /// Absent and null are both no value: a redacted null stays null. The app's own value is masked.
  @discardableResult
  fileprivate mutating func addPresence(_ place: StateComparison.Place) -> Bool {
    func masked(_ value: JSON?) -> JSON? {
      guard let value, value.kind != .null, !RedactionToken.isIn(value) else { return value }
      return "<redacted>"
    }
    let sides = [place.recorded, place.replayed].map { ($0 ?? .null).kind != .null }
    guard sides[0] != sides[1] else {
      redactedValues += 1
      return false
    }
    places.append(
      StateComparison.Place(
        tokens: place.tokens, recorded: masked(place.recorded), replayed: masked(place.replayed),
        isRedacted: true))
    return true
  }
}

/// Places in the states that a comparison skips, with everything inside them.
///
/// Either a JSON Pointer from the model `{store: state}`, in which `*` stands for any member or element, as
/// in `/todos/items/*/created`; or a JSONPath in the inspector's dialect, as in `todos.items[*].created` or
/// `todos..created`, which is evaluated for one store at a time.
public struct IgnoredPath: Sendable, Equatable {
  fileprivate enum Form: Equatable {
    case pattern([String])
    case query(Path)
  }

  fileprivate let form: Form
  /// The path as the caller gave it.
  let text: String

  /// Reads a path.
  ///
  /// - Throws: `PointerError` or `QueryError` if it is invalid.
  public init(_ text: String) throws {
    self.text = text
    form =
      text.hasPrefix("/")
      ? .pattern(try Pointer(text).tokens) : .query(try Path(text, dialect: .inspector))
  }
}

/// The places of one store that a comparison skips.
struct IgnoredPlaces {
  private var patterns: [[String]] = []
  private var places: Set<[String]> = []

  /// Finds the places in two states of a store.
  ///
  /// - Throws: `QueryError` if a query exceeds its limits.
  init(_ paths: [IgnoredPath], _ store: String, _ states: [JSON]) throws {
    for path in paths {
      switch path.form {
      case .pattern(let tokens):
        guard let first = tokens.first, first == "*" || first == store else { continue }
        patterns.append(tokens)
      case .query(let query):
        for state in states { try add(query, store, state) }
      }
    }
  }

  private mutating func add(_ query: Path, _ store: String, _ state: JSON) throws {
    let model = QueryDocument(members: [
      .init("state") { QueryDocument(members: [.init(store) { QueryDocument(state) }]) }
    ])
    for node in try query.nodes(in: model) {
      guard let pointer = node.location.modelPointer else { continue }
      places.insert(pointer.tokens)
    }
  }

  /// Returns `true` if a place is skipped; `tokens` begin with the store.
  func contains(_ tokens: [String]) -> Bool {
    places.contains(tokens)
      || patterns.contains { pattern in
        pattern.count == tokens.count && zip(pattern, tokens).allSatisfy { $0 == "*" || $0 == $1 }
      }
  }
}

/// The token that replaces a secret value in a log: `<redacted 5f0c2a9e71b3d844>`.
package enum RedactionToken {
  private static let start = "<redacted "

  /// Returns `true` if a string is or contains a token.
  static func isIn(_ value: JSON?) -> Bool {
    guard let value, value.kind == .string, let string = value.string else { return false }
    var rest = string.utf8[...]
    while let found = rest.firstIndex(of: UInt8(ascii: "<")) {
      if end(ofTokenAt: found, in: rest) != nil { return true }
      rest = rest[found...].dropFirst()
    }
    return false
  }

  /// Returns `true` if a text is the recorded one, in which each token stands for any text.
  static func isMatch(_ text: String, of recorded: String) -> Bool {
    let pieces = pieces(of: recorded)
    var rest = text.utf8[...]
    guard let first = pieces.first, let last = pieces.last, rest.starts(with: first) else {
      return false
    }
    rest = rest.dropFirst(first.count)
    guard pieces.count > 1 else { return rest.isEmpty }
    for piece in pieces.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  /// Splits a text at its tokens; a text without tokens is one piece.
  private static func pieces(of text: String) -> [Substring.UTF8View] {
    var pieces: [Substring.UTF8View] = []
    var begin = text.utf8.startIndex
    var place = begin
    while let found = text.utf8[place...].firstIndex(of: UInt8(ascii: "<")) {
      if let end = end(ofTokenAt: found, in: text.utf8[...]) {
        pieces.append(text.utf8[begin..<found])
        begin = end
        place = end
      } else {
        place = text.utf8.index(after: found)
      }
    }
    return pieces + [text.utf8[begin...]]
  }

  /// Returns the end of the token that begins at a place; nil if none does.
  private static func end(
    ofTokenAt place: String.Index, in text: Substring.UTF8View
  ) -> String.Index? {
    let rest = text[place...]
    guard rest.starts(with: start.utf8) else { return nil }
    let digits = rest.dropFirst(start.utf8.count)
    guard digits.prefix(16).count == 16, digits.prefix(16).allSatisfy(isHexDigit),
      let close = digits.dropFirst(16).indices.first, digits[close] == UInt8(ascii: ">")
    else { return nil }
    return digits.index(after: close)
  }

  static func random() -> String { token(.random(in: .min ... .max)) }

  /// Returns the same token for the same name.
  static func named(_ name: String) -> String {
    // FNV-1a: a token only has to differ from the others of a step.
    token(name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }

  package static func token(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return start + String(repeating: "0", count: 16 - digits.utf8.count) + digits + ">"
  }

  /// Returns `true` if a value contains a token at any depth.
  package static func isAnywhere(in value: JSON) -> Bool {
    guard value.text.utf8.count > start.utf8.count, value.text.contains(start) else { return false }
    var pending = [value]
    while let next = pending.popLast() {
      if isIn(next) { return true }
      pending += next.elements
      pending += next.members.map(\.value)
    }
    return false
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
