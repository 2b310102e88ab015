import FluxInspector
import FluxJSON
import Foundation

/// The recordings as resources: `recording://NAME` is an overview, `recording://NAME/steps/17` a step.
enum Resources {
  private static let scheme = "recording://"
  /// The number of resources on a page.
  private static let pageSize = 200

  static let templates: [JSON] = [
    [
      "uriTemplate": "recording://{name}", "name": "overview", "title": "Overview of a recording",
      "description": "What a recording contains, as the tool overview answers",
      "mimeType": "application/json",
    ],
    [
      "uriTemplate": "recording://{name}/steps/{n}", "name": "step",
      "title": "A step of a recording",
      "description": "A step in full, as the tool step answers", "mimeType": "application/json",
    ],
  ]

  /// The result of `resources/list`.
  static func list(
    _ parameters: JSON, _ library: LogLibrary, _ call: ToolCall
  ) throws -> JSONMembers {
    let entries = try library.entries(for: call)
    let cursors = PageCursor("resources", [:])
    let start: Int
    do {
      start = min(try cursors.index(parameters["cursor"]?.string) ?? 0, entries.count)
    } catch {
      throw ProtocolError(.invalidParameters, error.message)
    }
    let page = entries[start...].prefix(pageSize)
    let resources = page.map { entry -> JSON in
      [
        "uri": JSON(stringLiteral: uri(entry.name)),
        "name": JSON(stringLiteral: entry.name), "mimeType": "application/json",
      ]
    }
    var members = [(name: "resources", value: JSON(array: resources))]
    if page.endIndex < entries.count {
      members.append(("nextCursor", JSON(stringLiteral: cursors.text(page.endIndex))))
    }
    return members
  }

  /// The result of `resources/read`.
  static func read(
    _ parameters: JSON, _ library: LogLibrary, _ call: ToolCall
  ) throws -> JSONMembers {
    guard let uri = parameters["uri"]?.string else {
      throw ProtocolError(.invalidParameters, "resources/read: the uri is missing")
    }
    func missing(_ why: String) -> ProtocolError {
      ProtocolError(.invalidParameters, why, data: ["uri": JSON(stringLiteral: uri)])
    }
    guard let (name, step) = parts(uri) else {
      throw missing("no such resource; a resource is recording://NAME or recording://NAME/steps/17")
    }
    let answer: JSON
    do {
      if let step {
        answer = try Tool.step.answer(
          ["log": JSON(stringLiteral: name), "n": JSON(integerLiteral: step)], call, library)
      } else {
        answer = try Tool.overview.answer(["log": JSON(stringLiteral: name)], call, library)
      }
    } catch let failure as ToolFailure {
      throw missing("no such resource: \(failure.message)")
    }
    let contents: JSON = [
      "uri": JSON(stringLiteral: uri), "mimeType": "application/json",
      "text": JSON(stringLiteral: WireText.printable(answer)),
    ]
    return [("contents", [contents])]
  }

  /// The address of a recording; every character that has a meaning in an address is encoded.
  static func uri(_ name: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return scheme + (name.addingPercentEncoding(withAllowedCharacters: plain) ?? name)
  }

  private static func parts(_ uri: String) -> (name: String, step: Int64?)? {
    guard uri.hasPrefix(scheme) else { return nil }
    let parts = uri.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.first.flatMap({ String($0).removingPercentEncoding }), !name.isEmpty
    else {
      return nil
    }
    switch parts.count {
    case 1: return (name, nil)
    // Some clients add a slash to an address without a path.
    case 2 where parts[1].isEmpty: return (name, nil)
    case 3 where parts[1] == "steps": return Int64(parts[2]).map { (name, $0) }
    default: return nil
    }
  }
}
