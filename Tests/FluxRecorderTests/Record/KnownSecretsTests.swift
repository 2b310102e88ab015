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
}
