import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxExchange
@testable import FluxInspector

/// An export for Redux DevTools comes back as the same log.
@Suite struct ReduxRoundTripTests {
  @Test("Random logs come back with their steps, states, marks and gaps", arguments: 0..<40)
  func random(_ round: Int) throws {
    var random = RandomJSON(round)
    let lines = RandomSession.lines(&random)
    let comment: Comment = "seed \(SeededGenerator.seed), round \(round)"
    let (old, new, export) = try roundTrip(lines, comment)
    try expectSame(old, new, comment)
    let problems = try StatesByHand(export).problems(in: old)
    #expect(problems == [], comment)
  }

  @Test("A part of a log comes back with the states before it")
  func part() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(TodoLog.lines, world: world)
    #expect(try inspection.exitCode("export redux out 5..8") == 0)
    let run = try ImportRun(try #require(world.files["out"]).utf8, slices: true)
    #expect(run.subcommand.code == 0, "\(run.subcommand.diagnostics)")
    let (old, new) = (inspection.session.timeline, try run.timeline)
    #expect(new.log.header.first == 5)
    for position in 4..<8 {
      #expect(try new.model(at: position - 4).json == old.model(at: position).json)
      #expect(try new.step(at: position - 4).action == old.step(at: position).action)
    }
  }

  @Test(
    "A session that was imported as one store has its own root states again",
    arguments: [false, true])
  func root(_ slices: Bool) throws {
    let text = Lifted.text(
      ["ADD", "CLEAR", "BOOM", "ADD"].enumerated().map {
        Lifted.entry(#"{"type":"\#($1)"}"#, at: 10 * $0)
      },
      states: [
        #"{"state":{"count":0}}"#, #"{"state":{"count":1}}"#, "{}", #"{"error":"no"}"#,
        #"{"state":{"count":2}}"#,
      ])
    let imported = try ImportRun(text)
    let world = RecordedWorld()
    var inspection = try Inspection(try imported.lines, world: world)
    #expect(try inspection.exitCode("export redux out") == 0)
    let export = try JSON.parse(try #require(world.files["out"]))
    #expect(
      export["computedStates"]?.text
        == #"[{"state":{"count":0}},{"state":{"count":1}},{},{"error":"no"},{"state":{"count":2}}]"#
    )
    #expect(export["committedState"] == ["count": 0])
    #expect(export["currentStateIndex"] == 4)
    let again = try ImportRun(export.text, slices: slices)
    #expect(try again.lines == imported.lines)
    #expect(try again.lost == "[]")
  }

  @Test("As one store, a session has no state where a store's state is unknown")
  func unknownMember() throws {
    let header =
      #"{"flux":"1.1","log":"l","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"#
    let rejected =
      #"{"n":2,"t":2.000000,"action":{"type":"b"},"rejected":{"reason":"refused","message":"no"}}"#
    let world = RecordedWorld()
    var inspection = try Inspection(
      [
        header + #""stores":{"a":{"initial":0},"b":{"initial":0}}}"#,
        #"{"n":1,"t":1.000000,"action":{"type":"b"},"states":{"b":1},"unwritten":["a"]}"#, rejected,
        #"{"n":3,"t":3.000000,"action":{"type":"a"},"states":{"a":2}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ], world: world)
    #expect(try inspection.exitCode("export redux out") == 0)
    let run = try ImportRun(try #require(world.files["out"]).utf8)
    #expect(
      try run.lines == [
        header + #""stores":{"state":{"initial":{"a":0,"b":0}}}}"#,
        #"{"n":1,"t":1.000000,"action":{"type":"b"},"unwritten":["state"]}"#, rejected,
        #"{"n":3,"t":3.000000,"action":{"type":"a"},"states":{"state":{"a":2,"b":1}}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
    #expect(
      try run.lost
        == #"[{"what":"states that are not known","count":1,"first":"$.computedStates[1]"}]"#)
  }

  @Test("From the start of a session, the export shows the state that the DevTools showed")
  func shown() throws {
    let text = Lifted.text(
      [Lifted.entry(#"{"type":"A"}"#), Lifted.entry(#"{"type":"B"}"#)],
      states: (0..<3).map { #"{"state":\#($0)}"# }
    ).replacing(#""currentStateIndex":2"#, with: #""currentStateIndex":1"#)
    let world = RecordedWorld()
    var inspection = try Inspection(try ImportRun(text).lines, world: world)
    // The mark after step 1 is an action in the export.
    for (position, index, state) in [("start", 2, "1"), ("1", 1, "1"), ("end", 3, "2")] {
      _ = try inspection.exitCode("goto \(position)")
      #expect(try inspection.exitCode("export redux out --force") == 0)
      let export = try JSON.parse(try #require(world.files["out"]))
      #expect(export["currentStateIndex"]?.text == "\(index)", "\(position)")
      #expect(export["computedStates"]?[index]?["state"]?.text == state, "\(position)")
    }
  }

  /// Imports a session whose only action and state have a value, and exports the log.
  private func reexported(_ value: String) throws -> (run: ImportRun, export: JSON) {
    let text = Lifted.text(
      [Lifted.entry(#"{"type":"SET","value":\#(value)}"#)],
      states: [#"{"state":{"value":null}}"#, #"{"state":{"value":\#(value)}}"#])
    let run = try ImportRun(text)
    try #require(run.subcommand.code == 0, "\(run.subcommand.diagnostics)")
    let world = RecordedWorld()
    var inspection = try Inspection(try run.lines, world: world)
    try #require(try inspection.exitCode("export redux out") == 0)
    return (run, try JSON.parse(try #require(world.files["out"])))
  }

  @Test(
    "Imported values that JSON does not have are exported as they were",
    arguments: [
      #"{"$jsan":"d1709208000000"}"#, #"{"$jsan":"u"}"#, #"[{"$jsan":"n"},1]"#,
      #"{"$jsan":"m[[\"a\",1]]"}"#,
      // An object with such a member, which jsan escapes.
      #"{"$jsan":["u"]}"#, #"{"a":{"$jsan":"rig,ab+c"},"b":"$jsan"}"#,
      // Next to names that UTF-8 cannot represent.
      #"{"a":{"$jsan":"n"},"\ud800":1,"\udc00":2}"#,
    ])
  func tags(_ value: String) throws {
    let (run, export) = try reexported(value)
    #expect(export["actionsById"]?["1"]?["action"]?["value"]?.text == value)
    #expect(export["computedStates"]?[1]?["state"]?["value"]?.text == value)
    let again = try ImportRun(export.text, slices: true)
    #expect(try again.lines == run.lines)
  }

  @Test(
    "The reference implementation's values are exported as they were",
    .enabled(if: Corpora.isPresent))
  func referenceTags() throws {
    let file = Corpora.folder.appending(path: "redux-devtools/jsan-encodings.json")
    let encodings = try JSON.parse([UInt8](Data(contentsOf: file)))
    var count = 0
    for encoding in encodings.elements {
      let name = try #require(encoding["name"]?.string)
      // A value cannot be in itself in a log: an import cuts it, and says so.
      guard !name.contains("circular") else { continue }
      let value = try #require(encoding["encoded"]?.string)
      let (_, export) = try reexported(value)
      #expect(try export["actionsById"]?["1"]?["action"]?["value"] == JSON.parse(value), "\(name)")
      count += 1
    }
    #expect(count > 15)
  }

  /// Exports a log and imports it again; returns both, and the export.
  private func roundTrip(
    _ lines: [String], _ comment: Comment
  ) throws -> (Timeline, Timeline, JSON) {
    let world = RecordedWorld()
    var inspection = try Inspection(lines, world: world)
    try #require(try inspection.exitCode("export redux out") == 0, comment)
    let text = try #require(world.files["out"])
    let run = try ImportRun(text.utf8, slices: true)
    try #require(run.subcommand.code == 0, "\(run.subcommand.diagnostics) \(comment)")
    #expect(try run.lost == "[]", comment)
    return (inspection.session.timeline, try run.timeline, try JSON.parse(text))
  }

  private func expectSame(_ old: Timeline, _ new: Timeline, _ comment: Comment) throws {
    #expect(new.log.findings.filter { $0.problem.isDamage }.isEmpty, comment)
    #expect(new.log.header == old.log.header, comment)
    #expect(new.log.count == old.log.count, comment)
    #expect(new.log.gaps.map(\.gap) == old.log.gaps.map(\.gap), comment)
    #expect(new.log.gaps.map(\.position) == old.log.gaps.map(\.position), comment)
    #expect(new.log.marks.map(\.mark) == old.log.marks.map(\.mark), comment)
    #expect(new.log.marks.map(\.position) == old.log.marks.map(\.position), comment)
    #expect(new.log.end == old.log.end, comment)
    for position in -1..<old.log.count {
      #expect(try new.model(at: position) == old.model(at: position), "\(comment), \(position)")
      guard position >= 0 else { continue }
      var (before, after) = (try old.step(at: position), try new.step(at: position))
      #expect(after.unwritten == before.unwritten, comment)
      (before.states, before.patches, before.removed) = (nil, nil, [])
      (after.states, after.patches, after.removed) = (nil, nil, [])
      #expect(after == before, comment)
    }
  }
}

/// A reader of lifted state that knows nothing of the exporter: it follows the description of @redux-devtools/instrument.
private struct StatesByHand {
  private let lifted: JSON

  init(_ lifted: JSON) throws {
    self.lifted = lifted
  }

  /// A value with the values at the places that it refers to.
  private func resolved(_ value: JSON) -> JSON {
    if value.count == 1, let path = value["$jsan"]?.string, path.first == "$" {
      return resolved(at: path) ?? value
    }
    // Names with half of a surrogate pair would not survive.
    guard value.text.contains(#""$jsan":"$"#) else { return value }
    switch value.kind {
    case .object:
      return JSON(writing: { writer in
        writer.beginObject()
        for member in value.members { writer.member(member.name, resolved(member.value)) }
        writer.endObject()
      })
    case .array:
      return JSON(writing: { writer in
        writer.beginArray()
        for element in value.elements { writer.raw(resolved(element)) }
        writer.endArray()
      })
    default: return value
    }
  }

  private func resolved(at path: String) -> JSON? {
    let part = /\.(\w+)|\[(\d+)\]|\["([^"]+)"\]/.matchingSemantics(.unicodeScalar)
    let steps = path.matches(of: part)
    var found: JSON? = lifted
    for step in steps {
      if let index = step.2.flatMap({ Int($0) }) {
        found = found?[index]
      } else {
        found = found?[String(step.1 ?? step.3 ?? "")]
      }
    }
    return found.map(resolved)
  }

  /// The actions and states that differ from those of a log.
  func problems(in timeline: Timeline) throws -> [String] {
    var problems: [String] = []
    let staged = lifted["stagedActionIds"]?.elements.compactMap { $0.number?.int64 } ?? []
    let states = lifted["computedStates"]?.elements.map { $0 } ?? []
    if staged.count != states.count || staged.first != 0 { problems.append("the counts differ") }
    if lifted["nextActionId"]?.number?.int64 != Int64(staged.count) { problems.append("next id") }
    let skipped = Set(lifted["skippedActionIds"]?.elements.compactMap { $0.number?.int64 } ?? [])
    if lifted["committedState"] != states.first?["state"] { problems.append("committed state") }
    var position = 0
    for (id, state) in zip(staged, states).dropFirst() {
      let entry = lifted["actionsById"]?[String(id)]
      guard let action = entry?["action"], entry?["type"] == "PERFORM_ACTION",
        entry?["timestamp"]?.number?.int64 != nil
      else { return problems + ["no action \(id)"] }
      if entry?["flux"]?["mark"] != nil || entry?["flux"]?["gap"] != nil { continue }
      let step = try timeline.step(at: position)
      if try action.jsanUnescaped != step.action { problems.append("action \(id)") }
      if try state["state"].map(resolved)?.jsanUnescaped != timeline.model(at: position).json {
        problems.append("state \(id)")
      }
      let isRejected = state["error"] != nil || skipped.contains(id)
      if isRejected != (step.rejection != nil) { problems.append("error \(id)") }
      position += 1
    }
    if position != timeline.log.count { problems.append("\(position) steps") }
    return problems
  }
}

/// Logs of 1.1 with every kind of line and circumstance.
private enum RandomSession {
  static func lines(_ random: inout RandomJSON) -> [String] {
    var lines = [
      #"{"flux":"1.1","log":"abc","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":3,"effects":true,"app":{"name":"A"},"stores":{"a":{"type":"T","initial":\#(state(&random))},"b":{"initial":{"$jsan":"d1"}},"f":{"feature":true}}}"#
    ]
    var (number, count): (UInt64, Int) = (3, 0)
    var (time, isWhole, present, hidden) = (0, false, Set(["a", "b"]), Set<String>())
    var accepted: [UInt64] = []
    for _ in 0..<random.below(40) {
      time += random.below(1_500_000)
      let t = LogTime(microseconds: UInt64(time)).description
      switch random.below(12) {
      case 0: lines.append(#"{"mark":"\#(random.text(4))","t":\#(t)}"#)
      case 1:
        let count = UInt64(random.below(3)) + 1
        let why = ["paused", "filtered", "dropped", "damaged", "imported"][random.below(5)]
        lines.append(#"{"gap":{"from":\#(number),"to":\#(number + count - 1),"why":"\#(why)"}}"#)
        number += count
        isWhole = !["damaged", "imported"].contains(why)
        if !isWhole { hidden = ["a", "b", "f"] }
        accepted = []
      case 2:
        let model =
          accepted.isEmpty || random.chance(2)
          ? #"}"# : #","step":\#(accepted[random.below(accepted.count)])}"#
        let states = model == "}" ? #","states":{"a":\#(state(&random))}"# : ""
        lines.append(
          #"{"gap":{"from":\#(number),"to":\#(number - 1),"why":"restored"\#(model)\#(states)}"#)
        (isWhole, hidden) = (true, [])
      default:
        var line = #"{"n":\#(number),"t":\#(t),"action":\#(action(&random))"#
        if random.chance(4) { line += #","target":"a""# }
        if number > 3, random.chance(3) {
          line += #","cause":\#(number - 1)"#
          if random.chance(2) { line += #","effect":"save""# }
        }
        if random.chance(5) { line += #","at":"A/B.swift:\#(random.below(99))""# }
        if random.chance(5) { line += #","took":\#(random.below(999))"# }
        if random.chance(6), number > 3 {
          line +=
            #","rejected":{"reason":"\#(["refused", "skipped", "error", "interrupted"][random.below(4)])","message":"\#(random.text(3))"}"#
        } else {
          if random.chance(5) { line += #","effects":{"a":["save","-search"]}"# }
          line += changes(&random, isWhole, &present, &hidden)
          isWhole = false
          accepted.append(number)
        }
        if random.chance(5) { line += #","x":{"id":\#(random.below(9)),"stack":"e"}"# }
        lines.append(line + "}")
        number += 1
        count += 1
      }
    }
    if random.chance(2) { lines.append(#"{"end":{"steps":\#(count),"ok":\#(random.chance(2))}}"#) }
    return lines
  }

  /// A value on one line.
  private static func value(_ random: inout RandomJSON) -> String {
    let text = random.value(depth: 3)
    do {
      return try JSON.parse(text).description
    } catch {
      return "0"
    }
  }

  private static let long = String(repeating: "long ", count: 60)

  private static func state(_ random: inout RandomJSON) -> String {
    switch random.below(6) {
    case 0: #"{"$jsan":"$.a","k":[{"$jsan":["u"]}]}"#
    // Long enough for references.
    case 1:
      #"{"v":\#(value(&random)),"long":[\#(value(&random)),{"x y":["\#(long)"]},\#(value(&random))]}"#
    case 2: #"{"v":{"$jsan":"\#(long)"}}"#
    default: value(&random)
    }
  }

  private static func action(_ random: inout RandomJSON) -> String {
    let more = random.chance(3) ? #","text":\#(value(&random)),"$jsan":"u""# : ""
    let payload = random.chance(2) ? #","payload":\#(value(&random))"# : ""
    return #"{"type":"\#(["a/b", "@@flux/gap", "@@INIT"][random.below(3)])"\#(payload)\#(more)}"#
  }

  private static func changes(
    _ random: inout RandomJSON, _ isWhole: Bool, _ present: inout Set<String>,
    _ hidden: inout Set<String>
  ) -> String {
    var states: [String] = []
    var removed: [String] = []
    if isWhole {
      present = ["a"]
      hidden = []
      states.append(#""a":\#(state(&random))"#)
    }
    for store in ["a", "b", "f"] where !isWhole || store != "a" {
      switch random.below(4) {
      case 0:
        states.append(#""\#(store)":\#(state(&random))"#)
        present.insert(store)
        hidden.remove(store)
      case 1 where store == "f" && !isWhole && (present.contains("f") || hidden.contains("f")):
        removed.append(#""f""#)
        present.remove("f")
        hidden.remove("f")
      default: break
      }
    }
    return (states.isEmpty ? "" : #","states":{\#(states.joined(separator: ","))}"#)
      + (removed.isEmpty ? "" : #","removed":[\#(removed.joined(separator: ","))]"#)
  }
}
