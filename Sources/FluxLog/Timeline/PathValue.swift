/// What a path selects in the state at some position.
struct PathValue: Equatable {
  private let nodes: [QueryNode]
  private let isSingular: Bool

  init(_ nodes: [QueryNode], isSingular: Bool) {
    self.nodes = nodes
    self.isSingular = isSingular
  }

  /// Of a singular path the value counts, not the index that it has: `x[-1]` is the last one.
  static func == (left: PathValue, right: PathValue) -> Bool {
    left.isSingular
      ? left.nodes.map(\.value) == right.nodes.map(\.value) : left.nodes == right.nodes
  }

  /// The value, nil for none.
  ///
  /// For a path that can select several: all of them in an array.
  var json: JSON? {
    guard !isSingular else { return nodes.first?.value }
    guard !nodes.isEmpty else { return nil }
    return JSON(writing: { writer in
      writer.beginArray()
      for node in nodes { writer.raw(node.value) }
      writer.endArray()
    })
  }
}
