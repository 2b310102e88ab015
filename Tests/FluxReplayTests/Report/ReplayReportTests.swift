import FluxJSON
import FluxLog
import FluxReplay
import Testing

@Suite struct ReplayReportTests {
  private static func diverged() throws -> ReplayReport {
    var report = ReplayReport(log: "logs/shop one.jsonl")
    report.steps = 6
    var state = Divergence(
      .different, step: 6,
      action: ["type": "cart/add", "payload": ["item": "tea", "count": 2]],
      recorded: 2, replayed: 3)
    state.line = 7
    state.store = "cart"
    state.path = try Pointer("/cart/items/0/count")
    state.others = 2
    state.chain = [
      .init(number: 6, type: "cart/add"), .init(number: 5, type: "checkout/finish"),
      .init(number: 4, type: "checkout/begin"),
    ]
    state.reason = "only the replay has the member \"count\": it is new, or was omitted before"
    var rejected = Divergence(
      .rejected, step: 8, action: ["type": "cart/\u{1B}clear"],
      replayed: ["reason": "refused", "message": "closed", "store": "cart"])
    rejected.store = "cart"
    rejected.chain = [.init(number: 8, type: "cart/\u{1B}clear")]
    report.divergences = [state, rejected]
    report.app = "build/my shop"
    report.redacted = ["/session/token"]
    report.notes = ["steps 9 to 12 are not in the log (paused)", "two\nlines"]
    return report
  }

  @Test("the text has the details of a divergence, and lines to paste")
  func text() throws {
    #expect(
      try Self.diverged().text == #"""
        diverged: logs/shop one.jsonl: 2 divergences, 6 steps compared

          logs/shop one.jsonl:7: step 6, {"type":"cart/add","payload":{"item":"tea","count":2}}
            caused by 5 checkout/finish, by 4 checkout/begin
            after cart/add, the store cart differs at /cart/items/0/count and 2 more places
              recorded: 2
              replayed: 3
            likely reason: only the replay has the member "count": it is new, or was omitted before
            next:
              flux-inspect 'logs/shop one.jsonl' --app 'build/my shop' -g 6
              flux-inspect 'logs/shop one.jsonl' --app 'build/my shop' -g 6 -e diff
              flux-inspect 'logs/shop one.jsonl' --app 'build/my shop' -g 6 -e 'blame /cart/items/0/count'
              flux-inspect 'logs/shop one.jsonl' --app 'build/my shop' -e 'redispatch 6'

          logs/shop one.jsonl: step 8, {"type":"cart/\u001bclear"}
            the store cart now rejects cart/\u{1b}clear
              recorded: nothing
              replayed: {"reason":"refused","message":"closed","store":"cart"}
            next:
              flux-inspect 'logs/shop one.jsonl' --app 'build/my shop' -g 8
              flux-inspect 'logs/shop one.jsonl' --app 'build/my shop' -g 8 -e action
              flux-inspect 'logs/shop one.jsonl' --app 'build/my shop' -g 8 -e 'state cart'
              flux-inspect 'logs/shop one.jsonl' --app 'build/my shop' -e 'redispatch 8'
          redacted, not compared: /session/token
          note: steps 9 to 12 are not in the log (paused)
          note: two
            lines

        """#)
  }

  @Test("a redacted value that is there on one side only is said to be redacted")
  func redacted() throws {
    var found = Divergence(
      .different, step: 3, action: ["type": "cart/add"],
      recorded: "<redacted 5f0c2a9e71b3d844>")
    found.store = "cart"
    found.path = try Pointer("/cart/key")
    found.isRedacted = true
    #expect(
      found.details == [
        "after cart/add, the store cart differs at /cart/key; the value is redacted",
        #"  recorded: "<redacted 5f0c2a9e71b3d844>""#, "  replayed: nothing",
      ])
    #expect(JSON(message: found)["redacted"] == true)
  }

  @Test("a divergence of the initial states is at the start")
  func initial() throws {
    var report = ReplayReport(log: "shop.jsonl")
    report.steps = 6
    var found = Divergence(.initial, step: 0, action: .null, recorded: [], replayed: [1])
    found.line = 1
    found.store = "cart"
    found.path = try Pointer("/cart/items")
    report.divergences = [found]
    #expect(
      report.text == """
        diverged: shop.jsonl: 1 divergence, 6 steps compared

          shop.jsonl:1: at start
            the store cart begins in a different state at /cart/items
              recorded: []
              replayed: [1]
            if the app restores saved states, or the log is a saved fork: --initial ignore
            next:
              flux-inspect shop.jsonl -g start
              flux-inspect shop.jsonl -g start -e 'state cart'

        """)
    #expect(
      JSON(message: report).text
        == #"{"verdict":"diverged","steps":6,"divergences":[{"step":0,"line":1,"#
        + #""kind":"initial","store":"cart","path":"/cart/items","recorded":[],"replayed":[1],"#
        + #""chain":[],"next":["goto start","state cart"]}]}"#)
  }

  @Test("the report as JSON has the members that the inspector prints")
  func json() throws {
    #expect(
      try JSON(message: Self.diverged()).text == #"{"verdict":"diverged","steps":6,"divergences":["#
        + #"{"step":6,"line":7,"kind":"different","store":"cart","path":"/cart/items/0/count","#
        + #""recorded":2,"replayed":3,"others":2,"#
        + #""action":{"type":"cart/add","payload":{"item":"tea","count":2}},"#
        + #""chain":[{"n":6,"type":"cart/add"},{"n":5,"type":"checkout/finish"},"#
        + #"{"n":4,"type":"checkout/begin"}],"#
        + #""reason":"only the replay has the member \"count\": it is new, or was omitted before","#
        + #""next":["goto 6","diff","blame /cart/items/0/count","fork -1"]},"#
        + #"{"step":8,"kind":"rejected","store":"cart","#
        + #""replayed":{"reason":"refused","message":"closed","store":"cart"},"#
        + #""action":{"type":"cart/\u001bclear"},"chain":[{"n":8,"type":"cart/\u001bclear"}],"#
        + #""next":["goto 8","action","state cart","fork -1"]}],"redacted":["/session/token"],"#
        + #""notes":["steps 9 to 12 are not in the log (paused)","two\nlines"]}"#)
  }

  @Test("each kind of divergence has a sentence of its own")
  func sentences() {
    let sentences = Divergence.Kind.allCases.map { kind in
      var divergence = Divergence(kind, step: 9, action: ["type": "cart/add"])
      divergence.store = "cart"
      divergence.chain = [.init(number: 9, type: "cart/add"), .init(number: 7, type: "cart/fill")]
      return "\(kind): \(divergence.details[1])"
    }
    #expect(
      sentences == [
        "initial: the store cart begins in a different state",
        "different: after cart/add, the store cart differs",
        "rejected: the store cart now rejects cart/add",
        "accepted: cart/add was rejected, and is now accepted",
        "reason: cart/add is rejected for a different reason",
        "message: the store cart refuses cart/add with a different message",
        "undecodable: the app can no longer decode cart/add",
        "missing: step 7, cart/fill, no longer dispatches cart/add",
        "extra: cart/add dispatches a follow-up that the recording does not have",
        "followUp: step 7, cart/fill, dispatches a different follow-up",
        "effectMissing: cart/add no longer asks for an effect of the store cart",
        "effectExtra: cart/add asks for an effect of the store cart that the recording does not have",
      ])
  }

  @Test("a passing log takes one line")
  func passed() {
    var report = ReplayReport(log: "shop.jsonl")
    report.steps = 1
    #expect(report.verdict == .passed)
    #expect(report.text == "passed: shop.jsonl: 1 step compared\n")
    #expect("\(report)" == "passed: shop.jsonl: 1 step compared")
    #expect(JSON(message: report).text == #"{"verdict":"passed","steps":1,"divergences":[]}"#)
  }

  @Test("an incompatibility has its severity, and decides the verdict if it matters")
  func incompatible() {
    var report = ReplayReport(log: "old.jsonl")
    report.incompatibilities = [Incompatibility(.newStore("user"))]
    #expect(report.verdict == .empty)
    report.incompatibilities.append(Incompatibility(.unknownAction(type: "basket/add", step: 3)))
    report.incompatibilities.append(Incompatibility(.missingStore("basket")))
    #expect(report.verdict == .incompatible)
    #expect(report.severity == .impossible)
    #expect(
      report.text == """
        incompatible: old.jsonl: the app cannot replay this log
          note: the app has a store "user" that the log does not have; it begins in the state that the app gives it
          error: no store handles "basket/add", the action of step 3; if it was renamed, \
        add an alias to the app's Evolution; if it was removed, drop it there
          warning: the app has no store "basket", so its states are not compared; if it was renamed, \
        add an alias to the app's Evolution; if it was removed, drop it there

        """)
  }

  @Test("actions that no store handles are one line, after the notes")
  func unhandledActions() {
    var report = ReplayReport(log: "old.jsonl")
    report.incompatibilities = (1...7).map {
      Incompatibility(.unknownAction(type: "basket/\($0)", step: $0))
    }
    report.notes = ["this app is Shop, and the log was recorded by Basket"]
    #expect(
      report.text == """
        incompatible: old.jsonl: the app cannot replay this log
          note: this app is Shop, and the log was recorded by Basket
          error: no store handles basket/1 (step 1), basket/2 (step 2), basket/3 (step 3), basket/4 (step 4), \
        basket/5 (step 5), and 2 more; if actions were renamed, add aliases to the app's Evolution; \
        if they were removed, drop them there

        """)
  }

  @Test("the report for an app without FluxCore stores names the action types to list")
  func unlistedActions() throws {
    var app = ScriptedApp { _ in [] }
    app.description.reducers = .plain
    let steps = ["cart/add", "cart/clear"].enumerated().map {
      #"{"n":\#($0 + 1),"t":0.\#($0 + 1),"action":{"type":"\#($1)"}}"#
    }
    func errors(_ steps: some Sequence<String>) throws -> [Substring] {
      try app.verifyHere(WrittenLog(Array(steps)).open()).text.split(separator: "\n")
        .filter { $0.hasPrefix("  error") }
    }
    #expect(
      try errors(steps.prefix(1)) == [
        #"  error: the app's actions do not include "cart/add", the action of step 1; add its type to the `actions` of "#
          + "the AppDefinition, or, if it was renamed, an alias to the app's Evolution"
      ])
    #expect(
      try errors(steps) == [
        "  error: the app's actions do not include cart/add (step 1), cart/clear (step 2); add their types to the "
          + "`actions` of the AppDefinition, or, if they were renamed, aliases to the app's Evolution"
      ])
  }

  @Test("damage has its line, step and byte")
  func damaged() {
    var report = ReplayReport(log: "cut.jsonl")
    report.damage = [Finding(problem: .notAnObject, line: 4, step: 3, byte: 0)]
    #expect(report.verdict == .damaged)
    #expect(
      report.text.hasPrefix(
        "damaged: cut.jsonl: 0 steps compared\n  damage: cut.jsonl: line 4, step 3, byte 0: "))
  }

  @Test("a value that nests too deeply for a report is given as text")
  func deep() throws {
    let deep = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)
    var report = ReplayReport(log: "deep.jsonl")
    report.divergences = [
      Divergence(.different, step: 1, action: ["type": "x"], recorded: try JSON.parse(deep))
    ]
    let written = JSON(message: report)["divergences"]?[0]?["recorded"]
    #expect(written?.string?.hasPrefix("[[[[") == true)
  }
}
