import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import Testing

enum ShopAction: Action, Equatable {
  case open
  case add(item: String, count: Int)
  case note(String)
}

enum LampAction: String, Action { case on, off }

struct Move: Action, Equatable {
  let x: Int
  let y: Int
}

struct Ping: Action, Equatable {}

/// An enum whose `encode(to:)` writes any JSON.
enum CustomAction: Action {
  case text(String)

  init(from decoder: any Decoder) throws { self = .text("") }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try JSON.parse(text).encode(to: encoder)
    }
  }
}

/// An action with a case of any name.
struct AnyCase: Action {
  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let name: String

  init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: Key.self).allKeys.first?.stringValue ?? ""
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(true, forKey: Key(stringValue: name))
  }
}

@Suite struct ActionCoderTests {
  static let types: [String: any Action.Type] = [
    "shop": ShopAction.self, "lamp": LampAction.self, "move": Move.self, "ping": Ping.self,
  ]

  @Test(
    "an action is written as the log has it, and read back equal",
    arguments: [
      (ShopAction.open, #"{"type":"shop/open"}"#),
      (
        ShopAction.add(item: "tea", count: 2),
        #"{"type":"shop/add","payload":{"count":2,"item":"tea"}}"#
      ),
      (ShopAction.note("x"), #"{"type":"shop/note","payload":{"_0":"x"}}"#),
      (LampAction.off, #"{"type":"lamp/off"}"#),
      (Move(x: 1, y: 2), #"{"type":"move","payload":{"x":1,"y":2}}"#),
      (Ping(), #"{"type":"ping"}"#),
      (
        Batch("both", [LampAction.on, Batch(nil, [Move(x: 1, y: 2)])]),
        #"{"type":"batch","payload":{"actions":[{"type":"lamp/on"},"#
          + #"{"type":"batch","payload":{"actions":[{"type":"move","payload":{"x":1,"y":2}}]}}],"#
          + #""label":"both"}}"#
      ),
    ] as [(any Action, String)])
  func roundTrip(_ action: any Action, _ text: String) throws {
    let coder = ActionCoder(types: Self.types)
    let json = try coder.encode(action)
    #expect(json.text == text)
    #expect("\(try coder.decode(json))" == "\(action)")
  }

  @Test(
    "what cannot be read says what is wrong and what to do",
    arguments: [
      (#"{"payload":{}}"#, #"the action has no "type"; expected {"type":"kind/case","payload":…}"#),
      (
        #"{"type":"shop2/open"}"#,
        #"no action is called "shop2/open"; the app's actions are lamp, move, ping, shop. "#
          + "If it was renamed, add an alias to the app's Evolution"
      ),
      (
        #"{"type":"shop/close"}"#,
        #"the app's actions have no case "shop/close". "#
          + "If it was renamed, add an alias or an upcaster to the app's Evolution"
      ),
    ])
  func unreadable(_ text: String, _ message: String) throws {
    let coder = ActionCoder(types: Self.types)
    let error = #expect(throws: ActionCodingError.self) { try coder.decode(try JSON.parse(text)) }
    #expect(error?.description == message)
  }

  @Test(
    "names that only look the same, and one that begins with a combining mark, are read as written")
  func lookAlike() throws {
    let coder = ActionCoder(types: ["any": AnyCase.self])
    for name in ["\u{E9}", "e\u{301}", "\u{301}"] {
      let action = try coder.decode(["type": .init(stringLiteral: "any/\(name)")])
      #expect((action as? AnyCase).map { Array($0.name.utf8) } == Array(name.utf8))
    }
  }

  @Test(
    "a payload that does not fit names the action",
    arguments: [
      #"{"type":"shop/add","payload":{"item":"tea"}}"#, #"{"type":"shop/add","payload":3}"#,
      #"{"type":"move"}"#, #"{"type":"lamp/dim"}"#, #"{"type":"batch","payload":{}}"#,
    ])
  func unfit(_ text: String) throws {
    let coder = ActionCoder(types: Self.types)
    let json = try JSON.parse(text)
    let error = #expect(throws: ActionCodingError.self) { try coder.decode(json) }
    #expect(error?.type == json["type"]?.string)
    #expect(error?.description.hasPrefix("the payload of ") == true)
  }

  @Test(
    "a payload that does not fit is explained in words, with the place",
    arguments: [
      (
        #"{"type":"shop/add","payload":{"item":"tea"}}"#,
        #"the payload of "shop/add" does not fit: there is no member "count""#
      ),
      (
        #"{"type":"lamp/dim"}"#,
        #"the payload of "lamp/dim" does not fit: Cannot initialize LampAction from invalid String value dim"#
      ),
      (
        #"{"type":"shop/add","payload":{"item":"tea","count":"2"}}"#,
        #"the payload of "shop/add" does not fit: expected a number, found a string, at payload.count"#
      ),
    ])
  func explained(_ text: String, _ message: String) throws {
    let coder = ActionCoder(types: Self.types)
    let error = #expect(throws: ActionCodingError.self) { try coder.decode(try JSON.parse(text)) }
    #expect(error?.description == message)
  }

  @Test(
    "the only member of an enum is its case; anything else is its payload",
    arguments: [
      (#"{"a":1}"#, #"{"type":"custom/a","payload":1}"#),
      (#"{"a":{}}"#, #"{"type":"custom/a"}"#),
      (#"{"a\"b":",}"}"#, #"{"type":"custom/a\"b","payload":",}"}"#),
      (#"{"":["\\",{}]}"#, #"{"type":"custom/","payload":["\\",{}]}"#),
      (#"{"é":null}"#, #"{"type":"custom/é","payload":null}"#),
      (#""a\"b""#, #"{"type":"custom","payload":"a\"b"}"#),
      (#""""#, #"{"type":"custom","payload":""}"#),
      ("{}", #"{"type":"custom"}"#),
      ("[1]", #"{"type":"custom","payload":[1]}"#),
      (#"{"a":[1],"b":{}}"#, #"{"type":"custom","payload":{"a":[1],"b":{}}}"#),
    ])
  func customEnum(_ text: String, _ expected: String) throws {
    #expect(try ActionCoder().encode(CustomAction.text(text)).text == expected)
  }
}
