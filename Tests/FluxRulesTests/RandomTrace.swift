import FluxLog
import TestFixtures

/// A random recording of a small app: the lines of its log, and what is known of each event.
struct RandomTrace {
  private(set) var lines: [String] = []
  private(set) var trace = NaiveTrace(events: [], isClosed: true)
  private var random: RandomJSON
  private var number: Int64 = 1
  private var time: Int64 = 0
  /// The real states.
  private var states: [String: Int] = ["s": 0]
  private var known: [String: NaiveState] = ["s": .value(0)]
  private var hasSums: Bool
  private var replacesModel = false
  private var isBeforeHidden = false
  /// `true` after a gap of an import, until another gap.
  private var isImported = false
  /// The number of the first step, until the events before it are there.
  private var start: Int64?
  private var initial: [String: NaiveState] = [:]
  /// The number of steps that are missing before the next one.
  private var missing: Int64 = 0

  static let types = ["a/x", "a/y", "b", "c"]

  init(_ random: RandomJSON, gaps: Bool) {
    self.random = random
    hasSums = self.random.chance(2)
    if gaps, self.random.chance(8) { number = Int64(self.random.below(2)) + 2 }
    begin()
    let count = self.random.below(12)
    for _ in 0..<count {
      if gaps, self.random.chance(9) { addGap() }
      addStep(gaps: gaps)
    }
    if gaps, self.random.chance(12) { addGap() }
    let ending = self.random.below(5)
    var stated = count
    if gaps, self.random.chance(6) {
      // A damaged line at the end, or steps that only the end line counts.
      let isDamaged = ending == 0 || self.random.chance(2)
      if isDamaged { lines.append(#"{"n":\#(number),"t":"#) }
      stated += 1
      missing += 1
      number += 1
    }
    addMissing(until: nil)
    var next = trace.events.last { !$0.isMissing }?.number ?? 0
    for place in trace.events.indices.reversed() {
      if !trace.events[place].isMissing { next = trace.events[place].number }
      trace.events[place].reported = next
    }
    switch ending {
    case 0: trace.isClosed = false
    case 1:
      trace.isClosed = false
      add(#"{"end":{"steps":\#(stated),"ok":true,"continued":true}"#)
    default: add(#"{"end":{"steps":\#(stated),"ok":true}"#)
    }
  }

  /// The text of the log.
  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ line: String) {
    lines.append(hasSums ? "\(line),\"sum\":\"\(Self.sum(line))\"}" : line + "}")
  }

  private mutating func begin() {
    if random.chance(2) { states["f"] = random.below(4) }
    states["s"] = random.below(4)
    learn(["s", "f"])
    let feature = states["f"].map { #","initial":{"v":\#($0)}"# } ?? ""
    add(
      #"{"flux":"1.1","first":\#(number),"stores":{"s":{"initial":{"v":\#(states["s"] ?? 0)}},"f":{"feature":true\#(feature)}}"#
    )
    start = number
    initial = known
  }

  private mutating func learn(_ stores: [String]) {
    for store in stores { known[store] = states[store].map { .value($0) } ?? .absent }
  }

  private mutating func addGap() {
    if random.chance(3) { return addImportedGap() }
    isImported = false
    let count = Int64(random.below(2)) + 1
    add(#"{"gap":{"from":\#(number),"to":\#(number + count - 1),"why":"paused"}"#)
    missing += count
    number += count
    known = ["s": .hidden, "f": .hidden]
    replacesModel = true
    isBeforeHidden = true
    // The app went on without being recorded.
    states["s"] = random.below(5)
    states["f"] = random.chance(2) ? nil : random.below(5)
  }

  /// Adds a gap after which a store is unknown until it is written whole.
  private mutating func addImportedGap() {
    add(#"{"gap":{"from":\#(number),"to":\#(number - 1),"why":"imported"}"#)
    known = ["s": .hidden, "f": .hidden]
    (replacesModel, isBeforeHidden, isImported) = (false, true, true)
  }

  /// Adds the missing steps, and the start; their times end at that of the next step.
  private mutating func addMissing(until end: Int64?) {
    let last = end ?? 1 << 50
    let times = last == time ? [time] : [time, last]
    if let first = start {
      start = nil
      if first > 1 {
        let hidden: [String: NaiveState] = ["s": .hidden, "f": .hidden]
        trace.events.append(NaiveEvent(isMissing: true, number: 0, times: times, states: hidden))
      }
      for number in 1..<max(1, first - 1) {
        trace.events.append(NaiveEvent(isMissing: true, number: number, times: times))
      }
      trace.events.append(
        NaiveEvent(
          hidesAction: first > 1, number: first - 1, times: first > 1 ? times : [0], states: initial
        ))
    }
    for offset in 0..<missing {
      trace.events.append(
        NaiveEvent(isMissing: true, number: number - missing + offset, times: times))
    }
    missing = 0
  }

  private mutating func addStep(gaps: Bool) {
    let type = Self.types[random.below(Self.types.count)]
    let payload = random.below(4)
    let next = time + Int64([0, 0, 100_000, 1_000_000][random.below(4)])
    addMissing(until: next)
    time = next
    let isRejected = random.chance(5)
    let before = known
    var written: Set<String> = []
    var members = ""
    if !isRejected {
      (members, written) = replacesModel ? whole() : changes(gaps: gaps)
    } else {
      members = #","rejected":{"reason":"no","message":"no"}"#
    }
    let t = LogTime(microseconds: UInt64(time))
    add(
      #"{"n":\#(number),"t":\#(t),"action":{"type":"\#(type)","payload":\#(payload)}\#(members)"#)
    trace.events.append(
      NaiveEvent(
        type: type, payload: payload, isRejected: isRejected, number: number, times: [time],
        states: known, before: before, isBeforeHidden: isBeforeHidden, written: written,
        unrecorded: isImported && !isRejected
          ? Set(["s", "f"].filter { known[$0] == .hidden && !written.contains($0) }) : []))
    if !isRejected || isImported { isBeforeHidden = false }
    number += 1
  }

  private mutating func whole() -> (String, Set<String>) {
    replacesModel = false
    learn(["s", "f"])
    let members = ["f", "s"].compactMap { store in
      states[store].map { #""\#(store)":{"v":\#($0)}"# }
    }
    return (#","states":{\#(members.joined(separator: ","))}"#, Set(states.keys))
  }

  private mutating func changes(gaps: Bool) -> (String, Set<String>) {
    let store = random.chance(3) ? "f" : "s"
    let value = random.below(5)
    switch random.below(6) {
    case 0: return ("", [])
    case 1 where store == "f" && states["f"] != nil:
      states["f"] = nil
      known["f"] = .absent
      return (#","removed":["f"]"#, ["f"])
    case 2 where gaps && states[store] != nil && known[store] != .hidden:
      states[store] = value
      known[store] = .unwritten
      return (#","unwritten":["\#(store)"]"#, [store])
    case 3, 4:
      // A patch replaces the value, so it fits whatever state was written last.
      guard states[store] != nil, known[store] != .hidden else { fallthrough }
      states[store] = value
      known[store] = .value(value)
      return (
        #","patches":{"\#(store)":[{"op":"replace","path":"/v","value":\#(value)}]}"#, [store]
      )
    default:
      states[store] = value
      known[store] = .value(value)
      return (#","states":{"\#(store)":{"v":\#(value)}}"#, [store])
    }
  }

  /// The CRC-32C of a line as eight hex digits, bit by bit.
  private static func sum(_ line: String) -> String {
    var sum = UInt32.max
    for byte in line.utf8 {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
    }
    let digits = String(~sum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
