import FluxJSON
import Testing

@Suite struct LogEncoderOrderTests {
  private let encoder = LogEncoder(order: .declaration)

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.bytes(of: value), as: UTF8.self)
  }

  private struct Step: Encodable {
    let zebra: Int
    let apple: String?
    let nested: [String: Int]
    let value: JSON
  }

  @Test("Members keep the order of the declaration, dictionaries are sorted")
  func order() throws {
    let value = try JSON.parse(#"{"z" : 1.50, "a" : []}"#)
    let step = Step(zebra: 1, apple: nil, nested: ["b": 2, "a": 1, "c": 3], value: value)
    #expect(
      try text([step])
        == #"[{"zebra":1,"nested":{"a":1,"b":2,"c":3},"value":{"z" : 1.50, "a" : []}}]"#)
    #expect(
      String(decoding: try LogEncoder().bytes(of: step), as: UTF8.self)
        == #"{"nested":{"a":1,"b":2,"c":3},"value":{"z" : 1.50, "a" : []},"zebra":1}"#)
  }

  private struct Rows: Encodable {
    enum Keys: String, CodingKey { case rows, count, after }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Keys.self)
      try members.encode(2, forKey: .count)
      var rows = members.nestedUnkeyedContainer(forKey: .rows)
      try rows.encode("x")
      var row = rows.nestedContainer(keyedBy: Keys.self)
      try row.encode(1, forKey: .rows)
      try row.encode(2, forKey: .after)
      try rows.encode("y")
      try members.encode(3, forKey: .after)
    }
  }

  @Test("Nested containers stay where they were asked for")
  func nested() throws {
    #expect(
      try text([Rows()]) == #"[{"count":2,"rows":["x",{"rows":1,"after":2},"y"],"after":3}]"#)
    #expect(
      String(decoding: try LogEncoder().bytes(of: Rows()), as: UTF8.self)
        == #"{"after":3,"count":2,"rows":["x",{"after":2,"rows":1},"y"]}"#)
  }

  @Test("An encoder keeps no order of an encoding before it")
  func spareSessions() throws {
    for _ in 0..<8 {
      _ = try text(["b": Rows()])
      #expect(
        try LogEncoder().encode(Rows()).text
          == #"{"after":3,"count":2,"rows":["x",{"after":2,"rows":1},"y"]}"#)
    }
  }

  @Test("JSON and numbers are written as they are, ordered members in their order, nil as null")
  func verbatim() throws {
    let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(try text([[try JSON.parse(deep)]]) == "[[\(deep)]]")
    let number = try JSON.parse("1.2500")
    #expect(
      try text(OrderedMembers([("b", number), ("a", number)]))
        == #"{"b":1.2500,"a":1.2500}"#)
    #expect(try text([Nullable("a"), Nullable(nil)]) == #"["a",null]"#)
  }
}
