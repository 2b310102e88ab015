import FluxJSON
import FluxLog

/// An entry of `actionsById`, or an element of a list of actions.
struct ImportedAction {
  /// The action, with a type that is a string.
  var action: JSON
  /// The time of the dispatch in microseconds since 1970; nil if the entry has none that can be used.
  var instant: Int64?
  /// The time as it is in the file; nil if there is none.
  var timestamp: JSON?
  /// The stack of the dispatch.
  var stack: JSON?
  /// The other members of the entry.
  var others: [(name: String, value: JSON)] = []
  /// The circumstances that an export of this program has next to the action.
  var flux: JSON?
  /// The information about the action that is lost.
  var loss: String?

  /// Reads an entry of lifted state.
  init(entry: JSON) {
    self.init(action: entry["action"] ?? .null)
    if entry["action"] == nil { loss = "actions that are missing in their entries" }
    for member in entry.members {
      switch member.name {
      case "action": break
      case "type" where member.value.string == "PERFORM_ACTION": break
      case "timestamp":
        timestamp = member.value
        instant = member.value.number.flatMap { LogTime(seconds: $0.text) }
          .map { Int64($0.microseconds / 1_000) }
      case "stack": stack = member.value
      case "flux": flux = member.value
      default: others.append((member.name, member.value))
      }
    }
  }

  /// Reads an element of a list: an action, an entry of lifted state, or one without its type, as ReSwift-Recorder writes.
  init(element: JSON) {
    let type = element["type"]
    if type == nil || type?.string == "PERFORM_ACTION", element["action"]?.kind == .object {
      self.init(entry: element)
    } else {
      self.init(action: element)
    }
  }

  private init(action: JSON) {
    self.action = action
    guard action.kind == .object else {
      loss = "actions that are not objects"
      self.action = ["type": JSON(stringLiteral: action.string ?? action.description)]
      return
    }
    guard let type = action["type"] else {
      loss = "actions without a type"
      self.action = action.replacingType("undefined")
      return
    }
    guard type.kind != .string else { return }
    self.action = action.replacingType(type.description)
  }

  /// The file and line of the first frame of the stack, such as `todos.js:12`; nil if it has none.
  var source: String? { stack?.string.flatMap(JavaScriptFrame.place) }

  /// The circumstances that a step of the log keeps: the id, and what the log has no other place for.
  func external(id: JSON?, movedTime: Bool) -> JSON? {
    guard id != nil || movedTime || stack != nil || !others.isEmpty || flux != nil else {
      return Optional<JSON>.none
    }
    return JSON(writing: { writer in
      writer.beginObject()
      writer.member("id", id)
      if movedTime { writer.member("timestamp", timestamp) }
      writer.member("stack", stack)
      for (name, value) in others { writer.member(name, value) }
      writer.member("flux", flux)
      writer.endObject()
    })
  }
}

extension JSON {
  /// The action with another type, first; all other members stay.
  fileprivate func replacingType(_ type: String) -> JSON {
    let others = members.filter { $0.name != "type" }.map { ($0.name, $0.value) }
    return JSON(object: [("type", JSON(stringLiteral: type))] + others)
  }
}

/// The frames of a JavaScript stack.
enum JavaScriptFrame {
  /// Returns the file and line of the first frame, without folders; nil if that names none.
  static func place(in stack: String) -> String? {
    let lines = stack.unicodeScalars.split(separator: "\n").map { String($0) }
    // V8 begins with the message of the error.
    let frame = lines.first { line in
      let text = line.drop { $0.isWhitespace }
      return text.hasPrefix("at ") || text.contains("@") || file(in: String(text)) != nil
    }
    return frame.flatMap(file)
  }

  /// Returns the file and line at the end of a frame: `at add (http://localhost/src/todos.js:12:5)`.
  private static func file(in frame: String) -> String? {
    var text = frame[...]
    while let last = text.last, last == ")" || last.isWhitespace { text.removeLast() }
    var numbers: [Substring] = []
    while numbers.count < 2, let colon = text.lastIndex(of: ":") {
      let digits = text[text.index(after: colon)...]
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { break }
      numbers.append(digits)
      text = text[..<colon]
    }
    guard let line = numbers.last else { return nil }
    if let query = text.firstIndex(where: { $0 == "?" || $0 == "#" }) { text = text[..<query] }
    let start = text.lastIndex { "/\\(@ ".contains($0) }
    let name = start.map { text[text.index(after: $0)...] } ?? text
    // The host of an address is no file.
    guard !name.isEmpty, !name.contains(where: { "<>:".contains($0) }),
      start.map({ !text[...$0].hasSuffix("//") }) ?? true
    else { return nil }
    return "\(name):\(line)"
  }
}
