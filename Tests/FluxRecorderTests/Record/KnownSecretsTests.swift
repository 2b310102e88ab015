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
    let secrets = KnownSecrets()
    for number in 0...KnownSecrets.limit {
      secrets.remember("secret \(number).", token: "<t>")
      secrets.remember("secret 0.", token: "<t>")
    }
    #expect(secrets.redact("secret 1.") == "secret 1.")
    #expect(secrets.redact("secret 0.") == "<t>")
    #expect(secrets.redact("secret \(KnownSecrets.limit).") == "<t>")
  }
}
