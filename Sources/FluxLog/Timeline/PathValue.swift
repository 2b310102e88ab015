import FluxJSON

/// The selection of a path in the state at some position.
struct PathValue: Equatable {
  private let nodes: [QueryNode]
  private let isSingular: Bool

  init(_ nodes: [QueryNode], isSingular: Bool) {
    self.nodes = nodes
    self.isSingular = isSingular
  }

  /// For a singular path, compares the value and not its index: `x[-1]` is the last element at any
  /// index.
  static func == (left: PathValue, right: PathValue) -> Bool {
    left.isSingular
      ? left.nodes.map(\.value) == right.nodes.map(\.value) : left.nodes == right.nodes
  }

  /// The selected value; `nil` if there is none.
  ///
  /// For a path that can select several values, an array of all of them.
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
