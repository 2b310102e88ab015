import FluxJSON

/// Secrets to find in texts, in all of their forms.
///
/// A form is known by its length and its hash, so it takes the same memory however long the secret is. Looking for
/// the forms at one place of a text takes time for each different length, and not for each byte of a form.
package struct SecretIndex: Sendable {
  /// The identity of a form.
  ///
  /// A text of the same length has the same hash by chance only: see ``TextHash``. It would be replaced, too.
  private struct FormKey: Hashable {
    let start: UInt32
    let count: Int
    let hash: TextHash
  }

  private struct Form: Sendable {
    let secret: BytewiseName
    /// `true` if the form is the secret itself, as far as the case of ASCII letters goes.
    let isPlain: Bool
  }

  /// A length of forms, with its power for ``TextHashes``.
  private struct Length: Sendable {
    let count: Int
    let power: UInt64
  }

  private var forms: [FormKey: Form] = [:]
  /// The lengths of the forms with the same first four bytes, the longest first.
  private var lengths: [UInt32: [Length]] = [:]
  private var tokens: [BytewiseName: String] = [:]

  package init() {}

  /// Adds a secret of at least four bytes; the last token of a secret counts.
  package mutating func add(_ secret: String, token: String) {
    guard secret.utf8.count >= SecretForms.shortest else { return }
    let name = BytewiseName(secret)
    guard tokens.updateValue(token, forKey: name) == nil else { return }
    let plain = secret.utf8.map(\.lowercasedASCII)
    SecretForms.forEach(of: secret) { bytes in
      add(bytes, Form(secret: name, isPlain: bytes == plain))
    }
  }

  private mutating func add(_ bytes: [UInt8], _ form: Form) {
    let start = Self.start(bytes, at: 0)
    let key = FormKey(start: start, count: bytes.count, hash: TextHash(bytes))
    if let known = forms[key] {
      // The secret itself wins over a transformed copy of another one.
      if form.isPlain, !known.isPlain { forms[key] = form }
      return
    }
    forms[key] = form
    add(length: key.count, start)
  }

  private mutating func add(length count: Int, _ start: UInt32) {
    var alike = lengths[start] ?? []
    let index = alike.partitioningIndex { $0.count <= count }
    guard index == alike.count || alike[index].count != count else { return }
    alike.insert(Length(count: count, power: TextHash.power(count)), at: index)
    lengths[start] = alike
  }

  /// Forgets all secrets but some.
  package mutating func keep(_ kept: (BytewiseName) -> Bool) {
    tokens = tokens.filter { kept($0.key) }
    forms = forms.filter { tokens[$0.value.secret] != nil }
    lengths = [:]
    for key in forms.keys { add(length: key.count, key.start) }
  }

  /// Returns the text with tokens in place of the secrets in it.
  ///
  /// Secrets that overlap become the token of the longest one.
  package func redacted(_ text: String) -> String {
    guard !forms.isEmpty else { return text }
    let original = Array(text.utf8)
    let bytes = original.map(\.lowercasedASCII)
    guard bytes.count >= SecretForms.shortest else { return text }
    // Most texts have no place where a form may begin.
    lazy var hashes = TextHashes(bytes)
    var result: [UInt8] = []
    var written = 0
    var open: (range: Range<Int>, count: Int, form: Form)?
    func close() {
      guard let found = open else { return }
      result += original[written..<found.range.lowerBound]
      result += (tokens[found.form.secret] ?? "").utf8
      written = found.range.upperBound
      open = nil
    }
    for offset in 0...bytes.count - SecretForms.shortest {
      let start = Self.start(bytes, at: offset)
      guard let alike = lengths[start] else { continue }
      for length in alike where length.count <= bytes.count - offset {
        let range = offset..<offset + length.count
        let hash = hashes.hash(of: range, power: length.power)
        guard let form = forms[FormKey(start: start, count: length.count, hash: hash)] else {
          continue
        }
        if let found = open, found.range.upperBound > offset {
          let isLonger = length.count > found.count
          let end = max(found.range.upperBound, range.upperBound)
          open = (
            found.range.lowerBound..<end, max(found.count, length.count),
            isLonger ? form : found.form
          )
        } else {
          close()
          open = (range, length.count, form)
        }
        break
      }
    }
    close()
    guard written > 0 else { return text }
    return String(decoding: result + original[written...], as: UTF8.self)
  }

  private static func start(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8
      | UInt32(bytes[offset + 3])
  }
}
