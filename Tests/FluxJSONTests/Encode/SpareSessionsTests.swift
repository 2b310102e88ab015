import Testing

@testable import FluxJSON

@Suite struct SpareSessionsTests {
  /// Keeps the containers that it was given, and writes to them later.
  private final class Hoarder: Encodable {
    private enum Keys: CodingKey { case a, b }

    private var outer: KeyedEncodingContainer<Keys>?
    private var inner: KeyedEncodingContainer<Keys>?

    func encode(to encoder: any Encoder) throws {
      outer = encoder.container(keyedBy: Keys.self)
      inner = outer?.nestedContainer(keyedBy: Keys.self, forKey: .a)
      try inner?.encode(1, forKey: .a)
    }

    func writeLater() throws {
      try inner?.encode(2, forKey: .b)
      try outer?.encode(3, forKey: .b)
    }
  }

  private struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode("begun")
      throw Refusal()
    }
  }

  private struct Refusal: Error {}

  /// Encodes another value while it is encoded.
  private struct Recursive: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(try LogEncoder().encode(["inner": [1, 2]]).text)
    }
  }

  private enum Choice: Encodable { case one(value: Int), two([Choice]) }

  @Test("A container that outlives its value never writes into another one")
  func hoarded() throws {
    let hoarder = Hoarder()
    #expect(try LogEncoder().encode(hoarder).text == #"{"a":{"a":1}}"#)
    struct Late: Encodable {
      let hoarder: Hoarder
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode("first")
        #expect(throws: (any Error).self) { try hoarder.writeLater() }
        try container.encode("second")
      }
    }
    #expect(try LogEncoder().encode(Late(hoarder: hoarder)).text == #"["first","second"]"#)
  }

  @Test("Objects inside objects of their own kind, and beside others, have containers of their own")
  func containers() throws {
    struct Tree: Encodable {
      var name: String
      var left: [Tree] = []
      var right: [Tree] = []
    }
    struct Leaf: Encodable { var name = "leaf" }
    struct Both: Encodable {
      var leaf = Leaf()
      var one = Choice.one(value: 1)
      var tree = Tree(name: "a", left: [Tree(name: "b", right: [Tree(name: "c")])])
      var two = Choice.one(value: 2)
    }
    let tree =
      #"{"left":[{"left":[],"name":"b","right":[{"left":[],"name":"c","right":[]}]}],"#
      + #""name":"a","right":[]}"#
    let text =
      #"{"leaf":{"name":"leaf"},"one":{"one":{"value":1}},"tree":\#(tree),"two":{"one":{"value":2}}}"#
    for _ in 0..<4 { #expect(try LogEncoder().encode(Both()).text == text) }
  }

  @Test("Nothing is held once an encoding is done and what outlived it is gone")
  func released() throws {
    final class Token: Sendable {}
    let key = try #require(CodingUserInfoKey(rawValue: "token"))
    weak var released: Token?
    do {
      let token = Token()
      released = token
      let encoder = LogEncoder(userInfo: [key: token])
      _ = try encoder.encode(Choice.two([.one(value: 1), .two([])]))
      #expect(throws: EncodingError.self) { try encoder.encode(["a": Failing()]) }
      let hoarder = Hoarder()
      _ = try encoder.encode(hoarder)
      #expect(throws: (any Error).self) { try hoarder.writeLater() }
    }
    #expect(released == nil)
  }

  @Test("After a failure, and inside of another one, a value is encoded as at first")
  func again() throws {
    let choice = Choice.two([.one(value: 1), .two([])])
    let text = #"{"two":{"_0":[{"one":{"value":1}},{"two":{"_0":[]}}]}}"#
    for _ in 0..<8 {
      #expect(throws: Refusal.self) { try LogEncoder().encode(Failing()) }
      #expect(try LogEncoder().encode(choice).text == text)
      #expect(try LogEncoder().encode(Recursive()).text == #""{\"inner\":[1,2]}""#)
      #expect(try LogEncoder().encode([Set([3, 1, 2])]).text == "[[1,2,3]]")
    }
  }
}
