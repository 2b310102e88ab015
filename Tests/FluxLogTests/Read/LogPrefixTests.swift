import TestFixtures
import Testing

@testable import FluxLog

@Suite struct LogPrefixTests {
  private let folder: TemporaryFolder
  private static let header = #"{"flux":"1.0","log":"a"}"# + "\n"
  private static let steps = (1...3).map { #"{"n":\#($0),"t":0,"action":{"type":"a/b"}}"# + "\n" }

  init() throws { folder = try TemporaryFolder() }

  private func log(_ steps: [String], named name: String) throws -> LogFile {
    let path = try folder.write(Self.header + steps.joined(), to: name)
    let log = try LogFile.open(path)
    try log.waitForIndex()
    return log
  }

  @Test("a log begins with the lines that it had before")
  func grown() throws {
    let before = try log(Array(Self.steps.prefix(2)), named: "before.jsonl")
    let prefix = try before.prefix()
    #expect(try prefix.byteCount == folder.bytes(of: "before.jsonl").count)
    #expect(try before.begins(with: prefix))
    #expect(try log(Self.steps, named: "after.jsonl").begins(with: prefix))
  }

  @Test("a log does not begin with another line, or with more lines than it has")
  func others() throws {
    let whole = try log(Self.steps, named: "whole.jsonl")
    var changed = Self.steps
    changed[0] = changed[0].replacing("a/b", with: "a/c")
    #expect(try !log(changed, named: "changed.jsonl").begins(with: whole.prefix()))
    let part = try log(Array(Self.steps.prefix(2)), named: "part.jsonl")
    #expect(try !part.begins(with: whole.prefix()))
    #expect(try !whole.begins(with: LogPrefix(byteCount: -1, crc: 0)))
  }

  @Test("an error of the caller ends the reading")
  func stopped() throws {
    struct Enough: Error {}
    let log = try log(Self.steps, named: "log.jsonl")
    #expect(throws: Enough.self) { try log.prefix { throw Enough() } }
  }
}
