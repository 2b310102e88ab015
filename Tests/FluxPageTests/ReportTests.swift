import FluxInspector
import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxPage

@Suite struct ReportTests {
  @Test("a report has the same bytes each time", arguments: PageFixture.names)
  func deterministic(_ name: String) throws {
    let first = try ReportBuilder(try PageFixture.log(name)).build()
    let second = try ReportBuilder(try PageFixture.log(name)).build()
    #expect(first == second)
  }

  @Test("the states of a report are those of the timeline", arguments: PageFixture.names)
  func states(_ name: String) throws {
    let log = try PageFixture.log(name)
    try compare(log, try ReportBuilder(log).build())
  }

  @Test("the states of a part are those of the timeline", arguments: PageFixture.names)
  func parts(_ name: String) throws {
    let log = try PageFixture.log(name)
    let count = log.log.count
    for first in stride(from: 0, to: count, by: max(1, count / 9)) {
      guard let from = log.log.number(at: first),
        let through = log.log.number(at: min(first + 3, count - 1))
      else { continue }
      var options = ReportBuilder.Options()
      options.range = PositionRange(from: .step(from), through: .step(through))
      try compare(log, try ReportBuilder(log, options: options).build())
    }
  }

  @Test("a report of a range opens only at a step that it contains, or at the state before it")
  func outside() throws {
    let log = try PageFixture.log("todomvc.jsonl")
    var options = ReportBuilder.Options()
    options.range = PositionRange(from: .step(5), through: .step(10))
    for step: UInt64 in [4, 5, 10] {
      options.step = step
      _ = try ReportBuilder(log, options: options).build()
    }
    for step: UInt64 in [3, 11, 20] {
      options.step = step
      let error = #expect(throws: CommandError.self) {
        try ReportBuilder(log, options: options).build()
      }
      #expect(
        error?.message == "the report has no step \(step) to open: its range is 5 to 10")
    }
  }

  @Test("a report that gets too large has the steps around the end")
  func largest() throws {
    let log = try PageFixture.log("todomvc.jsonl")
    var options = ReportBuilder.Options()
    let pageSize = try ReportBuilder(try PageFixture.log("counter.jsonl")).build().count
    options.largestSize = pageSize + 1500
    let report = try ReportData(try ReportBuilder(log, options: options).build())
    let info = try #require(report.header["info"])
    #expect(info["report"]?["to"]?.text == info["rows"]?.text)
    #expect(
      info["report"]?["left"]?.string?.hasSuffix("0 steps after this part are not in this report")
        == true)
    #expect(report.lines.count < log.log.count)
  }

  @Test("a report of a part has the steps around the one to open", arguments: [0, 1, 25])
  func chosen(_ step: UInt64) throws {
    let log = try PageFixture.log("todomvc.jsonl")
    var options = ReportBuilder.Options()
    let pageSize = try ReportBuilder(try PageFixture.log("counter.jsonl")).build().count
    options.largestSize = pageSize + 1500
    options.step = step
    let report = try ReportData(try ReportBuilder(log, options: options).build())
    let extract = try #require(report.header["info"]?["report"])
    let row = log.rows().row(ofStep: log.log.position(atOrBefore: step) ?? Timeline.start)
    #expect(report.header["open"]?["row"]?.text == "\(row)")
    let from = try #require(extract["from"]?.number?.double)
    let to = try #require(extract["to"]?.number?.double)
    #expect(from <= Double(row) && Double(row) < to)
    #expect(to < Double(log.rows().count))
  }

  @Test("nothing of a log is HTML")
  func hostile() throws {
    let folder = try TemporaryFolder()
    let evil = "</script><script>alert(1)</script><!-- \\u202e javascript:alert(1)"
    try folder.write(
      """
      {"flux":"1.0","app":{"name":"\(evil)"},"stores":{"\(evil)":{"initial":{"__proto__":{"2":1,"1":2}}}}}
      {"n":1,"t":0,"action":{"type":"\(evil)","payload":"\(evil)"},"states":{"\(evil)":"\(evil)"}}
      {"mark":"\(evil)","t":1}

      """, to: "<script>.jsonl")
    let log = PageLog(try LogFile.open(folder.path("<script>.jsonl")))
    let hostile = try ReportBuilder(log).build()
    let other = try ReportBuilder(try PageFixture.log("shop.jsonl")).build()
    #expect(ReportData.page(hostile) == ReportData.page(other))
    try compare(log, hostile)
  }

  @Test("the data of a report says what it is about")
  func header() throws {
    var options = ReportBuilder.Options()
    options.program = "flux-inspect 1"
    options.range = PositionRange("10..12")
    let report = try ReportData(
      try ReportBuilder(try PageFixture.log("shop.jsonl"), options: options).build())
    #expect(
      report.header["info"]?["report"]?.text == """
        {"from":9,"to":14,"n":9,"left":"9 steps before and 16 steps after this part are not in this report",\
        "shell":"flux-inspect shop.jsonl"}
        """)
    #expect(report.header["info"]?["program"]?.string == "flux-inspect 1")
    // The step that was rejected first is behind the report.
    #expect(report.header["open"]?.text == #"{"row":13,"reason":"part"}"#)
    options.range = PositionRange("21..24")
    let later = try ReportData(
      try ReportBuilder(try PageFixture.log("shop.jsonl"), options: options).build())
    #expect(later.header["open"]?.text == #"{"row":25,"reason":"part"}"#)
    let lines = report.lines.map { line in line["row"]?["n"]?.text ?? line["row"]?["text"]?.string }
    #expect(lines == ["10", "the customer is asked to pay", "11", "12"])
  }

  /// Compares the states of each row of a report, rebuilt from its lines alone, with those of the timeline.
  private func compare(_ log: PageLog, _ document: [UInt8]) throws {
    let report = try ReportData(document)
    let rows = log.rows()
    let extract = try #require(report.header["info"]?["report"])
    let from = try #require(extract["from"]?.number?.int64)
    let to = try #require(extract["to"]?.number?.int64)
    #expect(report.lines.count == to - from - 1)
    var model = ReportModel(try #require(report.header["baseline"]))
    for number in Int(from)..<Int(to) {
      if number > from { try model.apply(report.lines[number - Int(from) - 1]) }
      let row = try #require(rows[number])
      // Rows that are no steps show the model before them, or one that a gap tells.
      if case .step(let position) = row {
        try model.expect(log.timeline.model(at: position), row: number)
      }
    }
  }
}

/// The data of a report.
struct ReportData {
  let header: JSON
  let lines: [JSON]

  init(_ document: [UInt8]) throws {
    let text = String(decoding: document, as: UTF8.self)
    let start = try #require(text.range(of: "id=\"flux-data\">"))
    let end = try #require(text[start.upperBound...].range(of: "</script>"))
    let base64 = String(text[start.upperBound..<end.lowerBound])
    let compressed = try #require(Data(base64Encoded: base64))
    let bytes = try #require(gunzip([UInt8](compressed)))
    let lines = try bytes.split(separator: 0x0A).map { try JSON.parse(Array($0)) }
    header = try #require(lines.first)
    self.lines = Array(lines.dropFirst())
  }

  /// The document without the data.
  static func page(_ document: [UInt8]) -> String {
    String(decoding: document, as: UTF8.self).replacing(/id="flux-data">[^<]*</, with: "<")
  }
}

/// The states of a report, by the rules of the interface between the page and its data.
private struct ReportModel {
  private enum State: Equatable {
    case known(JSON)
    case unknown
    case unwritten(JSON?)
  }

  private var states: [String: State] = [:]
  private var isAfterGap = false

  init(_ baseline: JSON) {
    for member in baseline["states"]?.members ?? JSON.null.members {
      states[member.name] = .known(member.value)
    }
    for name in (baseline["unknown"]?.elements ?? JSON.null.elements).compactMap(\.string) {
      states[name] = .unknown
    }
    for name in (baseline["unwritten"]?.elements ?? JSON.null.elements).compactMap(\.string) {
      states[name] = .unwritten(baseline["states"]?[name])
    }
  }

  private func written(_ store: String) -> JSON? {
    switch states[store] {
    case .known(let json)?: json
    case .unwritten(let json)?: json
    case .unknown?, nil: nil
    }
  }

  mutating func apply(_ entry: JSON) throws {
    let row = entry["row"]
    let kind = row?["kind"]?.string
    if kind == "damage" || row?["why"]?.string == "damaged" {
      isUnknown = true
      isAfterGap = false
      states = states.mapValues { _ in .unknown }
      return
    }
    if kind == "gap" {
      isUnknown = false
      isAfterGap = true
      states = states.mapValues { _ in .unknown }
      if let model = entry["states"] {
        isAfterGap = false
        states = [:]
        for member in model.members { states[member.name] = .known(member.value) }
        isRestored = true
      }
      return
    }
    guard let line = entry["line"], line["rejected"] == nil else { return }
    if isAfterGap || isRestored {
      // The first accepted step replaces the model.
      let old = states
      states = [:]
      _ = old
      isAfterGap = false
      isRestored = false
    }
    for member in line["states"]?.members ?? JSON.null.members {
      states[member.name] = .known(member.value)
    }
    for member in line["patches"]?.members ?? JSON.null.members {
      guard let base = written(member.name) else {
        states[member.name] = .unknown
        continue
      }
      states[member.name] = (try? base.applying([member.value])).map { .known($0) } ?? .unknown
    }
    for name in (line["removed"]?.elements ?? JSON.null.elements).compactMap(\.string) {
      states[name] = nil
      known.insert(name)
    }
    for name in (line["unwritten"]?.elements ?? JSON.null.elements).compactMap(\.string) {
      states[name] = .unwritten(written(name))
    }
  }

  /// `true` after damage: a store that no line has named since is unknown.
  private var isUnknown = false
  private var isRestored = false
  private var known: Set<String> = []

  func expect(_ model: RecordedModel, row: Int) throws {
    for (name, state) in model.states {
      switch state {
      case .present(let json): #expect(states[name] == .known(json), "\(name) at row \(row)")
      case .absent: #expect(states[name] == nil, "\(name) at row \(row)")
      case .unknown:
        switch states[name] {
        case .known?: Issue.record("\(name) is known at row \(row)")
        case .unknown?, .unwritten?: break
        // After damage, a store that was absent may be there.
        case nil: #expect(isUnknown, "\(name) at row \(row)")
        }
      }
    }
  }
}
