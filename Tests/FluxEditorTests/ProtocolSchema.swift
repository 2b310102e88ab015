import FluxJSON
import Foundation
import TestFixtures
import Testing

/// The JSON schema of the protocol, as far as it is there.
enum ProtocolSchema {
  struct Violation: Error, CustomStringConvertible { let description: String }

  /// The definitions; nil without the corpora.
  private static let definitions: JSON? = {
    let path = "schemas/debugAdapterProtocol.json"
    guard FileManager.default.fileExists(atPath: Corpora.folder.appending(path: path).path()) else {
      return nil
    }
    do {
      return try Corpora.json(path)["definitions"]
    } catch {
      Issue.record(error)
      return nil
    }
  }()

  static var isPresent: Bool { definitions != nil }

  /// Checks a message of the adapter.
  static func check(answer message: JSON) throws {
    if let event = message["event"]?.string {
      return try check(message, as: event.capitalizedFirst + "Event")
    }
    let command = message["command"]?.string ?? ""
    guard message["success"]?.bool == true else { return try check(message, as: "ErrorResponse") }
    try check(message, as: command.capitalizedFirst + "Response")
  }

  /// Checks a message against a definition; one that the protocol does not have is skipped.
  static func check(_ message: JSON, as name: String) throws {
    guard let definition = definitions?[name] else { return }
    if let problem = problem(with: message, definition, at: name) {
      throw Violation(description: "\(problem) in \(message)")
    }
  }

  private static func problem(with value: JSON, _ schema: JSON, at place: String) -> String? {
    if let reference = schema["$ref"]?.string {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      return definitions?[name].flatMap { problem(with: value, $0, at: place) }
    }
    for part in schema["allOf"]?.elements.map(\.self) ?? [] {
      if let problem = problem(with: value, part, at: place) { return problem }
    }
    let choices = schema["oneOf"]?.elements.map(\.self) ?? []
    if !choices.isEmpty, !choices.contains(where: { problem(with: value, $0, at: place) == nil }) {
      return "\(place) fits no choice"
    }
    if let type = schema["type"], !fits(value, type) { return "\(place) is no \(type)" }
    if let values = schema["enum"], !values.elements.contains(value) {
      return "\(place) is none of \(values)"
    }
    if value.kind == .array, let items = schema["items"] {
      for (index, element) in value.elements.enumerated() {
        if let problem = problem(with: element, items, at: "\(place)[\(index)]") { return problem }
      }
    }
    guard value.kind == .object else { return nil }
    for name in schema["required"]?.elements.compactMap(\.string) ?? [] where value[name] == nil {
      return "\(place) has no \(name)"
    }
    for member in value.members {
      guard let part = schema["properties"]?[member.name] else { continue }
      if let problem = problem(with: member.value, part, at: "\(place).\(member.name)") {
        return problem
      }
    }
    return nil
  }

  private static func fits(_ value: JSON, _ type: JSON) -> Bool {
    if type.kind == .array { return type.elements.contains { fits(value, $0) } }
    switch type.string {
    case "object": return value.kind == .object
    case "array": return value.kind == .array
    case "string": return value.kind == .string
    case "boolean": return value.kind == .bool
    case "null": return value.isNull
    case "number": return value.kind == .number
    case "integer": return value.number?.int64 != nil
    default: return false
    }
  }
}
