import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

@Suite struct RedactionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Secrets by a seed, with characters that JSON escapes.
  private static let seed =
    ProcessInfo.processInfo.environment["FLUX_SEED"].flatMap { UInt64($0) } ?? 4

  private static let redaction = Redaction(
    states: ["/session/token", "/session/card", "/users/*/password", "/users/*/hints/*"],
    actions: [
      "vault/login": ["/token"], "vault/pay": ["/card"],
      "vault/re*": ["/password", "/hints/*"],
    ])

  private static func secret(_ random: inout SplitMix64, length: Int) -> String {
    let letters = Array(#"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789+/\"=é🔑"#)
    return String(
      (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
  }

  private func recorder(
    _ name: String, _ durability: LogWriter.Options.Durability = .ahead,
    states: LogWriter.Options.States = .adaptive, _ redaction: Redaction = redaction
  ) -> Recorder {
    var options = Recorder.Options()
    options.redaction = redaction
    options.log.durability = durability
    options.log.inFlightByteCount = 1 << 14
    options.log.states = states
    return Recorder(to: folder.url(name), options: options)
  }

  /// The forms of a secret that are found in what was written: any eight bytes of it that follow one another, or
  /// all of it as anybody would try to hide it.
  private func leaks(_ secret: String, in bytes: Data) -> [String] {
    leaks(secret, in: bytes, Set(Self.windows(Array(bytes))))
  }

  private func leaks(_ secret: String, in bytes: Data, _ windows: Set<UInt64>) -> [String] {
    let plain = Array(secret.utf8)
    let escaped = Array(JSON(stringLiteral: secret).text.utf8.dropFirst().dropLast())
    var found: [String] = []
    for (name, text) in [("plain", plain), ("escaped", escaped)] {
      found += Self.windows(text).filter(windows.contains).map { "\(name): \($0)" }
      var hidden = [("reversed", Array(text.reversed()))]
      for skipped in 0..<3 {
        let whole = Data(text.dropFirst(skipped).prefix((text.count - skipped) / 3 * 3))
        hidden.append(("base64 from \(skipped)", Array(whole.base64EncodedString().utf8)))
      }
      hidden.append(("hexadecimal", Array(text.map { String($0, radix: 16) }.joined().utf8)))
      found += hidden.filter { bytes.range(of: Data($0.1)) != nil }.map { "\(name), \($0.0)" }
    }
    return found
  }

  /// Each eight bytes that follow one another, as a number.
  ///
  /// Six digits of a card are among those of some token by chance in one run of a thousand.
  private static func windows(_ bytes: [UInt8]) -> [UInt64] {
    guard bytes.count >= 8 else { return [] }
    return (0...(bytes.count - 8)).map { start in
      bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  @Test(
    "no part of a secret reaches the file or the actions in flight, in any form",
    arguments: [
      (LogWriter.Options.Durability.ahead, LogWriter.Options.States.adaptive), (.ahead, .full),
      (.buffered, .adaptive), (.synced, .adaptive),
    ])
  func nowhere(
    _ durability: LogWriter.Options.Durability, _ states: LogWriter.Options.States
  ) throws {
    print("seed \(Self.seed): FLUX_SEED sets another")
    var random = SplitMix64(seed: Self.seed, step: 1)
    var secrets = (0..<8).map { _ in Self.secret(&random, length: 24) }
    // A long token of which one character changes: no patch may say which.
    let long = Self.secret(&random, length: 160)
    var changed = Array(long)
    changed[80] = changed[80] == "a" ? "b" : "a"
    secrets += [long, String(changed)]
    let card = VaultAction.Card(number: 4_556_737_586_899_855, holder: secrets[6])

    let name = "\(durability)-\(states).jsonl"
    let recorder = recorder(name, durability, states: states)
    let dispatcher = Dispatcher([SessionStore(token: secrets[0]), UsersStore()])
    dispatcher.use(recorder)
    dispatcher.dispatch(VaultAction.login(token: long))
    dispatcher.dispatch(VaultAction.login(token: secrets[9]))
    dispatcher.dispatch(
      VaultAction.register(name: "joe", password: secrets[1], hints: [secrets[2], secrets[3]]))
    dispatcher.dispatch(VaultAction.pay(card: card))
    dispatcher.dispatch(VaultAction.refuse(password: secrets[4]))
    dispatcher.dispatch(VaultAction.refuseQuoting(password: secrets[5]))
    dispatcher.dispatch(
      Batch(
        "two",
        [
          VaultAction.login(token: secrets[7]), Batch(nil, [VaultAction.login(token: secrets[1])]),
        ]))
    try recorder.flush()
    recorder.mark("joe came back with \(secrets[1]) and \(String(reflecting: secrets[7]))")
    recorder.pause()
    dispatcher.dispatch(VaultAction.login(token: secrets[2]))
    recorder.resume()
    dispatcher.dispatch(VaultAction.register(name: "ann", password: secrets[0], hints: []))
    try recorder.flush()
    let inFlight = folder.url(name).inFlight
    let ring = durability == .buffered ? Data() : try Data(contentsOf: inFlight)
    #expect(ring.isEmpty == (durability == .buffered))
    try recorder.close()

    let log = try Data(contentsOf: folder.url(name))
    for bytes in [log, ring] {
      let windows = Set(Self.windows(Array(bytes)))
      // Were nothing found in any form, this test would pass for nothing.
      #expect(leaks("vault/login", in: bytes, windows).isEmpty == bytes.isEmpty)
      for (place, secret) in (secrets + ["4556737586899855"]).enumerated() {
        #expect(leaks(secret, in: bytes, windows) == [], "secret \(place)")
      }
    }
    let timeline = try openTimeline(folder.url(name))
    #expect(timeline.log.count == 8)
  }

  @Test(
    "a payload right behind a skipped step does not show the secrets in that step's payload",
    arguments: [true, false], [LogWriter.Options.Durability.ahead, .buffered])
  func skipped(pauses: Bool, _ durability: LogWriter.Options.Durability) throws {
    let name = "skipped-\(pauses)-\(durability).jsonl"
    var options = Recorder.Options()
    options.redaction = Self.redaction
    options.log.durability = durability
    options.shouldSkip = { action in
      guard case .login? = action as? VaultAction else { return false }
      return !pauses
    }
    let recorder = Recorder(to: folder.url(name), options: options)
    let dispatcher = Dispatcher([SessionStore(), UsersStore()])
    dispatcher.use(recorder)
    for number in 0..<50 {
      if pauses { recorder.pause() }
      dispatcher.dispatch(VaultAction.login(token: "token number \(number)."))
      recorder.resume()
      dispatcher.dispatch(
        VaultAction.register(name: "of token number \(number).", password: "", hints: []))
    }
    try recorder.close()
    let actions = try linesWithoutSums(folder.url(name)).compactMap {
      $0.firstMatch(of: /"name":"[^"]*"/)?.output
    }
    #expect(actions.count == 50)
    #expect(actions.allSatisfy { !$0.contains("number") })
  }

  @Test("what is written in the place of secrets, line by line")
  func lines() throws {
    // Whole states: between tokens that happen to have many digits in common, the patch is another.
    let recorder = recorder("lines.jsonl", states: .full)
    let dispatcher = Dispatcher([SessionStore(token: "first secret"), UsersStore()])
    dispatcher.use(recorder)
    dispatcher.dispatch(
      VaultAction.register(name: "joe", password: "hunter2", hints: ["a dog", "hunter2"]))
    dispatcher.dispatch(VaultAction.refuse(password: "hunter2"))
    dispatcher.dispatch(VaultAction.refuseQuoting(password: #"say "hi""#))
    dispatcher.dispatch(Batch(nil, [VaultAction.login(token: "hunter2")]))
    dispatcher.dispatch(VaultAction.logout)
    recorder.mark("is it hunter2?")
    try recorder.close()

    let written = try linesWithoutSums(folder.url("lines.jsonl"))
    // Tokens differ from log to log: they are named by the order in which they appear.
    var names: [Substring: String] = [:]
    let lines = written.map { line in
      line.replacing(/<redacted [0-9a-f]{16}>/) { match in
        names[match.output] = names[match.output] ?? "<\(names.count + 1)>"
        return names[match.output] ?? ""
      }.replacing(/"t":[0-9.]+/, with: #""t":0"#)
    }
    #expect(
      lines[0].contains(
        #""initial":{"token":"<1>"}},"users":{"type":"Dictionary<String, User>","initial":{}}},"redacted":["#
          + #""/session/token","/session/card","/users/*/password","/users/*/hints/*"]}"#))
    #expect(
      Array(lines.dropFirst()) == [
        #"{"n":1,"t":0,"action":{"type":"vault/register","payload":{"hints":["<2>","<3>"],"name":"joe","password":"<3>"}},"states":{"users":{"joe":{"hints":["<2>","<3>"],"password":"<3>"}}}}"#,
        #"{"n":2,"t":0,"action":{"type":"vault/refuse","payload":{"password":"<3>"}},"rejected":{"reason":"refused","message":"the password <3> is too weak","store":"session"}}"#,
        #"{"n":3,"t":0,"action":{"type":"vault/refuseQuoting","payload":{"password":"<4>"}},"rejected":{"reason":"refused","message":"cannot do refuseQuoting(password: \"<4>\")","store":"session"}}"#,
        #"{"n":4,"t":0,"action":{"type":"batch","payload":{"actions":[{"type":"vault/login","payload":{"token":"<3>"}}]}},"states":{"session":{"token":"<3>"}}}"#,
        #"{"n":5,"t":0,"action":{"type":"vault/logout"},"states":{"session":{}}}"#,
        #"{"mark":"is it <3>?","t":0}"#,
        #"{"end":{"steps":5,"ok":true,"unmatched":["/session/card","vault/pay /card"]}}"#,
      ])
  }

  @Test(
    "equal secrets have equal tokens within a log, in actions and states, and others in another log"
  )
  func tokens() throws {
    var tokens: [[String?]] = []
    for name in ["one.jsonl", "two.jsonl"] {
      let recorder = recorder(name)
      let dispatcher = Dispatcher([SessionStore(), UsersStore()])
      dispatcher.use(recorder)
      for secret in ["hunter2", "swordfish", "hunter2"] {
        dispatcher.dispatch(VaultAction.login(token: secret))
      }
      try recorder.close()
      let timeline = try openTimeline(folder.url(name))
      tokens.append(
        try (0..<3).flatMap { position in
          [
            try timeline.log.step(at: position).payload?["token"]?.string,
            try timeline.state(of: "session", at: position)?["token"]?.string,
          ]
        })
    }
    for tokens in tokens {
      #expect(tokens[0] == tokens[1] && tokens[2] == tokens[3])
      #expect(tokens[0] == tokens[4] && tokens[0] != tokens[2])
    }
    #expect(Set(tokens.joined().compactMap { $0 }).count == 4)
  }

  @Test("a recorder without a dispatcher redacts as well")
  func started() throws {
    let url = folder.url("session.jsonl")
    var options = Recorder.Options()
    options.redaction = Redaction(states: ["/user/password"], actions: ["login": ["/password"]])
    let recorder = Recorder(to: url, options: options)
    recorder.start(states: ["user": ["password": "the first secret"]])
    recorder.record(
      NamedAction("login", payload: ["password": "the second secret"]),
      states: ["user": ["password": "the second secret"]])
    recorder.begin(NamedAction("login", payload: ["password": "the third secret"]))
      .reject("the third secret is wrong")
    try recorder.close()
    let log = try Data(contentsOf: url)
    for secret in ["the first secret", "the second secret", "the third secret"] {
      #expect(leaks(secret, in: log) == [])
    }
    #expect(try String(contentsOf: url, encoding: .utf8).contains("<redacted "))
  }
}
