import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct LookPropertyTests {
  private let paths = ["a.x[0]", "a.x[1]", "a.y.z", "a.y", "b", "a.x[-1]", "a.x[*]", "a", "a.x[5]"]

  @Test("Blame and history tell what looking at every model tells", arguments: 0..<20)
  func writes(round: UInt64) throws {
    var generator = SeededGenerator(seed: SeededGenerator.seed &+ round)
    let log = try PatchedLog(steps: 30, using: &generator)
    var inspection = try Inspection(log.lines)
    for path in paths {
      let all = try expectedWrites(of: path, in: log, through: 30)
      let history = try result(&inspection, "history \(path)")
      if all.isEmpty, try Path(path, dialect: .inspector).isSingular {
        #expect(history == nil, "\(path), seed \(SeededGenerator.seed), round \(round)")
      } else {
        #expect(history == all, "\(path), seed \(SeededGenerator.seed), round \(round)")
      }
      for number in [0, 7, 30] {
        _ = inspection.console.run("goto \(number)")
        let writes = try expectedWrites(of: path, in: log, through: number)
        guard !writes.isEmpty else { continue }
        let blame = try result(&inspection, "blame \(path) --all")
        #expect(
          blame == writes.reversed(), "\(path), seed \(SeededGenerator.seed), round \(round)")
        #expect(try result(&inspection, "blame \(path)") == [try #require(writes.last)])
      }
    }
  }

  @Test("A patch turns the one model into the other, and no changes are only where they are equal")
  func patches() throws {
    var generator = SeededGenerator()
    let log = try PatchedLog(steps: 40, using: &generator)
    var inspection = try Inspection(log.lines)
    for _ in 0..<60 {
      let from = Int.random(in: 0...40, using: &generator)
      let to = Int.random(in: 0...40, using: &generator)
      let (old, new) = (try log.model(from), try log.model(to))
      let output = try JSON.parse(inspection.json("diff \(from) \(to) --patch"))
      let patch = try #require(output["result"]?["patch"])
      #expect(
        try old.applying([patch]) == new,
        "\(from) to \(to), seed \(SeededGenerator.seed)")
      let changes = try JSON.parse(inspection.json("diff \(from) \(to)"))
      #expect((changes["result"]?["changes"]?.count == 0) == (old == new))
    }
  }

  @Test("A search finds what looking at every step finds, in whatever portions it goes")
  func searches() throws {
    var generator = SeededGenerator()
    let log = try PatchedLog(steps: 300, using: &generator)
    var inspection = try Inspection(log.lines)
    let byType = try (1...300).filter { try log.type($0) == "act/1" }
    #expect(try numbers(&inspection, "find act/1") == byType)
    #expect(
      try numbers(&inspection, "find act/1 in 100..200")
        == byType.filter { (100...200).contains($0) })
    let byState = log.models.indices.dropFirst().filter { log.models[$0]["a"]?["x"]?.count == 2 }
    #expect(try numbers(&inspection, "find length(a.x) == 2") == Array(byState))
    #expect(
      try inspection.text("count length(a.x) == 2 in ..150")
        == "\(byState.filter { $0 <= 150 }.count)\n")
    #expect(
      try inspection.text("count act/1 in 10..90")
        == "\(byType.filter { (10...90).contains($0) }.count)\n")
  }

  // MARK: What a command says

  /// The numbers, types and values of writes; nil if the command fails.
  private func result(_ inspection: inout Inspection, _ line: String) throws -> [String]? {
    let output = try JSON.parse(
      inspection.json(line).split(separator: "\n").first.map(String.init) ?? "")
    return output["result"]?["writes"]?.elements.map { write in
      told(
        number: write["n"]?.number?.int64.map { Int($0) } ?? -1, type: write["type"]?.string,
        value: write["value"])
    }
  }

  private func numbers(_ inspection: inout Inspection, _ line: String) throws -> [Int] {
    let output = try JSON.parse(inspection.json(line))
    return output["result"]?["steps"]?.elements.compactMap {
      $0["n"]?.number?.int64.map { Int($0) }
    } ?? []
  }

  private func told(number: Int, type: String?, value: JSON?) -> String {
    "\(number) \(type ?? "-") \(value.map { $0.description } ?? "none")"
  }

  private func expectedWrites(
    of text: String, in log: PatchedLog, through end: Int
  ) throws -> [String] {
    let path = try Path(text, dialect: .inspector)
    var writes: [String] = []
    var last: JSON?
    for number in 0...end {
      let document = try JSON.parse(#"{"state":\#(try log.model(number))}"#)
      let nodes = try path.nodes(in: document)
      var value = nodes.first?.value
      if !path.isSingular, !nodes.isEmpty {
        value = try JSON.parse("[\(nodes.map { $0.value.description }.joined(separator: ","))]")
      }
      if value != last || (number == 0 && value != nil) {
        writes.append(told(number: number, type: try log.type(number), value: value))
      }
      last = value
    }
    return writes
  }
}
