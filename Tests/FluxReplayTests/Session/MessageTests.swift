import FluxJSON
import FluxLog
import FluxReplay
import Testing

@Suite struct MessageTests {
  @Test(
    "a step is written and read back as it was",
    arguments: [
      #"{"n":1,"t":0.000001}"#,
      #"{"n":2,"t":1.500000,"states":{"cart":{"items":[]},"note":null}}"#,
      #"{"n":3,"t":2.000000,"removed":["search"],"effects":["fetch","save"]}"#,
      #"{"n":3,"t":2.000000,"effects":{"cart":["save","-search","+-odd"],"note":["load"]}}"#,
      #"{"n":4,"t":2.000000,"rejected":{"reason":"refused","message":"closed","store":"cart"}}"#,
      #"{"n":5,"t":2.000000,"undecodable":"no such case"}"#,
      #"{"n":6,"t":3.000000,"action":{"type":"cart/add"},"target":"cart","cause":5,"#
        + #""states":{"cart":1},"removed":["search"],"#
        + #""followUps":[{"action":{"type":"a"}},{"action":{"type":"b"},"target":"cart"}]}"#,
    ])
  func step(_ text: String) throws {
    let step = try ReplayedStep(JSON.parse(text))
    #expect(JSON(message: step).text == text)
  }

  @Test("the effects of a step by store tell which names were started")
  func effects() throws {
    let step = try ReplayedStep(
      JSON.parse(
        #"{"n":3,"t":2,"effects":{"cart":["save","-search","+-odd","++more"],"note":["load"]}}"#))
    #expect(step.effects == ["save", "-odd", "+more", "load"])
  }

  @Test(
    "an action is written and read back as it was",
    arguments: [
      #"{"n":7,"t":0.250000,"action":{"type":"cart/add","payload":{"_0":1}},"target":"cart"}"#,
      #"{"t":0.000000,"action":{"type":"x"}}"#,
    ])
  func action(_ text: String) throws {
    let action = try ReplayAction(JSON.parse(text))
    #expect(JSON(message: action).text == text)
  }

  @Test(
    "the start of a session is written and read back as it was",
    arguments: [
      #"{"mode":"replay","seed":"00000000000000ff","created":"2026-11-20T12:00:00.000000Z","#
        + #""states":{"a":1,"b":null},"next":5,"t":1.000000}"#,
      #"{"mode":"simulate","seed":"ffffffffffffffff","created":"1969-12-31T23:59:59.999999Z","#
        + #""next":1,"t":0.000000}"#,
    ])
  func start(_ text: String) throws {
    let start = try SessionStart(JSON.parse(text))
    #expect(JSON(message: start).text == text)
  }

  @Test(
    "a description is written and read back as it was",
    arguments: [
      #"{"stores":[],"actionTypes":[]}"#,
      #"{"name":"Shop","version":"1.0","#
        + #""stores":[{"name":"cart","type":"Cart"},{"name":"search","feature":true}],"#
        + #""actionTypes":["cart"],"storeAliases":{"basket":"cart"},"#
        + #""actionAliases":{"basket":"cart"},"upcastStores":["basket"]}"#,
    ])
  func description(_ text: String) throws {
    let description = try AppDescription(JSON.parse(text))
    #expect(JSON(message: description).text == text)
  }

  @Test(
    "what is wrong with a message is said with the member, what was expected and what is there",
    arguments: [
      (#"[]"#, "a replayed step must be an object, found []"),
      (#"{}"#, #""n" of a replayed step is missing; expected a whole number"#),
      (#"{"n":1.5}"#, #""n" of a replayed step must be a whole number, found 1.5"#),
      (
        #"{"n":1,"t":-1}"#,
        #""t" of a replayed step must be a number of seconds from 0 on, found -1"#
      ),
      (
        #"{"n":1,"t":0,"effects":[1]}"#,
        #""effects" of a replayed step must be an array of strings, found [1]"#
      ),
      (
        #"{"n":1,"t":0,"followUps":[{}]}"#,
        #""action" of a follow-up is missing; expected an object"#
      ),
    ])
  func malformed(_ text: String, _ message: String) throws {
    let json = try JSON.parse(text)
    let error = #expect(throws: MalformedMessage.self) { try ReplayedStep(json) }
    #expect(error?.description == message)
  }

  @Test(
    "a start that is wrong is refused",
    arguments: [
      (
        #"{"mode":"live"}"#,
        #""mode" of the start of a session must be replay or simulate, found "live""#
      ),
      (
        #"{"mode":"replay","seed":"ff"}"#,
        #""seed" of the start of a session must be 16 hex digits, found "ff""#
      ),
      (
        #"{"mode":"replay","seed":"+00000000000000f"}"#,
        #""seed" of the start of a session must be 16 hex digits, found "+00000000000000f""#
      ),
      (
        #"{"mode":"replay","seed":"0000000000000001","created":"today"}"#,
        #""created" of the start of a session must be a date and time with a zone, found "today""#
      ),
    ])
  func malformedStart(_ text: String, _ message: String) throws {
    let json = try JSON.parse(text)
    let error = #expect(throws: MalformedMessage.self) { try SessionStart(json) }
    #expect(error?.description == message)
  }
}
