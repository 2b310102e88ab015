/// A node that a path selected: a value and its location.
public struct QueryNode: Sendable, Equatable {
  /// The location of the value in the query argument.
  public let location: Location
  /// The value.
  public let value: JSON
}

extension Path {
  /// Returns the nodes that the path selects, in the order of RFC 9535.
  ///
  /// A node appears more than once if the path selects it more than once.
  ///
  /// The evaluator calls `check` at intervals. An error that it throws ends the evaluation.
  ///
  /// - Throws: Any error that `check` or a member of the document throws; `QueryError` if the
  ///   evaluation visits too many nodes.
  public func nodes(
    in document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws -> [QueryNode] {
    var evaluator = QueryEvaluator(
      document, slotCount: slotCount, text: text, check: check)
    return try evaluator.nodes(self, current: document).map { node in
      QueryNode(location: node.trail.location, value: try node.value.json())
    }
  }

  /// Returns the nodes that the path selects in a value.
  ///
  /// - Throws: The same errors as for a ``QueryDocument``.
  public func nodes(
    in value: JSON, check: @escaping () throws -> Void = {}
  ) throws -> [QueryNode] {
    try nodes(in: QueryDocument(value), check: check)
  }
}
