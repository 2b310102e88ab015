import FluxJSON
import TestFixtures

@testable import FluxLog

/// A log as a list of lines, from which lines can be left out.
///
/// Step numbers follow from the places of the lines. States are flat objects, kept as JSON text by member.
struct ModelLog {
  typealias State = [String: String]

  enum Write {
    case whole(State)
    case patch([Operation])
    case removal
    case unwritten
  }

  enum Operation {
    case add(String, String)
    case replace(String, String)
    case remove(String)
    case copy(String, from: String)
    /// Inserts a text at the start of a string.
    case prepend(String, to: String)
  }

  /// The model after a restoring gap.
  enum Restored {
    /// The model after a step, by its number.
    case step(Int)
    case states([String: State])
    case nothing
  }

  enum Line {
    case step([String: Write], type: String)
    case rejection
    /// A gap with so many missing steps.
    case gap(LogGap.Why, missing: Int)
    case restored(Restored)
    /// A step whose line is damaged.
    case damage
    /// A step whose line is missing.
    case loss
    case mark
    case unknown
  }

  var stores: [Store]
  var lines: [Line]
  var hasSums: Bool

  struct Store {
    var name: String
    var initial: State?
  }

  /// The text of the file.
  var text: [UInt8] {
    var text: [UInt8] = []
    func add(_ members: String, isSound: Bool = true) {
      var line = Array("{\(members)".utf8)
      if hasSums {
        let sum = String(CRC32C.checksum(line) ^ (isSound ? 0 : 1), radix: 16)
        line += Array(#","sum":"\#(String(repeating: "0", count: 8 - sum.count))\#(sum)""#.utf8)
      } else if !isSound {
        line += Array(",".utf8)
      }
      text += line + Array("}\n".utf8)
    }
    let declared = stores.map { store in
      #""\#(store.name)":{"type":"State"\#(store.initial.map { #","initial":\#($0.json)"# } ?? #","feature":true"#)}"#
    }
    add(#""flux":"1.1","log":"model","first":1,"stores":{\#(declared.joined(separator: ","))}"#)
    var number = 1
    for line in lines {
      switch line {
      case .step(let writes, let type):
        add(#"\#(Self.opening(number, type))\#(Self.members(writes))"#)
        number += 1
      case .rejection:
        add(
          Self.opening(number, "app/refused") + #","rejected":{"reason":"refused","message":"no"}"#)
        number += 1
      case .gap(let why, let missing):
        add(#""gap":{"from":\#(number),"to":\#(number + missing - 1),"why":"\#(why)"}"#)
        number += missing
      case .restored(let model):
        let gap = #""from":\#(number),"to":\#(number - 1),"why":"restored""#
        switch model {
        case .step(let step): add(#""gap":{\#(gap),"step":\#(step)}"#)
        case .states(let states):
          let members = states.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value.json)"# }
          add(#""gap":{\#(gap)},"states":{\#(members.joined(separator: ","))}"#)
        case .nothing: add(#""gap":{\#(gap)}"#)
        }
      case .damage:
        add(Self.opening(number, "app/damaged"), isSound: false)
        number += 1
      case .loss: number += 1
      case .mark: add(#""mark":"here","t":0.000001"#)
      case .unknown: add(#""later":{"version":2}"#)
      }
    }
    return text
  }

  private static func opening(_ number: Int, _ type: String) -> String {
    let payload =
      type == "batch" ? #","payload":{"actions":[{"type":"app/a"},{"type":"app/b"}]}"# : ""
    return #""n":\#(number),"t":1.000000,"action":{"type":"\#(type)"\#(payload)}"#
  }

  private static func members(_ writes: [String: Write]) -> String {
    var (states, patches, removed, unwritten): ([String], [String], [String], [String]) = (
      [], [], [], []
    )
    for (store, write) in writes.sorted(by: { $0.key < $1.key }) {
      switch write {
      case .whole(let state): states.append(#""\#(store)":\#(state.json)"#)
      case .patch(let operations):
        patches.append(#""\#(store)":[\#(operations.map(\.json).joined(separator: ","))]"#)
      case .removal: removed.append(#""\#(store)""#)
      case .unwritten: unwritten.append(#""\#(store)""#)
      }
    }
    func member(_ name: String, _ open: String, _ values: [String], _ close: String) -> String {
      values.isEmpty ? "" : #","\#(name)":\#(open)\#(values.joined(separator: ","))\#(close)"#
    }
    return member("states", "{", states, "}") + member("patches", "{", patches, "}")
      + member("removed", "[", removed, "]") + member("unwritten", "[", unwritten, "]")
  }
}

extension ModelLog.State {
  /// The state as a recorder writes it.
  var json: String {
    "{" + sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
      + "}"
  }
}

extension ModelLog.Operation {
  var json: String {
    switch self {
    case .add(let member, let value): #"{"op":"add","path":"/\#(member)","value":\#(value)}"#
    case .replace(let member, let value):
      #"{"op":"replace","path":"/\#(member)","value":\#(value)}"#
    case .remove(let member): #"{"op":"remove","path":"/\#(member)"}"#
    case .copy(let member, let from): #"{"op":"copy","from":"/\#(from)","path":"/\#(member)"}"#
    case .prepend(let text, let member):
      #"{"op":"splice","path":"/\#(member)","at":0,"del":0,"ins":"\#(text)"}"#
    }
  }
}

// MARK: Generating

extension ModelLog {
  private static let members = ["a", "b", "count", "text"]

  /// Generates a log; each generator has its own mix of lines.
  static func random(_ random: inout SeededGenerator) -> ModelLog {
    var stores = [
      Store(name: "cart", initial: state(&random)), Store(name: "list", initial: state(&random)),
    ]
    stores.append(
      Store(name: "search", initial: Bool.random(using: &random) ? state(&random) : nil))
    // Long runs of patches are read in another way.
    let isCalm = Int.random(in: 0..<3, using: &random) == 0
    let count =
      isCalm ? Int.random(in: 80..<160, using: &random) : Int.random(in: 1..<40, using: &random)
    var log = ModelLog(
      stores: stores, lines: [], hasSums: Int.random(in: 0..<4, using: &random) != 0)
    // Mostly what a recorder writes: patches that apply, and whole states after a gap.
    var model = ReferenceModel(log)
    for _ in 0..<count {
      let line = Self.line(after: model, isCalm: isCalm, &random)
      model.read(line)
      log.lines.append(line)
    }
    return log
  }

  private static func line(
    after model: ReferenceModel, isCalm: Bool, _ random: inout SeededGenerator
  ) -> Line {
    let draw = Int.random(in: 0..<(isCalm ? 2_000 : 100), using: &random)
    switch draw {
    case 0..<3: return .damage
    case 3..<5: return .loss
    case 5..<7: return .gap(.damaged, missing: Int.random(in: 0..<3, using: &random))
    case 7..<9: return .gap(.imported, missing: Int.random(in: 0..<2, using: &random))
    case 9..<15:
      let why: [LogGap.Why] = [.paused, .filtered, .dropped, .other("later")]
      return .gap(why[draw % 4], missing: Int.random(in: 0..<3, using: &random))
    case 15..<21: return .restored(.step(Int.random(in: 0...model.number, using: &random)))
    case 21..<23:
      let stores = model.stores.filter { _ in Int.random(in: 0..<3, using: &random) != 0 }
      return .restored(
        .states(Dictionary(uniqueKeysWithValues: stores.map { ($0, state(&random)) })))
    case 23: return .restored(.nothing)
    case 24: return .mark
    case 25: return .unknown
    case 26..<38: return .rejection
    default: return step(after: model, isCalm: isCalm, &random)
    }
  }

  private static func step(
    after model: ReferenceModel, isCalm: Bool, _ random: inout SeededGenerator
  ) -> Line {
    var writes: [String: Write] = [:]
    for store in model.stores {
      guard model.awaitsWholeModel || Int.random(in: 0..<2, using: &random) == 0 else { continue }
      switch Int.random(in: 0..<(isCalm ? 400 : 20), using: &random) {
      case 0: writes[store] = .removal
      case 1..<3: writes[store] = .unwritten
      case 3..<7: writes[store] = .whole(state(&random))
      case 7: break
      case 8: writes[store] = .patch([operation(on: [:], &random)])
      default:
        guard !model.awaitsWholeModel, case .value(let state)? = model.written[store] else {
          writes[store] = .whole(Self.state(&random))
          continue
        }
        let count = Int.random(in: 0..<4, using: &random) == 0 ? 3 : 1
        writes[store] = .patch((0..<count).map { _ in operation(on: state, &random) })
      }
    }
    return .step(writes, type: Int.random(in: 0..<8, using: &random) == 0 ? "batch" : "app/change")
  }

  private static func operation(on state: State, _ random: inout SeededGenerator) -> Operation {
    let member = state.keys.sorted().randomElement(using: &random) ?? "a"
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .add(members.randomElement(using: &random) ?? "a", value(&random))
    case 1 where state.count > 1: return .remove(member)
    case 2: return .copy(members.randomElement(using: &random) ?? "a", from: member)
    case 3 where state["text"] != nil: return .prepend("x", to: "text")
    default:
      return member == "text" ? .replace(member, text(&random)) : .replace(member, value(&random))
    }
  }

  private static func state(_ random: inout SeededGenerator) -> State {
    var state: State = ["text": text(&random)]
    for member in members.dropLast() where Bool.random(using: &random) {
      state[member] = value(&random)
    }
    return state
  }

  private static func value(_ random: inout SeededGenerator) -> String {
    let values = ["null", "true", "-7", "1.50", "[]", #"{"x":1}"#, #""é""#, "12345678901234567890"]
    return Int.random(in: 0..<3, using: &random) == 0
      ? values.randomElement(using: &random) ?? "0" : "\(Int.random(in: 0..<1_000, using: &random))"
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    #""\#(String(repeating: "t", count: Int.random(in: 0..<40, using: &random)))""#
  }
}
