import FluxJSON
import FluxSystem
import Foundation

/// The forms in which a copy of a secret may stand in a text.
///
/// A copy may be trimmed, in another case, or normalized. Such a copy, like the secret itself, may be
/// escaped as in JSON, XML or a debug description, percent-encoded, or encoded in base64. The bytes of a `Data`, which a log
/// has in base64, may also be encoded as hexadecimal digits.
package enum SecretForms {
  /// The minimum length in bytes; shorter secrets look like ordinary words and numbers.
  package static let shortest = 4
  /// The maximum length in bytes of a mail address (RFC 5321), which apps often convert to lower case.
  private static let longestAddress = 254

  /// Calls `body` with each form, in lower case as far as it is ASCII; some forms come twice.
  ///
  /// Search them in a text whose ASCII letters are in lower case, too. Only one form of each copy is in memory at once.
  static func forEach(of secret: String, _ body: ([UInt8]) -> Void) {
    func pass(_ form: [UInt8]) {
      if form.count >= shortest { body(form.map(\.lowercasedASCII)) }
    }
    for text in copies(of: secret) {
      pass(text)
      escaped(text, pass)
      percentEncoded(text, pass)
      base64(text, pass)
      // A search ignores the case of the characters of base64, which do not tell that of the letters in the text.
      let lower = text.map(\.lowercasedASCII)
      if lower != text, text.count <= longestAddress { base64(lower, pass) }
    }
    if let data = data(secret) {
      base64(data, pass)
      pass(Hexadecimal.digits(of: data[...]))
    }
  }

  /// Returns the length in bytes of the shortest form; no shorter text has a copy of the secret.
  package static func shortestLength(of secret: String) -> Int {
    let counts = copies(of: secret).map(\.count) + (data(secret).map { [$0.count] } ?? [])
    return counts.filter { $0 >= shortest }.min() ?? shortest
  }

  /// Returns the text, trimmed and not, in each case and normal form, with each kind of line end.
  private static func copies(of secret: String) -> Set<[UInt8]> {
    var copies: Set<[UInt8]> = []
    for text in [secret, decoded(secret)].compactMap(\.self) {
      for text in [text, text.trimmingCharacters(in: .whitespacesAndNewlines)] {
        copies.insert(Array(text.utf8))
        // A search ignores the case of ASCII letters.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
        for copy in [
          text.lowercased(), text.uppercased(), text.precomposedStringWithCanonicalMapping,
          text.decomposedStringWithCanonicalMapping,
        ] {
          copies.insert(Array(copy.utf8))
        }
      }
    }
    for text in copies where text.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      let unix = text.replacing([0x0D, 0x0A], with: [0x0A])
      copies.insert(unix)
      copies.insert(unix.replacing([0x0A], with: [0x0D, 0x0A]))
    }
    return copies
  }

  /// Returns the bytes of a `Data`, which a log has in base64; `nil` if the secret is nothing in base64.
  private static func data(_ secret: String) -> [UInt8]? {
    guard let data = Data(base64Encoded: secret), data.count >= shortest else { return nil }
    return Array(data)
  }

  /// Returns the text in a `Data`; `nil` if the secret is no such text.
  private static func decoded(_ secret: String) -> String? {
    data(secret).flatMap { String(validating: $0, as: UTF8.self) }
  }

  // MARK: Escaped

  private static func escaped(_ text: [UInt8], _ body: ([UInt8]) -> Void) {
    let special = text.contains { $0 < 0x20 || $0 >= 0x7F || #""\/&<>'"#.utf8.contains($0) }
    guard special else { return }
    let string = String(decoding: text, as: UTF8.self)
    body(unquoted(string.debugDescription))
    let json = unquoted(JSON(stringLiteral: string).text)
    let solidus = replacing(json, ["/": #"\/"#])
    body(json)
    body(solidus)
    body(ascii(json))
    body(ascii(solidus))
    let markup = replacing(text, ["&": "&amp;", "<": "&lt;"])
    let full = replacing(markup, [">": "&gt;", "\"": "&quot;"])
    body(markup)
    body(replacing(markup, [">": "&gt;"]))
    body(full)
    for apostrophe in ["&apos;", "&#39;", "&#x27;"] { body(replacing(full, ["'": apostrophe])) }
  }

  private static func unquoted(_ text: String) -> [UInt8] {
    Array(text.utf8.dropFirst().dropLast())
  }

  /// Returns a JSON text with escapes for all but ASCII characters.
  private static func ascii(_ text: [UInt8]) -> [UInt8] {
    guard !text.allSatisfy({ $0 < 0x80 }) else { return text }
    var ascii: [UInt8] = []
    for unit in String(decoding: text, as: UTF8.self).utf16 {
      if unit < 0x80 {
        ascii.append(UInt8(unit))
      } else {
        ascii += (#"\u"# + unit.hexDigits).utf8
      }
    }
    return ascii
  }

  private static func replacing(_ text: [UInt8], _ entities: [Unicode.Scalar: String]) -> [UInt8] {
    var table: [[UInt8]?] = Array(repeating: nil, count: 256)
    for (character, entity) in entities { table[Int(character.value)] = Array(entity.utf8) }
    var result: [UInt8] = []
    for byte in text {
      if let entity = table[Int(byte)] { result += entity } else { result.append(byte) }
    }
    return result
  }

  // MARK: Encoded

  /// Passes the text as in a path or query (RFC 3986), with and without the reserved characters, as in a form, with only
  /// letters and digits left, and with every byte encoded; also as in a query of a URL that is in the query of another one.
  private static func percentEncoded(_ text: [UInt8], _ body: ([UInt8]) -> Void) {
    body(percentEncoded(text) { _ in false })
    // As `addingPercentEncoding(withAllowedCharacters: .alphanumerics)` does.
    guard text.contains(where: { !$0.isASCIIAlphanumeric }) else { return }
    body(percentEncoded(text, keeping: []))
    let safe = Array("-._~".utf8)
    guard text.contains(where: { !$0.isASCIIAlphanumeric && !safe.contains($0) }) else { return }
    let strict = percentEncoded(text, keeping: safe)
    body(strict)
    body(strict.replacing("%".utf8, with: "%25".utf8))
    body(spacesAsPlus(strict))
    body(spacesAsPlus(percentEncoded(text, keeping: Array("-._*".utf8))))
    body(percentEncoded(text, keeping: safe + Array(":/?#[]@!$&'()*+,;=".utf8)))
    body(percentEncoded(text, keeping: safe + Array("!'()*".utf8)))
  }

  private static func percentEncoded(_ text: [UInt8], keeping kept: [UInt8]) -> [UInt8] {
    percentEncoded(text) { $0.isASCIIAlphanumeric || kept.contains($0) }
  }

  private static func percentEncoded(_ text: [UInt8], isKept: (UInt8) -> Bool) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var result: [UInt8] = []
    for byte in text {
      if isKept(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return result
  }

  private static func spacesAsPlus(_ text: [UInt8]) -> [UInt8] {
    text.replacing("%20".utf8, with: "+".utf8)
  }

  /// Passes the text in base64, also in lines and as a part of a longer text, in both alphabets.
  private static func base64(_ bytes: [UInt8], _ body: ([UInt8]) -> Void) {
    func pass(_ form: [UInt8]) {
      body(form)
      let alphabet: [UInt8: UInt8] = [
        UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_"),
      ]
      if form.contains(where: { alphabet[$0] != nil }) { body(form.map { alphabet[$0] ?? $0 }) }
    }
    func encoded(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedString().utf8) }
    let whole = encoded(bytes).filter { $0 != UInt8(ascii: "=") }
    pass(whole)
    for length in [64, 76] where whole.count > length {
      for ending: [UInt8] in [[0x0A], [0x0D, 0x0A]] {
        let lines = stride(from: 0, to: whole.count, by: length)
          .map { whole[$0..<min($0 + length, whole.count)] }
        pass(Array(lines.joined(separator: ending)))
      }
    }
    for lead in 0..<3 {
      // The characters that depend on no byte before or after the secret.
      let part = (lead * 8 + 5) / 6..<(lead + bytes.count) * 8 / 6
      guard part.count >= 8 else { continue }
      pass(Array(encoded(Array(repeating: 0, count: lead) + bytes)[part]))
    }
  }
}

extension UInt8 {
  var lowercasedASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }

  fileprivate var isASCIIAlphanumeric: Bool {
    let lower = lowercasedASCII
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
