import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct RPCLineTests {
  @Test("received values lose their line ends in messages")
  func lines() throws {
    let id = try JSON.parse("\"a\"")
    let value = try JSON.parse("{\n\"b\":\r\n\"c\\nd\"}")
    let line = RPCLine.result(id, value)
    #expect(
      String(decoding: line, as: UTF8.self)
        == "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{ \"b\":\r \"c\\nd\"}}\n")
    #expect(try RPCMessage(Array(line.dropLast())) == .result(id: id, value))
  }
}
