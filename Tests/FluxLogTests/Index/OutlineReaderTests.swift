import FluxJSON
import Testing

@testable import FluxLog

@Suite struct OutlineReaderTests {
  /// Returns the outline of a line without its sum; `nil` if the line is left to the parser.
  private static func outline(
    _ line: String
  ) -> (outline: StepOutline, type: String, writes: [StepShape.Write])? {
    let bytes = Array(SampleLog.summed(line).utf8)
    return unsafe bytes.withUnsafeBytes { buffer in
      let all = unsafe JSONBytes(buffer)
      var reader = OutlineReader()
      guard let outline = reader.outline(all, from: 0, to: line.utf8.count - 1) else { return nil }
      // The reported places of the numbers contain the same numbers.
      #expect(outline.numbers.number(all, 0) == outline.number)
      #expect(outline.numbers.time(all, 0) == outline.time)
      #expect(
        outline.cause
          == (outline.numbers.causeDigits > 0 ? outline.numbers.cause(all, 0) : nil))
      let writes = reader.writes.map {
        StepShape.Write(store: all.string($0.name), kind: $0.kind)
      }
      return (outline, all.string(outline.type), writes)
    }
  }

  @Test(
    "The lines that writers write are read without parsing",
    arguments: SampleLog.lines.filter { $0.hasPrefix(#"{"n""#) })
  func canonical(line: String) throws {
    let found = try #require(Self.outline(line))
    guard case .step(let step) = try LogLine(Array(line.utf8)) else { return }
    #expect(found.outline.number == step.number)
    #expect(found.outline.time == step.time.microseconds)
    #expect(found.outline.cause == step.cause)
    #expect(found.outline.isRejected == (step.rejection != nil))
    #expect(found.type == step.type)
    #expect(found.writes == StepShape(step).writes)
  }

  @Test("the dispatcher of an action follows the effect, and both readers read it")
  func from() throws {
    let line =
      #"{"n":2,"t":0.500000,"action":{"type":"a"},"cause":1,"from":"observer","at":"App.swift:1"}"#
    #expect(try #require(Self.outline(line)).outline.cause == 1)
    guard case .step(let step) = try LogLine(Array(line.utf8)) else {
      Issue.record("the line is no step")
      return
    }
    #expect(step.from == "observer")
    var written = LineBuffer()
    step.write(to: &written)
    #expect(String(decoding: written.bytes, as: UTF8.self).hasPrefix(line.dropLast()))
  }

  @Test(
    "Numbers of up to sixteen digits are read", arguments: [1, 7, 8, 9, 15, 16])
  func digits(count: Int) throws {
    let number = String("1234567890123456".prefix(count))
    let line = #"{"n":\#(number),"t":\#(number.prefix(10)).000001,"action":{"type":"a"}}"#
    let found = try #require(Self.outline(line))
    #expect(String(found.outline.number) == number)
    #expect(LogTime(microseconds: found.outline.time).description == "\(number.prefix(10)).000001")
  }

  @Test("Values of any length, with brackets and escapes in strings, are skipped")
  func values() throws {
    for count in stride(from: 0, to: 100, by: 3) {
      let filler = String(repeating: "]}", count: count)
      for text in [filler, filler + #"\""#, #"\\"# + filler, #"\"{"# + filler] {
        let value = #"{"a":["\#(text)",{"b":[1,[2]]}]}"#
        let line =
          #"{"n":1,"t":0.000000,"action":{"type":"a","payload":\#(value)},"states":{"s":\#(value)},"patches":{"p":[\#(value)]},"removed":["r"]}"#
        let found = try #require(Self.outline(line))
        #expect(
          found.writes == [
            .init(store: "s", kind: .whole), .init(store: "p", kind: .patch),
            .init(store: "r", kind: .removal),
          ])
      }
    }
  }

  @Test(
    "What writers write otherwise is left to the parser",
    arguments: [
      #"{"n":1,"t":0.1,"action":{"type":"a"}}"#, #"{"n":1,"t":0,"action":{"type":"a"}}"#,
      #"{"t":0.000000,"n":1,"action":{"type":"a"}}"#, #"{ "n":1,"t":0.000000,"action":{}}"#,
      #"{"n":12345678901234567,"t":0.000000,"action":{"type":"a"}}"#,
      #"{"n":-1,"t":0.000000,"action":{"type":"a"}}"#, #"{"n":,"t":0.000000,"action":{}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a\"b"}}"#,
      #"{"n":1,"t":0.000000,"action":{"payload":1,"type":"a"}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"future":1}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"states":{"a":1},"states":{"b":1}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"patches":{"a":1}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"states":{"\u0061":1}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"states":{"a":1},"rejected":{}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"effects":{"a":["x"]},"rejected":{}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"effects":null}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"effects":{"a":["x"]"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"states":{"a":[}}"#,
      #"{"n":1,"t":0.000000,"action":{"type":"a"},"states":{"a":"}}"#,
      #"{"n":1,"t":0.000000,"action":{"ty"#,
    ])
  func others(line: String) {
    #expect(Self.outline(line) == nil)
  }
}
