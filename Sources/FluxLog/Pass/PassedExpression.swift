package import FluxJSON

/// An expression that is evaluated at one step after another of a pass.
///
/// It reads single values from the model as they are, so a state is only put together for a path that can select several
/// values, or that depends on the state.
package struct PassedExpression {
  package let expression: QueryExpression
  private let document: QueryDocument
  private let read: QueryExpression.Reader

  /// Prepares to evaluate an expression.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - model: The model whose current step is asked.
  ///   - document: The document of that step.
  package init(_ expression: QueryExpression, in model: PassedModel, _ document: QueryDocument) {
    (self.expression, self.document) = (expression, document)
    let places = expression.places.map { model.add($0) }
    read = { try model.value(at: places[$0]) }
  }

  /// Returns `true` if the expression holds at the current step.
  ///
  /// - Throws: `LogError` if a state that decides is unknown, `QueryError` if the expression is too expensive, and any
  ///   error of `check`.
  package func holds(check: @escaping () throws -> Void = {}) throws -> Bool {
    try expression.holds(for: document, reading: read, check: check)
  }

  /// Returns the value at the current step.
  ///
  /// - Throws: As ``holds(check:)``.
  package func value(check: @escaping () throws -> Void = {}) throws -> QueryValue {
    try expression.value(in: document, reading: read, check: check)
  }
}

/// A place of a step's document whose value a ``PassedModel`` keeps current.
enum PassedPlace {
  /// The type of the action.
  case type
  /// A slot in a store's state after the step.
  case after(store: Int, slot: Int)
  /// A value in a store's state before the step, by its number among those.
  case before(Int)
}
