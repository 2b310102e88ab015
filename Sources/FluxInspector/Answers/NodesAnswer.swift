import FluxLog

/// The values that a path selects: `{"nodes":[{"path","value"}]}`.
struct NodesAnswer: Answer {
  let nodes: [QueryNode]
  /// Whether the path selects one value, which is then written without its place.
  let isSingle: Bool

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("nodes")
    json.writer.beginArray()
    for node in nodes {
      json.writer.node(node)
      try json.drain()
    }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    if isSingle, let node = nodes.first { return try text.value(node.value) }
    for node in nodes { try text.node(node) }
    if nodes.isEmpty { try text.line("nothing is selected", .dim) }
  }
}
