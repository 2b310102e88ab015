import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

/// Forks store states as patches; each test compares them with states that are stored whole.
@Suite struct ForkStatesTests {
  /// Steps of a fork, and the states after each.
  private struct Session {
    var states: ForkStates
    /// The texts of all states after each step, from the initial ones on.
    var plain: [[String: String]]

    init(_ initial: [String: String]) throws {
      var parsed: StoreDictionary<JSON> = [:]
      for (store, text) in initial { parsed[store] = try JSON.parse(text) }
      states = ForkStates(parsed)
      plain = [initial]
    }

    mutating func step(_ changes: [(store: String, text: String?)]) throws {
      var now = plain[plain.count - 1]
      for change in changes { now[change.store] = change.text }
      plain.append(now)
      states.append(
        try changes.map { change in
          ReplayedStep.Change(
            store: change.store,
            // A state is a part of a long message.
            state: try change.text.flatMap { try JSON.parse("{\"states\":[\($0)]}")["states"]?[0] })
        })
    }

    /// Expects the states after each step, at once and one after the other.
    func expectSame(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
      var walk = ForkStates.Walk(states)
      for count in plain.indices {
        if count > 0 { walk.advance() }
        for found in [states.states(afterSteps: count), walk.model] {
          var wanted: StoreDictionary<JSON> = [:]
          for (store, text) in plain[count] { wanted[store] = try JSON.parse(text) }
          #expect(found == wanted, "after \(count) steps", sourceLocation: sourceLocation)
        }
      }
    }
  }

  @Test("features come and go, and states without a change stay")
  func features() throws {
    var session = try Session(["a": "1", "b": #"{"text":"one"}"#])
    try session.step([("c", "[1, 2]")])
    try session.step([])
    try session.step([("b", nil), ("c", "[1,2]")])
    try session.step([("b", #"{"text":"two"}"#)])
    try session.step([("c", nil)])
    try session.expectSame()
    #expect(session.states.states(afterSteps: -1)["a"]?.text == "1")
    #expect(session.states.states(afterSteps: 9)["c"] == nil)
  }

  @Test("every state of a long session of small edits is kept")
  func edits() throws {
    var random = SeededNumbers()
    var lines = (0..<40).map { "line \($0) of a text that has many of them" }
    var undo: [String] = []
    func state(_ cursor: Int) -> String {
      let texts = lines.map { "\"\($0)\"" }.joined(separator: ",")
      return "{\"cursor\":\(cursor),\"lines\":[\(texts)],\"undo\":[\(undo.joined(separator: ","))]}"
    }
    var session = try Session(["text": state(0), "other": "0"])
    for round in 1...2_500 {
      let line = Int(random.next() % UInt64(lines.count))
      switch random.next() % 8 {
      case 0: lines.insert("", at: line)
      case 1 where lines.count > 20: lines.remove(at: line)
      case 2: lines[line] = String(lines[line].dropLast())
      default: lines[line] += ["a", " ", "é", "日"][Int(random.next() % 4)]
      }
      undo.append("[\(line),\(round % 3)]")
      if undo.count > 50 { undo.removeFirst() }
      var changes: [(store: String, text: String?)] = [("text", state(line))]
      if random.next() % 10 == 0 { changes.append(("other", "\(round)")) }
      try session.step(changes)
    }
    try session.expectSame()
    // 2,500 states of about 3 KB each. Whole, they have 8 MB.
    #expect(session.states.byteCount < 1_000_000)
  }

  @Test("a snapshot stays as it is while its fork goes on")
  func snapshot() throws {
    var session = try Session(["a": "[1,2,3,4,5,6,7,8,9,10]"])
    try session.step([("a", "[1,2,3,4,5,6,7,8,9,11]")])
    let snapshot = session
    try session.step([("a", "[1,2,3,4,5,6,7,8,9,12]")])
    try snapshot.expectSame()
    try session.expectSame()
  }

  @Test("a rejected step of a fork asks for no effects, even if the app answers some")
  func rejected() throws {
    var replayed = ReplayedStep(
      number: 1, time: LogTime(microseconds: 0),
      outcome: .rejected(LogRejection(reason: "refused", message: "no")), effects: ["save"])
    replayed.storeEffects = [StoreEffects(store: "a", names: ["save", "-load"])]
    let step = ForkStep(replayed, action: try JSON.parse(#"{"type":"add"}"#))
    #expect(step.effects.isEmpty)
    #expect(step.storeEffects.isEmpty)
  }
}
