import FluxJSON
import FluxLog
import Foundation
import Testing

@testable import FluxRecorder

@Suite struct KnownSecretsTests {
  @Test(
    "secrets are replaced wherever they stand in a text, the longest first",
    arguments: [
      ("nothing to hide", "nothing to hide"), ("hunter2", "<b>"), ("hunter", "<a>"),
      ("hunter22 hunter", "<b>2 <a>"), ("hunterhunter2", "<a><b>"),
      ("hunter2\u{301}", "<b>\u{301}"),
      (#"login("a \"b\"\n")"#, #"login("<c>")"#), ("a \"b\"\n", "<c>"), ("abc", "abc"), ("", ""),
    ])
  func replaced(_ text: String, _ expected: String) {
    let secrets = KnownSecrets()
    for (secret, token) in [
      ("hunter", "<a>"), ("hunter2", "<b>"), ("a \"b\"\n", "<c>"), ("abc", "<d>"),
    ] {
      secrets.remember(secret, token: token)
    }
    #expect(secrets.redact(text) == expected)
  }

  @Test("secrets that read alike are replaced in each way in which they were met")
  func readingAlike() {
    let secrets = KnownSecrets()
    secrets.remember("caf\u{e9}-1234", token: "<a>")
    secrets.remember("cafe\u{301}-1234", token: "<b>")
    #expect(secrets.redact("caf\u{e9}-1234, cafe\u{301}-1234") == "<a>, <b>")
  }

  @Test("of too many secrets, those not met for longest are forgotten")
  func forgotten() {
    let secrets = KnownSecrets(limit: 64)
    for number in 0...64 {
      secrets.remember("secret \(number).", token: "<t>")
      secrets.remember("secret 0.", token: "<t>")
    }
    #expect(secrets.redact("secret 1.") == "secret 1.")
    #expect(secrets.redact("secret 0.") == "<t>")
    #expect(secrets.redact("secret 64.") == "<t>")
  }

  @Test(
    "a redactor for others has the secrets of the recording, and hides texts once it has forgotten one"
  )
  func others() throws {
    let recording = try Redactor(Redaction(states: ["/session/key"]))
    func redact(_ redactor: Redactor, _ secret: String) throws -> JSON {
      try redactor.rewrite(.state("session"), ["key": JSON(stringLiteral: secret)])
    }
    let token = try redact(recording, "of the recording")["key"]?.string ?? ""
    let others = recording.forOthers(secretCount: 5)
    #expect(others.rewrite("it is of the recording") == "it is \(token)")
    #expect(try redact(others, "of the recording") == redact(recording, "of the recording"))
    for number in 0..<4 { _ = try redact(others, "secret \(number).") }
    #expect(!others.rewrite("key secret 0. or secret 3.").contains("secret"))
    #expect(others.rewrite("nothing to hide") == "nothing to hide")
    // The recording does not know them, and has forgotten nothing for them.
    #expect(recording.rewrite("key secret 3.") == "key secret 3.")
    _ = try redact(others, "secret 4.")
    let hidden = others.rewrite("nothing to hide")
    #expect(hidden.hasPrefix("<redacted ") && hidden.hasSuffix(">"), "\(hidden)")
    #expect(!others.rewrite("key secret 0.").contains("secret"))
    #expect(recording.rewrite("nothing to hide") == "nothing to hide")
  }

  @Test(
    "transformed copies of a secret are replaced",
    arguments: [
      "p\u{e4}ss w/\"ord+1\" & <b>",
      "P\u{c4}SS W/\"ORD+1\" & <B>",
      "pa\u{308}ss w/\"ord+1\" & <b>",
      #"p\u00e4ss w/\"ord+1\" & <b>"#,
      #"p\u00E4ss w\/\"ord+1\" & <b>"#,
      #"päss w\/\"ord+1\" & <b>"#,
      "p\u{e4}ss w/&quot;ord+1&quot; &amp; &lt;b&gt;",
      "p%C3%A4ss%20w%2F%22ord%2B1%22%20%26%20%3Cb%3E",
      "p%c3%a4ss+w%2f%22ord%2b1%22+%26+%3cb%3e",
      "p%C3%A4ss%20w/%22ord+1%22%20&%20%3Cb%3E",
      "cMOkc3Mgdy8ib3JkKzEiICYgPGI+",
      "cMOkc3Mgdy8ib3JkKzEiICYgPGI-",
    ])
  func transformed(_ copy: String) {
    let secrets = KnownSecrets()
    secrets.remember(" p\u{e4}ss w/\"ord+1\" & <b>\n", token: "<t>")
    #expect(secrets.redact("it is [\(copy)]") == "it is [<t>]")
  }

  @Test(
    "a copy in which only letters and digits are not percent-encoded is replaced",
    arguments: ["hunter2-long", "a.b_c~d!", "p\u{e4}ss word"])
  func percentEncodedButAlphanumerics(_ secret: String) throws {
    let secrets = KnownSecrets()
    secrets.remember(secret, token: "<t>")
    let copy = try #require(secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    #expect(secrets.redact("it is [\(copy)]") == "it is [<t>]")
  }

  @Test("base64 of a longer text with a secret in it shows none of its characters that count")
  func base64() {
    let secrets = KnownSecrets()
    secrets.remember("correct horse", token: "<t>")
    for lead in ["", "u", "me", "you"] {
      for tail in ["", ":", "::", ":::"] {
        let text = Data((lead + "correct horse" + tail).utf8).base64EncodedString()
        #expect(secrets.redact("Basic \(text)").contains("<t>"), "\(text)")
      }
    }
  }

  @Test("secrets that overlap in a text are replaced together, and no part of one remains")
  func overlapping() {
    let secrets = KnownSecrets()
    secrets.remember("abcdef", token: "<a>")
    secrets.remember("defghijk", token: "<b>")
    #expect(secrets.redact("1abcdefghijk2 ABCDEF3") == "1<b>2 <a>3")
  }

  /// A secret of 4,806 bytes, such as a token with many claims.
  private static let long: String =
    String(repeating: "k\u{e9}y/7", count: 800) + " <end>"

  /// A key as tools write it, with line feeds.
  private static let key: String =
    "-----BEGIN KEY-----\n"
    + (0..<100).map { "MIIEv\($0)IBADANBgkqhkiG9w0BAQEFAASCBKcwggSj+/\n" }.joined()
    + "-----END KEY-----\n"

  private static func percent(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }

  @Test(
    "transformed copies of a secret are replaced, however long it is",
    arguments: [
      ("upper case", long.uppercased()), ("trimmed", long),
      ("percent", percent(long)),
      ("base64", Data(long.utf8).base64EncodedString()),
      ("base64 in lines", Data(long.utf8).base64EncodedString(options: .lineLength76Characters)),
      ("decomposed", long.decomposedStringWithCanonicalMapping),
      ("JSON", long.replacing("/", with: #"\/"#)),
      ("ASCII", long.replacing("\u{e9}", with: #"\u00e9"#)),
      ("XML", long.replacing("<", with: "&lt;")),
    ])
  func transformedLong(_ name: String, _ copy: String) {
    let secrets = KnownSecrets()
    secrets.remember(Self.long + "\n \t", token: "<t>")
    let redacted = secrets.redact("it is [\(copy)]")
    #expect(redacted.count < 20 && redacted.contains("<t>"), "\(name)")
  }

  @Test(
    "a key is replaced with each kind of line end, and with every byte encoded",
    arguments: [
      key, key.replacing("\n", with: "\r\n"), String(key.dropLast()), percent(key),
      percent(key.replacing("\n", with: "\r\n")), key.replacing("\n", with: #"\n"#),
      Data(key.replacing("\n", with: "\r\n").utf8).base64EncodedString(),
    ])
  func lineEnds(_ copy: String) {
    for secret in [Self.key, Self.key.replacing("\n", with: "\r\n")] {
      let secrets = KnownSecrets()
      secrets.remember(secret, token: "<t>")
      let redacted = secrets.redact("it is [\(copy)]")
      #expect(redacted.count < 20 && redacted.contains("<t>"))
    }
  }

  @Test("the text in data is replaced, which a log has in base64")
  func data() {
    let secrets = KnownSecrets()
    secrets.remember(Data("p\u{e4}ss word".utf8).base64EncodedString(), token: "<t>")
    #expect(secrets.redact("P\u{c4}SS WORD, cMOkc3Mgd29yZA==") == "<t>, <t>")
    // No text, and too short.
    secrets.remember(Data([0xFF, 0xFE, 0x41, 0x42, 0x43]).base64EncodedString(), token: "<u>")
    secrets.remember(Data("abc".utf8).base64EncodedString(), token: "<u>")
    #expect(secrets.redact("ABC abc") == "ABC abc")
  }

  @Test(
    "bytes that are no text are replaced in either alphabet of base64, and as hexadecimal digits",
    arguments: [
      "++++++++/v8AAQ==", "++++++++/v8AAQ", "--------_v8AAQ", "fbefbefbefbefeff0001",
      "FBEFBEFBEFBEFEFF0001", "Afvvvvvvvv7/AAEC",
    ])
  func bytes(_ copy: String) throws {
    let secrets = KnownSecrets()
    let data = Data([0xFB, 0xEF, 0xBE, 0xFB, 0xEF, 0xBE, 0xFE, 0xFF, 0x00, 0x01])
    #expect(String(validating: data, as: UTF8.self) == nil)
    secrets.remember(data.base64EncodedString(), token: "<t>")
    let redacted = secrets.redact("it is [\(copy)]")
    #expect(redacted.contains("<t>") && redacted.count < 18, "\(redacted)")
    #expect(secrets.redact(copy).contains("<t>"), "a text that is no longer than the copy")
  }

  @Test(
    "an address in lower case is replaced in base64, too",
    arguments: ["anna@example.com", "Anna@Example.com"], ["", "u:", "me:"])
  func base64InLowerCase(_ copy: String, _ lead: String) {
    let secrets = KnownSecrets()
    secrets.remember("Anna@Example.com", token: "<t>")
    let text = Data("\(lead)\(copy):hunter2".utf8).base64EncodedString()
    #expect(secrets.redact("Basic \(text)").contains("<t>"), "\(text)")
  }

  @Test("a copy in the URL in a query of another URL is replaced")
  func percentEncodedTwice() {
    let secrets = KnownSecrets()
    secrets.remember("anna@example.com", token: "<t>")
    let url = "https://a.example/?next=%2Flogin%3Fmail%3Danna%2540example.com"
    #expect(secrets.redact(url) == "https://a.example/?next=%2Flogin%3Fmail%3D<t>")
  }

  @Test("of long secrets with the same beginning, the right one is replaced")
  func alike() {
    let secrets = KnownSecrets()
    let start = String(repeating: "eyJhbGciOiJIUzI1NiJ9.", count: 40)
    for number in 0..<20 { secrets.remember("\(start)\(number)", token: "<\(number)>") }
    let text = String(repeating: start + "x", count: 20)
    #expect(secrets.redact(text + start + "7") == text + "<7>")
  }
}
