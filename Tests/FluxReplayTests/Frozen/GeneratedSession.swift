import FluxJSON
import Foundation
import TestFixtures

@testable import FluxLog
@testable import FluxReplay

/// A random session of an app with random damage, and the app of later with random faults.
struct GeneratedSession {
  /// The bytes of the log.
  private(set) var log: [UInt8] = []
  /// The app that replays the log.
  private(set) var app = GeneratedApp()
  private(set) var options = Verification.Options(environment: [:])
  /// The number of lines that may be steps.
  private(set) var stepCount = 0
  private var random: SeededGenerator

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    try record()
    chooseApp()
    chooseOptions()
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

  // MARK: The app and the settings

  private mutating func chooseApp() {
    let last = UInt64(max(stepCount, 1))
    // Several kinds of reasons need a state that differs and that later steps read.
    let kinds = GeneratedApp.Fault.Kind.allCases + [.value, .factor, .factor, .drift, .member]
    for _ in 0..<below(3) {
      app.faults.append(
        .init(
          kind: kinds[below(kinds.count)], first: UInt64(below(Int(last))) + 1, isOnce: chance(2)))
    }
    switch below(12) {
    case 0: app.start = .unfit
    case 1, 2: app.start = .unfitToken
    case 3: app.start = .dropsMember
    default: break
    }
    switch below(14) {
    case 0:
      app.description.storeAliases = ["cart": "basket"]
      app.description.stores[0].name = "basket"
    case 1: app.description.upcastStores = ["list"]
    case 2:
      app.description.droppedStores = ["list"]
      app.description.stores.remove(at: 1)
    case 3: app.description.droppedActions = [["app/secret", "app/fetch", "app/stamp"][below(3)]]
    case 4: app.description.stores.append(.init(name: "later"))
    case 5: app.description.actionTypes = ["app/add", "app/set"]
    case 6: app.description.tells = []
    case 7: app.description.reducers = .plain
    case 8: app.description.circumstances = ["locale": "de", "flag": true]
    default: break
    }
    // Rare, because replay waits for another second of the clock.
    app.hasEnvironments = chance(90)
    if app.hasEnvironments {
      app.faults = [.init(kind: chance(2) ? .environment : .alternates, first: 1, isOnce: false)]
    }
  }

  private mutating func chooseOptions() {
    options.stopsAtFirst = chance(3)
    options.batchSize = [1, 3, 512][below(3)]
    options.runsTwice = chance(5)
    if chance(6) {
      let first = below(max(stepCount, 1))
      options.range = first..<first + below(20)
    }
    if chance(6) { options.ignoring = [.init(pointer: "/*/at"), .init(pointer: "/cart/count")] }
    if chance(6) { options.tolerance = 0.5 }
    if chance(4) { options.initial = .ignore }
    if chance(4) { options.messages = .ignore }
    options.now = LogInstant(microseconds: 1_800_000_000_000_000)
  }

  // MARK: The log

  private mutating func record() throws {
    let writesEffects = chance(2)
    let isRedacted = chance(2)
    let created = LogInstant(microseconds: 1_763_640_000_000_000)
    let seed: UInt64 = 0x59b5
    let honest = GeneratedApp()
    var states = GeneratedApp.stores.reduce(into: [:]) { $0[$1] = GeneratedApp.initial($1) }
    if chance(10) { states["cart"] = ["count": 5, "text": "saved"] }
    func begin(at next: UInt64, _ time: UInt64) throws -> GeneratedApp.Session {
      try GeneratedApp.Session(
        honest,
        SessionStart(
          mode: .simulate, seed: seed, created: created,
          states: StoreDictionary(states.map { ($0, JSON(object: $1)) }, uniquingKeysWith: { $1 }),
          next: next, time: LogTime(microseconds: time)))
    }
    var session = try begin(at: 1, 0)
    var writer = SessionWriter(
      hasSums: chance(2), isRedacted: isRedacted, writesEffects: writesEffects,
      writesWholeStates: chance(4))
    writer.writeHeader(
      created: created, seed: chance(20) ? nil : seed, circumstances: chance(3),
      initial: states)
    /// The states after each step.
    var history = [states]
    var time: UInt64 = 0
    var next: UInt64 = 1
    var started: [UInt64] = []
    for _ in 0..<(chance(6) ? 60 : 4 + below(24)) {
      time += UInt64(below(9_000))
      switch below(40) {
      case 0:
        // A recorder that pauses: the steps have no lines.
        let actions = (0..<below(3)).map { _ in action(at: time) }
        let steps = try session.dispatch(actions)
        writer.writeGap(
          from: next, count: steps.count, why: ["paused", "filtered", "dropped"][below(3)])
        next += UInt64(steps.count)
        states = session.current
        history += steps.map { _ in states }
      case 1:
        // An app that goes back to an earlier model.
        let place = below(history.count)
        states = history[place]
        session = try begin(at: next, time)
        writer.writeRestored(before: next, step: chance(8) ? nil : place, history[place])
      case 2:
        writer.writeRejection(next, action(at: time), chance(2) ? "intercepted" : "skipped")
        // The session counts the step as well.
        next += 1
        session = try begin(at: next, time)
        history.append(states)
      case 3: writer.write(#""mark":"here","t":\#(LogTime(microseconds: time))"#)
      default:
        let action = action(at: time)
        for step in try session.dispatch([action]) {
          var origin = SessionWriter.Origin(cause: step.cause, target: step.target ?? action.target)
          if step.cause == nil, let start = started.last, chance(2) {
            origin.cause = start
            origin.effect = "fetch"
          } else if step.cause == nil, next > 1, chance(20) {
            origin.cause = next - 1
            origin.from = "observer"
          }
          if !step.effects.isEmpty { started.append(step.number) }
          for change in step.changes {
            states[change.store] = change.state.map { state in
              Dictionary(uniqueKeysWithValues: state.members.map { ($0.name, $0.value) })
            }
          }
          writer.write(
            step, action: step.action ?? action.action, origin, states, leavesOut: chance(25))
          next = step.number + 1
          history.append(states)
        }
      }
    }
    if !chance(8) { writer.writeEnd(isContinued: chance(8)) }
    stepCount = writer.stepCount
    log = damaged(writer.lines)
  }

  private mutating func action(at time: UInt64) -> ReplayAction {
    var action = ReplayAction(time: LogTime(microseconds: time), action: body())
    if chance(8) { action.target = GeneratedApp.stores[below(3)] }
    if action.action["type"] == "app/secret" {
      action.secrets = ["secret-\(1_000 + below(4))"]
    }
    return action
  }

  private mutating func body(depth: Int = 0) -> JSON {
    var payload: [String: JSON] = [:]
    payload["store"] = JSON(stringLiteral: GeneratedApp.stores[chance(3) ? 2 : below(2)])
    let type: String
    switch below(depth == 0 ? 16 : 9) {
    case 0..<2:
      type = "set"
      payload["member"] = JSON(stringLiteral: ["a", "b", "text"][below(3)])
      payload["value"] = [1, true, "é", "text", ["x": 1], [1, 2, 3], .null][below(7)]
    case 2..<6:
      type = "add"
      payload["amount"] = JSON(integerLiteral: Int64(below(12)))
    case 6: type = "stamp"
    case 7: type = "refuse"
    case 8: type = "open"
    case 9: type = "close"
    case 10:
      type = "chain"
      payload["actions"] = JSON(writing: {
        [actions = (0...below(3)).map { _ in body(depth: 1) }] writer in
        writer.beginArray()
        for action in actions { writer.raw(action) }
        writer.endArray()
      })
    case 11:
      type = "fetch"
      if chance(2) { payload["again"] = true }
    case 12: type = "secret"
    case 13:
      type = "pay"
      payload["card"] = JSON(stringLiteral: "secret-\(1_010 + below(4))")
    case 14: type = "unknown"
    default: type = "set"
    }
    return ["type": JSON(stringLiteral: "app/\(type)"), "payload": JSON(object: payload)]
  }

  /// Joins the lines, of which some may be damaged.
  private mutating func damaged(_ lines: [String]) -> [UInt8] {
    var lines = lines.map { Array($0.utf8) }
    if chance(8), lines.count > 2 {
      let place = 1 + below(lines.count - 1)
      switch below(4) {
      case 0: lines[place][below(lines[place].count)] ^= 1
      case 1: lines.remove(at: place)
      case 2: lines.insert(lines[place], at: place)
      default: lines[place] = Array(#"{"later":{"version":2}}"#.utf8)
      }
    }
    var bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
    if chance(12) { bytes.removeLast(1 + below(20)) }
    return bytes
  }
}

extension IgnoredPath {
  fileprivate init(pointer: String) {
    do {
      try self.init(pointer)
    } catch {
      preconditionFailure("\(pointer): \(error)")
    }
  }
}

/// Writes the lines of a generated session.
struct SessionWriter {
  /// The origin of a step.
  struct Origin {
    var cause: UInt64?
    var effect: String?
    var from: String?
    var target: String?
  }

  let hasSums: Bool
  let isRedacted: Bool
  let writesEffects: Bool
  let writesWholeStates: Bool
  private(set) var lines: [String] = []
  private(set) var stepCount = 0
  /// The last written states.
  private var written: [String: [String: JSON]] = [:]
  /// The stores that changed since they were written.
  private var unwritten: Set<String> = []
  private var awaitsModel = false

  init(hasSums: Bool, isRedacted: Bool, writesEffects: Bool, writesWholeStates: Bool) {
    (self.hasSums, self.isRedacted) = (hasSums, isRedacted)
    (self.writesEffects, self.writesWholeStates) = (writesEffects, writesWholeStates)
  }

  /// Writes a line with these members; in a redacted log, tokens replace secrets.
  mutating func write(_ members: String) {
    var line = "{" + members
    if isRedacted {
      line.replace(/"secret-([0-9]+)"/) { #""<redacted 000000000000\#($0.1)>""# }
    }
    if hasSums {
      let sum = String(CRC32C.checksum(Array(line.utf8)), radix: 16)
      line += #","sum":"\#(String(repeating: "0", count: 8 - sum.count))\#(sum)""#
    }
    lines.append(line + "}")
  }

  mutating func writeHeader(
    created: LogInstant, seed: UInt64?, circumstances: Bool, initial: [String: [String: JSON]]
  ) {
    written = initial
    var line = #""flux":"1.1","log":"generated","created":"\#(created)""#
    if let seed { line += #","seed":"000000000000\#(String(seed, radix: 16))""# }
    line += #","first":1"#
    if writesEffects { line += #","effects":true"# }
    line += #","app":{"name":"Generated"},"stores":{"#
    line +=
      GeneratedApp.stores.map { store in
        #""\#(store)":{"type":"S""# + (store == "search" ? #","feature":true"# : "")
          + (initial[store].map { #","initial":\#(JSON(object: $0).text)"# } ?? "") + "}"
      }.joined(separator: ",") + "}"
    if isRedacted { line += #","redacted":["/cart/card","/list/token"]"# }
    if circumstances { line += #","circumstances":{"flag":true,"locale":"en"}"# }
    write(line)
  }

  mutating func write(
    _ step: ReplayedStep, action: JSON, _ origin: Origin, _ states: [String: [String: JSON]],
    leavesOut: Bool
  ) {
    stepCount += 1
    var line = #""n":\#(step.number),"t":\#(step.time),"action":\#(action.text)"#
    if let target = origin.target { line += #","target":"\#(target)""# }
    if let cause = origin.cause { line += #","cause":\#(cause)"# }
    if let effect = origin.effect { line += #","effect":"\#(effect)""# }
    if let from = origin.from { line += #","from":"\#(from)""# }
    if writesEffects, let effects = step.storeEffects {
      let names = effects.map { effects in
        #""\#(effects.store)":[\#(effects.names.map { #""\#($0)""# }.joined(separator: ","))]"#
      }
      line += #","effects":{\#(names.joined(separator: ","))}"#
    }
    if case .rejected(let rejection) = step.outcome {
      line += #","rejected":\#(rejection.json.text)"#
    } else {
      line += changes(of: step, states, leavesOut: leavesOut)
    }
    if action["type"] == "app/secret",
      let token = states["list"]?["token"] ?? states["cart"]?["token"],
      token.string?.hasPrefix("secret") == true
    {
      line += #","secrets":[\#(token.text)]"#
    }
    write(line)
  }

  private mutating func changes(
    of step: ReplayedStep, _ states: [String: [String: JSON]], leavesOut: Bool
  ) -> String {
    var (whole, patches, removed, left): ([String], [String], [String], [String]) = ([], [], [], [])
    for store in GeneratedApp.stores {
      let hasChanged = step.changes.contains { $0.store == store }
      guard awaitsModel || hasChanged else { continue }
      guard let state = states[store] else {
        if !awaitsModel { removed.append(#""\#(store)""#) }
        written[store] = nil
        continue
      }
      if leavesOut, !awaitsModel, store != "search" {
        left.append(#""\#(store)""#)
        continue
      }
      if let last = written[store], !awaitsModel, !writesWholeStates {
        patches.append(#""\#(store)":\#(Self.patch(from: last, to: state))"#)
      } else {
        whole.append(#""\#(store)":\#(JSON(object: state).text)"#)
      }
      written[store] = state
    }
    awaitsModel = false
    func member(_ name: String, _ open: String, _ values: [String], _ close: String) -> String {
      values.isEmpty ? "" : #","\#(name)":\#(open)\#(values.joined(separator: ","))\#(close)"#
    }
    return member("states", "{", whole, "}") + member("patches", "{", patches, "}")
      + member("removed", "[", removed, "]") + member("unwritten", "[", left, "]")
  }

  private static func patch(from old: [String: JSON], to new: [String: JSON]) -> String {
    var operations: [String] = []
    for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
      let head = #""path":"/\#(name)""#
      if let value = new[name] {
        operations.append(
          #"{"op":"\#(old[name] == nil ? "add" : "replace")",\#(head),"value":\#(value.text)}"#)
      } else {
        operations.append(#"{"op":"remove",\#(head)}"#)
      }
    }
    return "[\(operations.joined(separator: ","))]"
  }

  mutating func writeRejection(_ number: UInt64, _ action: ReplayAction, _ reason: String) {
    stepCount += 1
    write(
      #""n":\#(number),"t":\#(action.time),"action":\#(action.action.text),"#
        + #""rejected":{"reason":"\#(reason)","message":"not now"}"#)
  }

  mutating func writeGap(from first: UInt64, count: Int, why: String) {
    write(#""gap":{"from":\#(first),"to":\#(first + UInt64(count) - 1),"why":"\#(why)"}"#)
    awaitsModel = true
  }

  mutating func writeRestored(before number: UInt64, step: Int?, _ states: [String: [String: JSON]])
  {
    let gap = #""from":\#(number),"to":\#(number - 1),"why":"restored""#
    if let step {
      write(#""gap":{\#(gap),"step":\#(step)}"#)
    } else {
      let members = GeneratedApp.stores.compactMap { store in
        states[store].map { #""\#(store)":\#(JSON(object: $0).text)"# }
      }
      write(#""gap":{\#(gap)},"states":{\#(members.joined(separator: ","))}"#)
    }
    awaitsModel = true
  }

  mutating func writeEnd(isContinued: Bool) {
    write(#""end":{"steps":\#(stepCount),"ok":true\#(isContinued ? #","continued":true"# : "")}"#)
  }
}
