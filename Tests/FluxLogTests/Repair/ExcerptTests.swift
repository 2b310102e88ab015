import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

/// Parts of logs with gaps, and with models to which the app went back.
@Suite struct ExcerptTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let lines = [
    #"{"flux":"1.1","first":1,"stores":{"a":{"initial":0},"b":{"feature":true}}}"#,
    #"{"n":1,"t":0.1,"action":{"type":"x"},"states":{"a":1}}"#,
    #"{"n":2,"t":0.2,"action":{"type":"x"},"states":{"a":2,"b":"here"}}"#,
    #"{"n":3,"t":0.3,"action":{"type":"x"},"states":{"a":3},"removed":["b"]}"#,
    #"{"gap":{"from":4,"to":3,"why":"restored","step":2}}"#,
    #"{"n":4,"t":0.4,"action":{"type":"no"},"rejected":{"reason":"impossible"}}"#,
    #"{"mark":"paused","t":0.4}"#, #"{"gap":{"from":5,"to":6,"why":"paused"}}"#,
    #"{"n":7,"t":0.5,"action":{"type":"x"},"states":{"a":2}}"#,
    #"{"gap":{"from":8,"to":7,"why":"restored","step":0}}"#,
    #"{"n":8,"t":0.6,"action":{"type":"x"},"states":{"a":8,"b":"back"}}"#,
    #"{"n":9,"t":0.7,"action":{"type":"x"},"cause":8,"states":{"a":9}}"#,
    #"{"gap":{"from":10,"to":9,"why":"restored","step":7}}"#, #"{"mark":"end","t":0.8}"#,
  ]

  /// Writes an excerpt that ends with a step.
  private func excerpt(
    _ extent: LogExtent, of lines: [String] = Self.lines.map(SampleLog.summed),
    through last: UInt64 = 9
  ) throws -> Timeline {
    let path = try folder.write(lines.joined().utf8, to: "log.jsonl")
    let memory = MemoryFile()
    _ = try LogWriter.writeExcerpt(extent, of: ([try OpenFile(reading: path)], last), path) {
      memory.append($0)
    }
    let log = try LogFile.open(OpenFile(memory, path: path), options: LogFile.Options())
    try log.waitForIndex()
    return Timeline(log)
  }

  @Test("An excerpt begins where the model is known and no chain runs")
  func starts() throws {
    let firsts = try (1...7).map { try excerpt(.steps($0)).log.header.first }
    // Step 9 follows up step 8, and gaps precede steps 4, 7 and 8.
    #expect(firsts == [3, 3, 3, 3, 3, 2, 1])
    #expect(try excerpt(.steps(1), through: 3).log.count == 1)
  }

  @Test("Any number of minutes or seconds is an extent", arguments: [1.0, 60])
  func times(unit: Double) throws {
    func first(_ number: Double) throws -> UInt64 {
      let extent: LogExtent = unit == 60 ? .minutes(number) : .seconds(number)
      return try excerpt(extent, through: 3).log.header.first
    }
    for number in [.infinity, .greatestFiniteMagnitude, 1e18, 1e12] {
      #expect(try first(number) == 1, "\(number)")
    }
    for number in [0, -0.0, -1, -.infinity, .nan, .leastNonzeroMagnitude] {
      #expect(try first(number) == 3, "\(number)")
    }
    #expect(try excerpt(.duration(.seconds(Int64.max)), through: 3).log.header.first == 1)
    #expect(try excerpt(.duration(.seconds(Int64.min)), through: 3).log.header.first == 3)
  }

  @Test("A step whose cause is outside keeps all other members, also those of a newer version")
  func unknownMembers() throws {
    let step =
      #"{"n":3,"t":0.3,"action":{"type":"x"},"at":"A.swift:1","cause":1,"effect":"timer","later":{"a":[1.0]},"states":{"a":3},"x":{"id":7}"#
    let lines = Self.lines[..<3].map(SampleLog.summed) + [SampleLog.summed(step + "}")]
    let part = try excerpt(.steps(1), of: lines, through: 3)
    #expect(part.log.header.first == 3)
    #expect(
      String(decoding: try part.line(at: 0), as: UTF8.self) + "\n"
        == SampleLog.summed(
          #"{"n":3,"t":0.3,"action":{"type":"x"},"at":"A.swift:1","later":{"a":[1.0]},"states":{"a":3},"x":{"id":7,"cause":1,"effect":"timer"}}"#
        ))
    #expect(try part.check() == [])
  }

  @Test("Each excerpt is sound and has the states of the whole log")
  func states() throws {
    let all = try excerpt(.all)
    #expect(try all.check() == [])
    #expect(all.log.marks.map(\.mark.text) == ["paused", "end"])
    for count in 1...7 {
      let part = try excerpt(.steps(count))
      #expect(try part.check() == [], "\(count)")
      #expect(part.log.end == LogEnd(steps: UInt64(part.log.count), isComplete: true))
      for position in 0..<part.log.count {
        let number = try #require(part.log.number(at: position))
        let same = try #require(all.log.position(atOrBefore: number))
        #expect(
          try part.model(at: position).json == all.model(at: same).json, "\(count): \(number)")
        #expect(
          try part.model(before: position).json == all.model(before: same).json,
          "\(count): \(number)")
      }
    }
  }
}
