/// One node that a path selected: a value and where it stands.
public struct QueryNode: Sendable, Equatable {
  /// Where the value stands in the query argument.
  public let location: Location
  /// The value.
  public let value: JSON
}

extension Path {
  /// Returns the nodes that the path selects, in the order of RFC 9535; a node that it reaches in
  /// several ways is there several times.
  ///
  /// `check` is called now and then; what it throws ends the evaluation.
  ///
  /// - Throws: what `check` or a member of the document throws; `QueryError` where the query asks
  ///   for more work than any evaluation may take.
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
  /// - Throws: as for a ``QueryDocument``.
  public func nodes(
    in value: JSON, check: @escaping () throws -> Void = {}
  ) throws -> [QueryNode] {
    try nodes(in: QueryDocument(value), check: check)
  }
}

extension StepExpression {
  /// Says whether the expression holds for a step's document.
  ///
  /// `check` is called now and then; what it throws ends the evaluation.
  ///
  /// - Throws: what `check` or a member of the document throws; `QueryError` where the query asks
  ///   for more work than any evaluation may take.
  public func holds(
    for document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws -> Bool {
    var evaluator = QueryEvaluator(document, slotCount: slotCount, text: text, check: check)
    return try evaluator.holds(condition, current: document)
  }
}
