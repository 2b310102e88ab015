package import FluxJSON
import FluxSystem

/// The token that replaces a secret value in a log: `<redacted 5f0c2a9e71b3d844>`.
package enum RedactionToken {
  private static let start = "<redacted "

  /// Returns `true` if a string is or contains a token.
  static func isIn(_ value: JSON?) -> Bool { value?.string.map(isContained) ?? false }

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
    var rest = text.utf8[...]
    while let token = firstToken(in: rest) {
      pieces.append(rest[..<token.lowerBound])
      rest = rest[token.upperBound...]
    }
    return pieces + [rest]
  }

  /// Returns the place of the first token; nil if there is none.
  private static func firstToken(in text: Substring.UTF8View) -> Range<String.Index>? {
    var rest = text
    while let found = rest.firstRange(of: start.utf8) {
      rest = rest[found.upperBound...]
      let end = rest.prefix(17)
      if end.count == 17, end.last == UInt8(ascii: ">"), end.dropLast().allSatisfy(\.isTokenDigit) {
        return found.lowerBound..<end.endIndex
      }
    }
    return nil
  }

  package static func isContained(in text: String) -> Bool {
    firstToken(in: text.utf8[...]) != nil
  }

  static func random() -> String { token(.random(in: .min ... .max)) }

  /// Returns the same token for the same name.
  static func named(_ name: String) -> String {
    // FNV-1a: a token only has to differ from the others of a step.
    token(name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }

  package static func token(_ number: UInt64) -> String { start + number.hexDigits + ">" }

  /// Returns `true` if a value contains a token at any depth.
  package static func isAnywhere(in value: JSON) -> Bool {
    guard value.text.utf8.count > start.utf8.count, value.text.contains(start) else { return false }
    var pending = [value]
    while let next = pending.popLast() {
      if isIn(next) { return true }
      pending += next.parts.lazy.map(\.value)
    }
    return false
  }
}
