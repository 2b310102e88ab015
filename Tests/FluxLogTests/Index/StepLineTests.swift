import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct StepLineTests {
  fileprivate static let patch = #"[{"op":"add","path":"/0","value":{"a":["}","]",{}]}}]"#

  private func found(_ line: String, _ store: String = "a") -> String? {
    let bytes = Array(line.utf8)
    return unsafe bytes.withUnsafeBytes { buffer in
      let line = unsafe StepLine(JSONBytes(buffer), firstOf: 0..<bytes.count)
      var finder = PatchFinder(store)
      return line.flatMap { finder.patch(in: $0) }.map {
        String(decoding: bytes[$0], as: UTF8.self)
      }
    }
  }

  /// The pointer and the value of a replacement.
  private func replacement(_ line: String) -> [String]? {
    let bytes = Array(line.utf8)
    return unsafe bytes.withUnsafeBytes { buffer in
      let line = unsafe StepLine(JSONBytes(buffer), firstOf: 0..<bytes.count)
      var finder = PatchFinder("a")
      return line.flatMap { finder.replacement(in: $0) }.map { found in
        [found.path, found.value].map { String(decoding: bytes[$0], as: UTF8.self) }
      }
    }
  }

  @Test(
    "A patch is found in every line that a writer may write",
    arguments: [
      #""action":{"type":"x"},"patches":{"a":\#(StepLineTests.patch)}"#,
      #""action":{"type":"x","payload":{"patches":{"a":[1]}}},"patches":{"a":\#(StepLineTests.patch)}"#,
      #""action":{"type":"x"},"target":"a","cause":1,"effect":"e\"{","at":"F.swift:1","took":3,"patches":{"a":\#(StepLineTests.patch)}"#,
      #""action":{"type":"x"},"took":3,"reflected":true,"patches":{"a":\#(StepLineTests.patch)}"#,
      #""action":{"type":"x"},"states":{"b":{"patches":{"a":[2]}}},"patches":{"a":\#(StepLineTests.patch)}"#,
      #""action":{"type":"x"},"patches":{"aa":[],"a":\#(StepLineTests.patch),"b":[{"op":"remove","path":"/a"}]}"#,
      #""action":{"type":"x"},"patches":{"a":\#(StepLineTests.patch)},"removed":["c"]"#,
    ])
  func found(members: String) {
    let line = SampleLog.summed(#"{"n":2,"t":1.000000,\#(members)}"#)
    #expect(found(line) == Self.patch)
    #expect(found(String(line.dropLast())) == Self.patch)
    #expect(found(line.dropLast() + "\r\n") == Self.patch)
    // A mark after the step is in the same range of the file.
    #expect(found(line + SampleLog.summed(#"{"mark":"m","t":1}"#)) == Self.patch)
  }

  @Test(
    "What a parser has to decide is left to it",
    arguments: [
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":[1],"a":[2]}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":[1]},"patches":{"a":[2]}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"\u0061":[1]}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"b":[1]}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches": {"a":[1]}}"#,
      #"{"n":2, "t":1.000000,"action":{"type":"x"},"patches":{"a":[1]}}"#,
      #"{"t":1.000000,"n":2,"action":{"type":"x"},"patches":{"a":[1]}}"#,
    ])
  func left(line: String) {
    #expect(found(SampleLog.summed(line)) == nil)
  }

  @Test(
    "A replacement is found in every line that a writer may write",
    arguments: [
      ([#""patches":{"a":"#, "}"], #"[{"x":"]"},"}"]"#),
      ([#""patches":{"a":"#, #","b":[]}"#], "1"),
      ([#""patches":{"A":[],"a":"#, #"},"removed":["c"]"#], #""}]}""#),
      ([#""target":"a","at":"F.swift:1","patches":{"a":"#, "}"], "null"),
      ([#""states":{"b":{"patches":{"a":[2]}}},"patches":{"a":"#, "}"], #""text""#),
    ] as [([String], String)])
  func replacements(around: [String], value: String) throws {
    let patch = #"[{"op":"replace","path":"/x/0","value":\#(value)}]"#
    for payload in [#"{"patches":{"a":\#(patch)}}"#, #"",\"patches\":{\"a\":""#, "1"] {
      let action = #"{"type":"x","payload":\#(payload)}"#
      let line = #"{"n":2,"t":1.000000,"action":\#(action),\#(around[0])\#(patch)\#(around[1])}"#
      #expect(replacement(SampleLog.summed(line)) == ["/x/0", value], "\(line)")
    }
  }

  @Test(
    "What is no replacement as writers write it is left to those who apply patches",
    arguments: [
      #"[{"op":"replace","path":"/x","value":1},{"op":"remove","path":"/y"}]"#,
      #"[{"op":"replace","path":"/\u0078","value":1}]"#, #"[{"op":"replace","path":"/x"}]"#,
      #"[{"op":"replace","path":"/x","value":}]"#,
      #"[{"op":"replace","path":"/x","value":1,"y":2}]"#,
      #"[{"op":"add","path":"/x","value":1}]"#, #"[{"op":"replace","path": "/x","value":1}]"#, "[]",
    ])
  func others(patch: String) throws {
    let line = #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":\#(patch)}}"#
    #expect(replacement(SampleLog.summed(line)) == nil)
  }

  @Test("A line with a missing or wrong sum is left to the parser")
  func sums() {
    let line = #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":[1]}}"#
    #expect(found(line) == nil)
    #expect(found(SampleLog.summed(line).replacing("[1]", with: "[2]")) == nil)
  }

  @Test("Lines that are not as writers write them give the same states")
  func states() throws {
    let folder = try TemporaryFolder()
    let add = #"{"op":"add","path":"/0","value":1}"#
    var lines = [#"{"flux":"1.0","stores":{"a":{"initial":[]},"b":{"initial":0}}}"#]
    lines += [
      #""patches":{"a":[\#(add),\#(add)]}"#, #""patches":{"a":[]}"#,
      #""patches":{"a":[ ]}"#, #""patches":{"b":[],"a":[\#(add)]}"#,
      #""patches":{"a":[7],"a":[\#(add)]}"#, #" "patches": {"a": [\#(add)]} "#,
      #""patches":{"a":[{"op":"replace","path":"/0","value":[{"op":"]"}]}]}"#,
    ].enumerated().map { n, changes in
      #"{"n":\#(n + 1),"t":1.000000,"action":{"type":"x"},\#(changes)}"#
    }
    for (name, text) in [
      ("summed", lines.map(SampleLog.summed).joined()), ("bare", lines.joined(separator: "\n")),
    ] {
      let path = try folder.write((text + "\n").utf8, to: "\(name).jsonl")
      let log = try LogFile.opened(path)
      let expected = [
        "[1,1]", "[1,1]", "[1,1]", "[1,1,1]", "[1,1,1,1]", "[1,1,1,1,1]",
        #"[[{"op":"]"}],1,1,1,1]"#,
      ]
      for position in 0..<7 {
        #expect(
          try Timeline(log).state(of: "a", at: position)?.text == expected[position],
          "\(name), \(position)")
      }
    }
  }
}
