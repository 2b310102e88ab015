import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog
@testable import FluxRules

@Suite("The steps behind a violation")
struct RuleEvidenceTests {
  /// Two segments of one recording, with marks and large steps, whose causes are in both.
  private static func segments(_ random: inout SeededGenerator) -> [String] {
    var segments: [String] = []
    for numbers in [1...1500, 1501...4000] {
      var lines = [
        #"{"flux":"1.1","log":"l","first":\#(numbers.lowerBound),"stores":{"a":{"initial":0}}}"#
      ]
      for number in numbers {
        let cause =
          number > 1 && Int.random(in: 0..<20, using: &random) > 0
          ? #","cause":\#(max(1, number - Int.random(in: 1..<500, using: &random)))"# : ""
        let size = Int.random(in: 0..<400, using: &random) == 0 ? 100_000 : 10
        let text = String(repeating: "x", count: size)
        lines.append(
          #"{"n":\#(number),"t":\#(number),"action":{"type":"t/\#(number % 7)","payload":"\#(text)"}\#(cause)}"#
        )
        if number % 50 == 0 { lines.append(#"{"mark":"note","t":\#(number)}"#) }
      }
      segments.append((lines + [""]).joined(separator: "\n"))
    }
    return segments
  }

  @Test("steps and their causes are found in the segment that has them")
  func segments() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator()
    var paths: [String] = []
    for (index, text) in Self.segments(&random).enumerated() {
      paths.append(try folder.write(text, to: "\(index).jsonl"))
    }
    let rule = try #require(try RuleSet("rule a: always a == 0").rules.first)
    let steps: [Int64] = [1, 2, 1499, 1500, 1501, 1502, 3999, 4000]
    let random40 = (0..<40).map { _ in Int64.random(in: 1...4000, using: &random) }
    let numbers: [Int64] = steps + random40
    let missing: [Int64] = [0, 4001, -1]
    let results = (numbers + missing).map { number in
      RuleResult(
        log: paths[0], rule: rule, verdict: .violated, triggers: 1, step: number, segment: paths[0])
    }
    var found = results
    try evidence(paths).add(to: &found)
    for (result, number) in zip(found, numbers) {
      #expect(result.segment == paths[number > 1500 ? 1 : 0])
      #expect(result.chain.first?.number == UInt64(number))
      // A line for the header, and one for each mark before the step.
      let place = Int(number > 1500 ? number - 1500 : number)
      #expect(result.line == 1 + place + (place - 1) / 50)
      #expect(result.chain.map(\.number) == result.chain.map(\.number).sorted(by: >))
    }
    #expect(found.suffix(missing.count).allSatisfy { $0.chain.isEmpty && $0.line == nil })
  }

  @Test(
    "a segment that is gone by then leaves the verdict, the step and the causes in other segments",
    arguments: [1, 2])
  func removedSegment(step: Int64) throws {
    let folder = try TemporaryFolder()
    let paths = try (1...2).map { number in
      let cause = number > 1 ? #","cause":1"# : ""
      return try folder.write(
        #"{"flux":"1.1","log":"l","first":\#(number),"stores":{"a":{"initial":0}}}"# + "\n"
          + #"{"n":\#(number),"t":\#(number),"action":{"type":"tick"}\#(cause)}"# + "\n",
        to: "\(number).jsonl")
    }
    let rule = try #require(try RuleSet("rule few: always a == 0").rules.first)
    var results = [
      RuleResult(
        log: "log", rule: rule, verdict: .violated, triggers: 1, step: step, segment: paths[0])
    ]
    let evidence = try evidence(paths)
    try FileManager.default.removeItem(atPath: paths[0])
    try evidence.add(to: &results)
    let result = try #require(results.first)
    let reason = LogError(path: paths[0], reason: .system(operation: "open", code: ENOENT))
    #expect(result.unreadable == reason)
    let (next, place, note) =
      step == 1
      ? (#"["goto 1","diff"]"#, "\(paths[0]): step 1", "the step")
      : (#"["goto 2","diff"]"#, "\(paths[1]):2: step 2, tick", "an earlier cause")
    let chain = step == 1 ? "[]" : #"[{"n":2,"type":"tick"}]"#
    let segment = step == 1 ? "" : #""segment":"\#(paths[1])","#
    let json = try LogEncoder(order: .declaration).encode(result)
    #expect(
      json.description
        == #"{"log":"log","rule":"few","verdict":"violated","triggers":1,"step":\#(step),"#
        + #"\#(segment)"chain":\#(chain),"unreadable":\#(try LogEncoder().encode(reason.description).text),"next":\#(next)}"#
    )
    let opened = "open \(paths[Int(step) - 1]) -g \(step)"
    #expect(
      result.lines { "open \($0)" } == [
        "", place, "  violates rule few: always a == 0",
        "  note: \(note) could not be read again: \(reason)", "  next:", "    \(opened)",
        "    \(opened) -e diff",
      ])
  }

  private func evidence(_ paths: [String]) throws -> RuleEvidence {
    var evidence = RuleEvidence(check: {}, open: { try LogFile.open($0) })
    for path in paths {
      let log = try LogFile.open(path)
      try log.waitForIndex()
      evidence.add(log)
    }
    return evidence
  }

  @Test("a chain of more causes than are listed says so", arguments: [1000, 1001])
  func longChain(steps: Int) throws {
    let folder = try TemporaryFolder()
    var lines = [#"{"flux":"1.1","first":1,"stores":{"a":{"initial":0}}}"#]
    for number in 1...steps {
      let cause = number > 1 ? #","cause":\#(number - 1)"# : ""
      lines.append(#"{"n":\#(number),"t":\#(number),"action":{"type":"tick"}\#(cause)}"#)
    }
    let path = try folder.write((lines + [""]).joined(separator: "\n"), to: "chain.jsonl")
    let rules = try RuleSet("rule few: at most \(steps - 1) of tick")
    let result = try #require(try RuleCheck(rules).run([path]).results.first)
    #expect(result.chain.count == 1000)
    #expect(result.chain.last?.number == UInt64(steps - 999))
    #expect(result.isChainCut == (steps > 1000))
    let encoded = try LogEncoder().encode(result)
    #expect(encoded["chainCut"] == (steps > 1000 ? true : nil))
    let line = try #require(result.lines { $0 }.first { $0.hasPrefix("  caused by") })
    #expect(line.hasSuffix(" tick, by earlier steps that are not listed") == (steps > 1000))
  }
}
