/// Secrets to find in texts, in all of their forms.
package struct SecretIndex: Sendable {
  private struct Form: Sendable {
    let bytes: [UInt8]
    let secret: BytewiseName
    /// `true` if the form is the secret itself, as far as the case of ASCII letters goes.
    let isPlain: Bool
  }

  /// The forms by their first four bytes, the longest first.
  private var forms: [UInt32: [Form]] = [:]
  private var tokens: [BytewiseName: String] = [:]

  package init() {}

  /// `true` if there is nothing to find.
  package var isEmpty: Bool { forms.isEmpty }

  /// Adds a secret of at least four bytes; the last token of a secret counts.
  package mutating func add(_ secret: String, token: String) {
    guard secret.utf8.count >= SecretForms.shortest else { return }
    let name = BytewiseName(secret)
    guard tokens.updateValue(token, forKey: name) == nil else { return }
    let plain = secret.utf8.map(\.lowercasedASCII)
    for bytes in SecretForms.all(of: secret) {
      add(Form(bytes: bytes, secret: name, isPlain: bytes == plain))
    }
  }

  private mutating func add(_ form: Form) {
    let key = Self.key(form.bytes, at: 0)
    var alike = forms[key] ?? []
    if let place = alike.firstIndex(where: { $0.bytes == form.bytes }) {
      // The secret itself wins over a transformed copy of another one.
      guard form.isPlain, !alike[place].isPlain else { return }
      alike[place] = form
    } else {
      let place = alike.firstIndex { $0.bytes.count < form.bytes.count } ?? alike.endIndex
      alike.insert(form, at: place)
    }
    forms[key] = alike
  }

  /// Forgets all secrets but some.
  package mutating func keep(_ kept: (BytewiseName) -> Bool) {
    tokens = tokens.filter { kept($0.key) }
    forms = forms.compactMapValues { alike in
      let rest = alike.filter { tokens[$0.secret] != nil }
      return rest.isEmpty ? nil : rest
    }
  }

  /// Returns the text with tokens in place of the secrets in it.
  ///
  /// Secrets that overlap become the token of the longest one.
  package func redacted(_ text: String) -> String {
    guard !forms.isEmpty else { return text }
    let original = Array(text.utf8)
    let bytes = original.map(\.lowercasedASCII)
    guard bytes.count >= SecretForms.shortest else { return text }
    var result: [UInt8] = []
    var written = 0
    var open: (range: Range<Int>, form: Form)?
    func close() {
      guard let found = open else { return }
      result += original[written..<found.range.lowerBound]
      result += (tokens[found.form.secret] ?? "").utf8
      written = found.range.upperBound
      open = nil
    }
    for place in 0...bytes.count - SecretForms.shortest {
      guard let alike = forms[Self.key(bytes, at: place)],
        let form = alike.first(where: { bytes[place...].starts(with: $0.bytes) })
      else { continue }
      let range = place..<place + form.bytes.count
      if let found = open, found.range.upperBound > place {
        let longest = found.form.bytes.count >= form.bytes.count ? found.form : form
        let end = max(found.range.upperBound, range.upperBound)
        open = (found.range.lowerBound..<end, longest)
      } else {
        close()
        open = (range, form)
      }
    }
    close()
    guard written > 0 else { return text }
    return String(decoding: result + original[written...], as: UTF8.self)
  }

  private static func key(_ bytes: [UInt8], at place: Int) -> UInt32 {
    UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
      | UInt32(bytes[place + 3])
  }
}
