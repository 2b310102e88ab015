import FluxJSON
import FluxLog
import TestFixtures

/// A log of random changes, many of them patches, and the model after each of its steps.
struct PatchedLog {
  /// The lines of the file.
  let lines: [String]
  /// The states by store; the first is that before the first step.
  let models: [[String: JSON]]

  init(steps: Int, using generator: inout SeededGenerator) throws {
    let initial = try JSON.parse(#"{"x":[1,2],"y":{"z":0}}"#)
    var model = ["a": initial]
    var models = [model]
    var lines = [
      #"{"flux":"1.0","first":1,"stores":{"a":{"initial":\#(initial)},"b":{"feature":true}}}"#
    ]
    for number in 1...steps {
      var members: [String] = []
      if Bool.random(using: &generator), let old = model["a"] {
        let new = try Self.state(using: &generator)
        let patch = old.patch(to: new).json()
        members.append(
          Bool.random(using: &generator)
            ? #""states":{"a":\#(new)}"# : #""patches":{"a":\#(patch)}"#)
        model["a"] = new
      } else if Int.random(in: 0..<3, using: &generator) == 0 {
        let isThere = model["b"] != nil
        members.append(isThere ? #""removed":["b"]"# : #""states":{"b":null}"#)
        model["b"] = isThere ? nil : try JSON.parse("null")
      }
      let action = #""action":{"type":"act/\#(Int.random(in: 0..<4, using: &generator))"}"#
      let line = ([#""n":\#(number),"t":\#(number)"#, action] + members).joined(separator: ",")
      lines.append("{\(line)}")
      models.append(model)
    }
    self.lines = lines
    self.models = models
  }

  private static func state(using generator: inout SeededGenerator) throws -> JSON {
    let elements = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
      String(Int.random(in: 0..<3, using: &generator))
    }
    let z = Bool.random(using: &generator) ? #"{"z":\#(elements.count)}"# : "7"
    return try JSON.parse(#"{"x":[\#(elements.joined(separator: ","))],"y":\#(z)}"#)
  }

  /// The model after a step as one value.
  func model(_ number: Int) throws -> JSON {
    let members = models[number].sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
    return try JSON.parse("{\(members.joined(separator: ","))}")
  }

  /// The type of a step's action; nil for step 0.
  func type(_ number: Int) throws -> String? {
    number == 0 ? nil : try JSON.parse(lines[number])["action"]?["type"]?.string
  }
}
