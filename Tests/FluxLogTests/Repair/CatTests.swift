import TestFixtures
import Testing

@testable import FluxLog

@Suite struct CatTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cat(
    _ lines: [String] = SampleLog.lines, range: Range<Int> = -1..<100, types: Glob? = nil,
    withModel: Bool = false
  ) throws -> [String] {
    let path = try folder.write(lines.map(SampleLog.summed).joined().utf8, to: "log.jsonl")
    var found: [String] = []
    try Timeline(try LogFile.opened(path))
      .forEachLine(in: range, types: types, withModel: withModel) {
        found.append(String(decoding: $0, as: UTF8.self))
      }
    return found
  }

  @Test("Steps are listed as they are in the file, without other lines")
  func plain() throws {
    let steps = SampleLog.lines.filter { $0.hasPrefix(#"{"n""#) }
      .map { String(SampleLog.summed($0).dropLast()) }
    #expect(try cat() == steps)
    #expect(try cat(range: 1..<3) == Array(steps[1..<3]))
    #expect(try cat(types: Glob("todo/*")) == [steps[0], steps[2], steps[5]])
    #expect(try cat(range: 1..<3, types: Glob("none")) == [])
  }

  @Test("With its model, each step has the state of every store and no sum")
  func model() throws {
    let found = try cat(range: 4..<7, withModel: true)
    #expect(
      found == [
        #"{"n":5,"t":0.400000,"action":{"type":"bad"},"rejected":{"reason":"impossible","message":"}"},"state":{"search":null,"todos":{"items":[{"id":1}]}}}"#,
        #"{"n":10,"t":1.000000,"action":{"type":"todo/add"},"states":{"search":null,"todos":{"items":[]}},"state":{"search":null,"todos":{"items":[]}}}"#,
        #"{"n":11,"t":1.100000,"action":{"type":"search/close"},"removed":["search"],"state":{"todos":{"items":[]}}}"#,
      ])
  }

  @Test("Unknown stores are named")
  func unknown() throws {
    let found = try cat(
      [
        #"{"flux":"1.0","stores":{"a":{"initial":[]},"b":{"initial":1}}}"#,
        #"{"n":2,"t":1,"action":{"type":"x"},"states":{"b":2}}"#,
      ], withModel: true)
    #expect(
      found == [
        #"{"n":2,"t":1,"action":{"type":"x"},"states":{"b":2},"state":{"b":2},"unknown":["a"]}"#
      ])
  }
}
