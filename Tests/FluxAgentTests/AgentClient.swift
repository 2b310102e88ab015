import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

@testable import FluxAgent

/// A client in this process: the machine and the answers, without streams and threads.
final class AgentClient {
  static let recordings = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Recordings").path(percentEncoded: false)

  private let answers: Answers
  private var machine: AgentMachine
  private let world: AgentWorld
  private var id = 0
  /// The seconds that a call may take.
  var timeLimit: Double

  /// The world of a test: logs below some roots, temporary files in a folder.
  static func world(_ roots: [String], _ folder: TemporaryFolder, app: (any ReplayApp)? = nil)
    -> AgentWorld
  {
    var world = AgentWorld(roots: roots) { name in
      let path = folder.path("\(UUID().uuidString)-\(name)")
      return AgentWorld.KeptFile(path: path, keeper: folder)
    }
    if let app { world.app = { _ in app } }
    return world
  }

  init(_ world: AgentWorld) {
    self.world = world
    timeLimit = world.timeLimit
    answers = Answers(world)
    machine = AgentMachine(answers.catalogue)
  }

  /// Sends a line; returns the lines that come back, without their ends.
  func send(_ line: some Collection<UInt8>) -> [[UInt8]] {
    machine.receive(Array(line)).flatMap { outcome -> [[UInt8]] in
      switch outcome {
      case .send(let bytes): return [Array(bytes.dropLast())]
      case .cancel: return []
      case .call(let request):
        let call = ToolCall(budget: world.budget, seconds: timeLimit)
        let line = machine.answer(request, answers.answer(request, call))
        return line.map { [Array($0.dropLast())] } ?? []
      }
    }
  }

  /// Sends a line; returns the texts that come back.
  func texts(_ line: String) -> [String] {
    send(line.utf8).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Makes a request; returns its result or error.
  func ask(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    id += 1
    let line = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters.text)}"#
    let answer = try JSON.parse(try #require(send(line.utf8).first))
    return answer["result"] ?? answer["error"] ?? .null
  }

  /// Calls a tool; returns its whole result.
  func result(_ tool: String, _ arguments: JSON) throws -> JSON {
    try ask("tools/call", ["name": .init(stringLiteral: tool), "arguments": arguments])
  }

  /// Calls a tool that answers; returns the exact answer, after checking it against its schema and the budget.
  func call(_ tool: String, _ arguments: JSON) throws -> JSON {
    let result = try result(tool, arguments)
    let text = try #require(result["content"]?[0]?["text"]?.string)
    #expect(result["isError"] == nil, "\(tool) \(arguments): \(text)")
    #expect(text.utf8.count <= world.budget)
    let structured = try #require(result["structuredContent"], "\(text)")
    #expect(structured.text.utf8.count <= world.budget)
    let schema = try #require(
      answers.catalogue.tools.first { $0["name"]?.string == tool }?["outputSchema"])
    #expect(SchemaCheck.problems(of: structured, schema) == [], "\(tool)")
    return try JSON.parse(text)
  }

  /// Calls a tool until it gives no cursor; returns the rows of all pages.
  func all(_ tool: String, _ arguments: JSON, _ member: String) throws -> (rows: [JSON], pages: Int)
  {
    var rows: [JSON] = []
    var cursor: JSON?
    var pages = 0
    repeat {
      let members = arguments.members.map { (name: $0.name, value: $0.value) }
      let page = try call(tool, JSON(object: members + (cursor.map { [("cursor", $0)] } ?? [])))
      rows += page[member].map { Array($0.elements) } ?? []
      cursor = page["cursor"]
      pages += 1
    } while cursor != nil && pages < 1000
    return (rows, pages)
  }

  /// Calls a tool that fails; returns its words.
  func failure(_ tool: String, _ arguments: JSON) throws -> String {
    let result = try result(tool, arguments)
    #expect(result["isError"]?.bool == true, "\(tool) \(arguments): \(result)")
    #expect(result["structuredContent"] == nil)
    return result["content"]?[0]?["text"]?.string ?? result["message"]?.string ?? ""
  }
}

/// The part of JSON Schema that the server uses.
enum SchemaCheck {
  static func problems(of value: JSON, _ schema: JSON, at path: String = "$") -> [String] {
    if let type = schema["type"] {
      let types = type.kind == .array ? type.elements.compactMap(\.string) : [type.string ?? ""]
      guard types.contains(where: { matches(value, $0) }) else {
        return ["\(path) is \(value.kind), expected \(types)"]
      }
    }
    if let choices = schema["enum"], !choices.elements.contains(value) {
      return ["\(path) is no choice"]
    }
    var problems: [String] = []
    if value.kind == .object, let members = schema["properties"] {
      for required in schema["required"].map({ Array($0.elements) }) ?? [] {
        if let name = required.string, value[name] == nil {
          problems.append("\(path).\(name) is missing")
        }
      }
      for member in value.members {
        if let schema = members[member.name] {
          problems += Self.problems(of: member.value, schema, at: "\(path).\(member.name)")
        } else if schema["additionalProperties"]?.bool == false {
          problems.append("\(path).\(member.name) is unknown")
        }
      }
    }
    if value.kind == .array, let items = schema["items"] {
      for (index, element) in value.elements.enumerated() {
        problems += Self.problems(of: element, items, at: "\(path)[\(index)]")
      }
    }
    return problems
  }

  private static func matches(_ value: JSON, _ type: String) -> Bool {
    switch type {
    case "object": value.kind == .object
    case "array": value.kind == .array
    case "string": value.kind == .string
    case "boolean": value.kind == .bool
    case "number": value.kind == .number
    case "integer": value.number?.int64 != nil
    default: false
    }
  }
}
