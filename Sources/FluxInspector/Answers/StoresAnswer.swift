import FluxLog

/// The stores: `{"stores":[{"name","type"?,"feature","state":"present|absent|unknown","bytes"?}]}`.
struct StoresAnswer: Answer {
  struct Entry: Sendable {
    let name: String
    /// The type of its state, where the log says.
    let type: String?
    let isFeature: Bool
    let state: StoreState
  }

  let entries: [Entry]

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("stores")
    json.writer.beginArray()
    for entry in entries {
      json.writer.beginObject()
      json.writer.member("name", entry.name)
      if let type = entry.type { json.writer.member("type", type) }
      json.writer.name("feature")
      json.writer.bool(entry.isFeature)
      json.writer.member("state", entry.state.word)
      if let state = entry.state.json {
        json.writer.name("bytes")
        json.writer.int(state.text.utf8.count)
      }
      json.writer.endObject()
    }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for entry in entries {
      text.write(entry.name, .path)
      if let type = entry.type { text.write(" \(type)") }
      if entry.isFeature { text.write(", feature") }
      let state = entry.state.json.map { "\($0.text.utf8.count) bytes" } ?? entry.state.word
      try text.line(", \(state)", .dim)
    }
    if entries.isEmpty { try text.line("no stores", .dim) }
  }
}

extension StoreState {
  fileprivate var word: String {
    switch self {
    case .present: "present"
    case .absent: "absent"
    case .unknown: "unknown"
    }
  }
}
