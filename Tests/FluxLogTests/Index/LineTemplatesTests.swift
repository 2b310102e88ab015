import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct LineTemplatesTests {
  private static let opening = #"{"n":12,"t":3.000045,"action":{"type":""#
  private static let numbers = LineNumbers(numberDigits: 2, secondsDigits: 1)

  /// Returns the match of a line after another was learned; both without their sum.
  private static func match(
    _ line: String, after learned: String, _ numbers: LineNumbers = Self.numbers,
    names: [Range<Int>] = []
  ) -> LineTemplates.Match? {
    var templates = LineTemplates()
    let tail = Array(repeating: UInt8(ascii: ","), count: 18)
    let known = Array(learned.utf8) + tail
    let bytes = Array(line.utf8) + tail
    unsafe known.withUnsafeBytes { buffer in
      templates.learn(
        unsafe JSONBytes(buffer), from: 0, to: learned.utf8.count, numbers, names: names, type: 1,
        shape: 2, source: 3)
    }
    return unsafe bytes.withUnsafeBytes { buffer in
      templates.find(unsafe JSONBytes(buffer), from: 0, to: line.utf8.count)
    }
  }

  /// `true` if a line fits another that has the same opening.
  private static func fits(
    _ rest: String, after learned: String, names: [Range<Int>] = []
  ) -> Bool {
    let names = names.map {
      $0.lowerBound + opening.utf8.count..<$0.upperBound + opening.utf8.count
    }
    guard let found = match(opening + rest, after: opening + learned, names: names) else {
      return false
    }
    #expect(found.number == 12 && found.time == 3_000_045 && found.type == 1 && found.shape == 2)
    #expect(found.source == 3)
    return true
  }

  @Test("A line fits if only its digits differ, at any length")
  func digits() {
    for count in 0..<300 {
      let filler = String(repeating: "x", count: count)
      let learned = #"a","payload":1\#(filler)23}"#
      #expect(Self.fits(learned, after: learned))
      #expect(Self.fits(#"a","payload":9\#(filler)08}"#, after: learned))
      #expect(!Self.fits(#"a","payload":9\#(filler)8}"#, after: learned))
      #expect(!Self.fits(#"a","payload":9\#(filler)x8}"#, after: learned))
      #expect(!Self.fits(#"a","payload":9\#(filler)0"}"#, after: learned))
    }
  }

  @Test("A line that is too short or too long fits no pattern")
  func lengths() {
    for count in [0, 1, 345, 346, 1000] {
      let rest = String(repeating: "x", count: count)
      #expect(Self.fits(rest, after: rest) == (count == 345))
    }
  }

  @Test(
    "No other byte passes for a digit, and no digit for another byte",
    arguments: [UInt8(0)..<0x30, 0x3A..<0xFF])
  func others(bytes: Range<UInt8>) {
    for byte in bytes {
      let other = String(UnicodeScalar(byte))
      guard other.utf8.count == 1 else { continue }
      #expect(!Self.fits("0123456789abcde" + other, after: "0123456789abcde7"))
      #expect(!Self.fits("0123456789abcde7", after: "0123456789abcde" + other))
    }
  }

  @Test("Lines that differ in more than digits have a pattern each, also if their keys are equal")
  func twins() throws {
    let lines = ["A.swift:1", "A.swift:2", "B.swift:7"].map { source in
      Self.opening
        + #"add","payload":[1,2,3,4,5,6,7,8,9]},"at":"\#(source)","states":{"s":{"count":1}}"#
    }
    var templates = LineTemplates()
    let tail = Array(repeating: UInt8(ascii: ","), count: 18)
    for round in 0..<2 {
      for (place, line) in lines.enumerated() {
        let bytes = Array(line.utf8) + tail
        let count = line.utf8.count
        let start = try #require(line.range(of: "at")).lowerBound.utf16Offset(in: line) + 5
        unsafe bytes.withUnsafeBytes { buffer in
          let found = templates.find(unsafe JSONBytes(buffer), from: 0, to: count)
          #expect(found.map { Int($0.source) } == (round == 0 ? nil : place))
          guard round == 0 else { return }
          templates.learn(
            unsafe JSONBytes(buffer), from: 0, to: count, Self.numbers, names: [start..<start + 9],
            type: 1, shape: 2, source: UInt32(place))
        }
      }
    }
  }

  @Test("Digits in types and store names have to be equal")
  func names() {
    let learned = #"step1","payload":1},"states":{"s1":{"a":1}}"#
    let names = [0..<5, 31..<33]
    #expect(Self.fits(learned, after: learned, names: names))
    #expect(
      Self.fits(#"step1","payload":2},"states":{"s1":{"a":3}}"#, after: learned, names: names))
    #expect(
      !Self.fits(#"step2","payload":1},"states":{"s1":{"a":1}}"#, after: learned, names: names))
    #expect(
      !Self.fits(#"step1","payload":1},"states":{"s2":{"a":1}}"#, after: learned, names: names))
  }

  @Test("The numbers of the matching line are read", arguments: 1...16, 1...13)
  func numbers(numberDigits: Int, secondsDigits: Int) throws {
    func line(_ number: String, _ seconds: String) -> String {
      #"{"n":\#(number),"t":\#(seconds).123456,"action":{"type":"add"}}"#
    }
    let number = String("9876543210123456".prefix(numberDigits))
    let seconds = String("8765432101234".prefix(secondsDigits))
    let learned = line(
      String(repeating: "0", count: numberDigits), String(repeating: "0", count: secondsDigits))
    let found = try #require(
      Self.match(
        line(number, seconds), after: learned,
        LineNumbers(numberDigits: numberDigits, secondsDigits: secondsDigits)))
    #expect(String(found.number) == number)
    #expect(String(found.time) == seconds + "123456")
  }

  @Test("A line whose cause is not earlier fits no pattern")
  func cause() {
    func line(_ number: Int, cause: Int) -> String {
      #"{"n":\#(number),"t":3.000045,"action":{"type":"add"},"cause":\#(cause)}"#
    }
    let numbers = LineNumbers(
      numberDigits: 2, secondsDigits: 1, causeOffset: line(12, cause: 11).utf8.count - 3,
      causeDigits: 2)
    for (cause, isFound) in [(10, true), (19, true), (20, false), (21, false)] {
      let found = Self.match(line(20, cause: cause), after: line(12, cause: 11), numbers)
      #expect((found?.number == 20) == isFound, "\(cause)")
    }
  }

  @Test(
    "An index has the types, shapes, source lines and times of its steps, whichever lines become patterns"
  )
  func index() throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    var lines = [SampleLog.summed(SampleLog.header)]
    var steps: [LogStep] = []
    let stores = ["todos", "s1", "s2", "a store with a name of more than sixteen bytes 1"]
    let types = ["a", "todo/add1", "todo/add2", "an action/with a long name/1", ""]
    let sources = ["A.swift:1", "A.swift:2", "Module/A+Topic.swift:12", "Module/A+Topic.swift:13"]
    for number in 1...2000 {
      let type = types.randomElement(using: &generator) ?? ""
      let store = stores.randomElement(using: &generator) ?? ""
      let value = Int.random(in: 0..<120, using: &generator)
      var line =
        #"{"n":\#(number),"t":\#(number / 3).\#(100_000 + number),"action":{"type":"\#(type)","payload":\#(value)}"#
      if value % 3 == 0, number > value + 1 { line += #","cause":\#(number - value - 1)"# }
      if value % 4 != 0, let source = sources.randomElement(using: &generator) {
        // The parser reads a name with an escape.
        line += #","at":"\#(value == 50 ? "\\u0041.swift:1" : source)""#
      }
      switch value % 5 {
      case 0: line += #","states":{"\#(store)":{"count":\#(value)}}"#
      case 1: line += #","patches":{"\#(store)":[{"op":"remove","path":"/items/\#(value)"}]}"#
      case 2: line += #","states":{"s1":\#(value),"s2":"\#(value)"}"#
      case 3: line += #","rejected":{"reason":"impossible","message":"\#(value)"}"#
      default: break
      }
      line += "}"
      lines.append(SampleLog.summed(line))
      guard case .step(let step) = try LogLine(Array(line.utf8)) else { continue }
      steps.append(step)
    }
    let path = try folder.write(lines.joined().utf8, to: "log.jsonl")
    let log = try LogFile.opened(path, pieceSize: 4096)
    #expect(log.count == steps.count, "seed \(SeededGenerator.seed)")
    #expect(log.findings.map(\.problem) == [.noEnd])
    for (position, step) in steps.enumerated() {
      #expect(log.type(at: position) == step.type, "seed \(SeededGenerator.seed)")
      #expect(log.shape(at: position) == StepShape(step), "seed \(SeededGenerator.seed)")
    }
    var found: [Int: String] = [:]
    let texts = log.sourceTexts
    log.forEachSource(in: 0..<log.count) { found[$0] = texts[$1] }
    #expect(found == steps.enumerated().reduce(into: [:]) { $0[$1.offset] = $1.element.source })
    log.forEachSource(in: 700..<900) { #expect(found.removeValue(forKey: $0) == texts[$1]) }
    #expect(found.keys.allSatisfy { !(700..<900).contains($0) })
  }
}
