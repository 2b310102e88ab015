import FluxCore
import FluxJSON
public import FluxLog
import FluxReplay
import Foundation
import Testing

@testable import FluxRecorder

@Suite("The Swift source of actions")
struct ActionSourceTests {
  @Test(
    "Structs, cases and their values are written as in source",
    arguments: [
      (#"{"type":"note/clear"}"#, "NoteAction.clear"),
      (
        #"{"type":"note/add","payload":{"title":"\"milk\"\n"}}"#,
        #"NoteAction.add(title: "\"milk\"\n")"#
      ),
      (#"{"type":"note/move","payload":{"_0":2,"to":-1}}"#, "NoteAction.move(2, to: -1)"),
      (
        #"{"type":"note/tag","payload":{"_0":["a","b"],"color":"red","weight":0.5}}"#,
        #"NoteAction.tag(["a", "b"], color: .red, weight: 0.5)"#
      ),
      (
        #"{"type":"note/tag","payload":{"_0":[],"color":"blue"}}"#,
        "NoteAction.tag([], color: .blue, weight: nil)"
      ),
      (
        #"{"type":"note/put","payload":{"_0":{"id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","place":{"x":1,"y":2},"scores":{"b":2,"a":1}}}}"#,
        """
        NoteAction.put(Note(id: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, \
        place: Note.Place(x: 1, y: 2), scores: ["a": 1, "b": 2]))
        """
      ),
      (#"{"type":"rename","payload":{"name":"日本"}}"#, #"Rename(name: "日本")"#),
      (#"{"type":"note/look","payload":{}}"#, "NoteAction.look(nil)"),
      (#"{"type":"note/look","payload":{"_0":{"none":{}}}}"#, "NoteAction.look(.some(.none))"),
      (
        #"{"type":"note/look","payload":{"_0":{"some":{"inout":1}}}}"#,
        "NoteAction.look(.some(.some(`inout`: 1)))"
      ),
      (#"{"type":"note/look","payload":{"_0":{"init":{}}}}"#, "NoteAction.look(.`init`)"),
      (#"{"type":"note/self"}"#, "NoteAction.`self`"),
      (#"{"type":"note/default","payload":{"in":2}}"#, "NoteAction.default(in: 2)"),
    ])
  func expressions(json: String, expected: String) throws {
    let app = AppDefinition { [NotePad()] }
    #expect(try app.source(of: [JSON.parse(json)]).sources == [expected])
  }

  @Test("What cannot be written has no source")
  func none() throws {
    let app = AppDefinition { [NotePad()] }
    let actions = try [
      #"{"type":"note/unknown"}"#, #"{"type":"note/odd","payload":{"_0":{"_text":"x"}}}"#,
      #"{"type":"note/say","payload":{"_0":"loud"}}"#,
      #"{"type":"batch","payload":{"actions":[]}}"#,
      #"{"type":"note/Type"}"#,
      #"{"type":"note/span","payload":{"_0":{"start":"2026-11-20T12:00:00Z","duration":5}}}"#,
    ].map { try JSON.parse($0) }
    #expect(app.source(of: actions).sources == [nil, nil, nil, nil, nil, nil])
  }

  @Test("The modules are those of the stores, and of the types in the actions that have a source")
  func modules() throws {
    let app = AppDefinition { [NotePad()] }
    let actions = try [
      #"{"type":"note/clear"}"#,
      #"{"type":"note/refuse","payload":{"_0":["late"]}}"#,
    ].map { try JSON.parse($0) }
    #expect(app.source(of: [actions[0]]).modules == ["FluxRecorderTests"])
    #expect(app.source(of: actions).modules == ["FluxRecorderTests", "FluxLog"])
  }

  @Test("Stores with nothing but their initial states are made by their initializers")
  func stores() {
    func source(_ stores: String?) -> AppSource {
      AppSource(modules: ["FluxRecorderTests"], stores: stores)
    }
    let plain = AppDefinition { [PlainPad()] }
    #expect(plain.source(of: []) == source("{ [PlainPad()] }"))
    let scaled = AppDefinition { [PlainPad(), ScaledPad(scale: 2)] }
    #expect(scaled.source(of: []) == source(nil))
    // Nothing tells them apart but what one of them was given.
    let twins = AppDefinition { [TwinPad("left"), TwinPad("right")] }
    #expect(twins.source(of: []) == source(nil))
    let hidden = AppDefinition { [NotePad()] }
    #expect(hidden.source(of: []) == source(nil))
    let reducer = AppDefinition(store: "rename", initial: Note.Place(x: 0, y: 0)) {
      (place, action: Rename, inputs) in place.x += 1
    }
    #expect(reducer.source(of: []) == source(nil))
  }
}

struct PlainPad: Store {
  let initialState = 0

  func reduce(_ state: inout Int, _ action: NoteAction, _ step: inout Step) {}
}

struct TwinPad: Store {
  let id: StoreID
  let initialState = 0

  init(_ id: StoreID) { self.id = id }

  func reduce(_ state: inout Int, _ action: NoteAction, _ step: inout Step) {}
}

struct ScaledPad: Store {
  let initialState = 0
  let scale: Int

  func reduce(_ state: inout Int, _ action: Rename, _ step: inout Step) {}
}

struct Note: Codable, Equatable, Sendable {
  struct Place: Codable, Equatable, Sendable {
    var x: Int
    var y: Int
  }

  var id: UUID
  var place: Place
  var scores: [String: Int]
}

enum NoteAction: Action {
  enum Color: String, Codable, Sendable { case red, blue }

  /// A value whose initializer is not known from its members.
  struct Odd: Codable, Equatable, Sendable {
    private var _text: String
  }

  /// A value that describes itself with other words.
  enum Voice: String, Codable, Sendable, CustomStringConvertible {
    case loud
    var description: String { "very \(rawValue)" }
  }

  /// Cases that are something else where they stand in source.
  enum Look: Codable, Sendable {
    case none
    case some(`inout`: Int)
    case `init`
  }

  case clear
  case add(title: String)
  case move(Int, to: Int)
  case tag([String], color: Color, weight: Double?)
  case put(Note)
  case odd(Odd)
  case say(Voice)
  case look(Look?)
  case `self`
  case `Type`
  case `default`(in: Int)
  case span(DateInterval)
  case refuse([LogRejection])
}

/// A type of another module.
extension LogRejection: Decodable {
  /// Reads the reason alone.
  public init(from decoder: any Decoder) throws {
    self.init(reason: try decoder.singleValueContainer().decode(String.self), message: "")
  }
}

struct Rename: Action {
  let name: String
}

private struct NotePad: Store {
  var initialState: Int { 0 }

  func reduce(_ state: inout Int, _ action: NoteAction, _ step: inout Step) {}

  var reactions: [Reaction<Int>] { [.on(Rename.self) { _, _, _ in }] }
}
