import FluxJSON
import Testing

@testable import FluxLog

@Suite struct ParsedOutlineReaderTests {
  /// Returns the outline of a line between others; `nil` if the reader does not accept it.
  private static func outline(
    _ line: String
  ) -> (outline: StepOutline, type: String, writes: [StepShape.Write])? {
    let before = "{}\n"
    let start = before.utf8.count
    let bytes = Array((before + line + "\n{}").utf8)
    return unsafe bytes.withUnsafeBytes { buffer in
      let all = unsafe JSONBytes(buffer)
      var reader = ParsedOutlineReader()
      // The memory of earlier lines is reused.
      for other in [#"{"n":1,"t":1,"action":{"type":"x"},"states":{"y":1}}"#, "{"] {
        let text = Array(other.utf8)
        unsafe text.withUnsafeBytes { other in
          _ = reader.outline(unsafe JSONBytes(other), 0..<other.count)
        }
      }
      guard let outline = reader.outline(all, start..<start + line.utf8.count) else { return nil }
      let writes = reader.writes.map {
        StepShape.Write(store: all.string($0.name), kind: $0.kind)
      }
      return (outline, all.string(outline.type), writes)
    }
  }

  @Test(
    "Members may stand in any order, with blanks between them",
    arguments: [
      #"{"n":7,"t":0.5,"action":{"type":"a","payload":{"id":1}},"states":{"s":{"x":[1]}}}"#,
      #"{ "states" : { "s" : {} } , "action" : { "payload" : 1 , "type" : "a" } , "t" : 1, "n" : 7 }"#,
      #"{"n": 7, "t": 12.345678, "action": {"type": "a"}, "patches": {"s": [], "ü": [{}]}, "took": 5}"#,
      #"{"n":7,"t":1e-3,"action":{"type":"a"},"removed":["r"],"states":{"b":1,"a":2},"target":"\n"}"#,
      #"{"n":7,"t":12.3456789,"action":{"type":"ä"},"cause":3,"future":{"n":1},"effect":"e"}"#,
      #"{"n":123456789012345678,"t":12345678901.000001,"action":{"type":""},"at":"a:1","from":"o"}"#,
    ])
  func read(line: String) throws {
    let found = try #require(Self.outline(line))
    guard case .step(let step) = try LogLine(Array(line.utf8)) else {
      Issue.record("the line is no step")
      return
    }
    #expect(found.outline.number == step.number)
    #expect(found.outline.time == step.time.microseconds)
    #expect(found.outline.cause == step.cause)
    #expect(found.type == step.type)
    #expect(found.writes == StepShape(step).writes)
  }

  @Test(
    "What is unusual or wrong is left",
    arguments: [
      "", "1", "[]", "{", #"{"mark":"m","t":1}"#,
      #"{"t":1,"action":{"type":"a"}}"#, #"{"n":1,"action":{"type":"a"}}"#, #"{"n":1,"t":1}"#,
      #"{"n":1.0,"t":1,"action":{"type":"a"}}"#, #"{"n":-1,"t":1,"action":{"type":"a"}}"#,
      #"{"n":1234567890123456789,"t":1,"action":{"type":"a"}}"#,
      #"{"n":"1","t":1,"action":{"type":"a"}}"#, #"{"n":1,"t":-1,"action":{"type":"a"}}"#,
      #"{"n":1,"t":1e99,"action":{"type":"a"}}"#, #"{"n":1,"t":"1","action":{"type":"a"}}"#,
      #"{"n":1,"t":1,"action":[]}"#, #"{"n":1,"t":1,"action":{}}"#,
      #"{"n":1,"t":1,"action":{"type":1}}"#, #"{"n":1,"t":1,"action":{"type":"\u0061"}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"\u0061":1}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"n":1}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":{"a":{"x":1,"x":1}}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":[]}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":{"\u0061":1}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"patches":{"a":1}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"removed":"a"}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"removed":[1]}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"took":1.5}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"target":null}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"cause":"1"}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"rejected":{"reason":"r"}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"sum":"00000000"}"#,
      #"{"n":1,"t":1,"action":{"type":"a"}} x"#,
    ])
  func left(line: String) {
    #expect(Self.outline(line) == nil)
  }
}
