import FluxJSON
import Foundation

/// The forms in which a copy of a secret may stand in a text.
///
/// A copy may be trimmed, in another case, or normalized. Such a copy, like the secret itself, may be
/// escaped as in JSON, XML or a debug description, percent-encoded, or encoded in base64.
package enum SecretForms {
  /// The minimum length in bytes; shorter secrets look like ordinary words and numbers.
  package static let shortest = 4
  /// The maximum length in bytes of secrets whose transformed copies are found.
  package static let longest = 4_096

  /// Returns the forms without duplicates, in lower case as far as it is ASCII.
  ///
  /// Search them in a text whose ASCII letters are in lower case, too.
  package static func all(of secret: String) -> Set<[UInt8]> {
    var forms: Set<[UInt8]> = []
    for text in copies(of: secret) {
      for form in [text] + escaped(text) + encoded(text) where form.count >= shortest {
        forms.insert(form.map(\.lowercasedASCII))
      }
    }
    return forms
  }

  /// Returns the text, trimmed and not, in each case and normal form.
  private static func copies(of secret: String) -> Set<[UInt8]> {
    let bytes = Array(secret.utf8)
    guard bytes.count <= longest else { return [bytes] }
    var copies: Set = [bytes]
    let trimmed = secret.trimmingCharacters(in: .whitespacesAndNewlines)
    for text in [secret, trimmed] {
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
    return copies
  }

  // MARK: Escaped

  private static func escaped(_ text: [UInt8]) -> [[UInt8]] {
    let special = text.contains { $0 < 0x20 || $0 >= 0x7F || #""\/&<>'"#.utf8.contains($0) }
    guard special else { return [] }
    let string = String(decoding: text, as: UTF8.self)
    let json = unquoted(JSON(stringLiteral: string).text)
    let solidus = json.replacing([UInt8(ascii: "/")], with: #"\/"#.utf8)
    var forms = [json, unquoted(string.debugDescription)]
    guard text.count <= longest else { return forms }
    forms += [solidus, ascii(json), ascii(solidus)]
    let markup = replacing(text, ["&": "&amp;", "<": "&lt;"])
    let full = replacing(markup, [">": "&gt;", "\"": "&quot;"])
    forms += [markup, replacing(markup, [">": "&gt;"]), full]
    return forms + ["&apos;", "&#39;", "&#x27;"].map { replacing(full, ["'": $0]) }
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
        let digits = String(unit, radix: 16)
        ascii += (#"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
      }
    }
    return ascii
  }

  private static func replacing(
    _ text: [UInt8], _ entities: [Unicode.Scalar: String]
  ) -> [UInt8] {
    text.flatMap { byte in entities[Unicode.Scalar(byte)].map { Array($0.utf8) } ?? [byte] }
  }

  // MARK: Encoded

  private static func encoded(_ text: [UInt8]) -> [[UInt8]] {
    guard text.count <= longest else { return [] }
    return percentEncoded(text) + base64(text)
  }

  /// Returns the text as in a path or query (RFC 3986), with and without the reserved characters,
  /// and as in a form.
  private static func percentEncoded(_ text: [UInt8]) -> [[UInt8]] {
    let safe = Array("-._~".utf8)
    guard text.contains(where: { !$0.isASCIIAlphanumeric && !safe.contains($0) }) else { return [] }
    let strict = percentEncoded(text, keeping: safe)
    let form = percentEncoded(text, keeping: "-._*".utf8)
    return [
      strict, spacesAsPlus(strict), spacesAsPlus(form),
      percentEncoded(text, keeping: safe + Array(":/?#[]@!$&'()*+,;=".utf8)),
      percentEncoded(text, keeping: safe + Array("!'()*".utf8)),
    ]
  }

  private static func percentEncoded(
    _ text: [UInt8], keeping kept: some Collection<UInt8>
  ) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return text.flatMap { byte in
      byte.isASCIIAlphanumeric || kept.contains(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  private static func spacesAsPlus(_ text: [UInt8]) -> [UInt8] {
    text.replacing("%20".utf8, with: "+".utf8)
  }

  /// Returns the text in base64, also as a part of a longer text, in both alphabets.
  private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
    func encoded(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedString().utf8) }
    var forms = [encoded(bytes).filter { $0 != UInt8(ascii: "=") }]
    for lead in 0..<3 {
      // The characters that depend on no byte before or after the secret.
      let part = (lead * 8 + 5) / 6..<(lead + bytes.count) * 8 / 6
      guard part.count >= 8 else { continue }
      forms.append(Array(encoded(Array(repeating: 0, count: lead) + bytes)[part]))
    }
    return forms
      + forms.map { form in
        form.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 }
          .map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
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
