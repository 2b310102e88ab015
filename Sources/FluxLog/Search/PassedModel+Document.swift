package import FluxJSON

extension PassedModel {
  /// The current step as a document for queries, with the members of ``Timeline/document(at:)``.
  ///
  /// The document stays valid while the pass advances: it reads the current step, and the stores that the model has by then,
  /// whenever a query reads it.
  ///
  /// - Returns: The document.
  package func document() -> QueryDocument {
    let pass = pass
    let after = StatesDocument { [self] in state($0) }
    let before = StatesDocument { [self] in self.before($0) }
    return QueryDocument(
      number: { [self] in step?.number ?? max(pass.log.header.first, 1) - 1 },
      isStep: { [self] in step != nil }, step: { try pass.step() },
      changed: { [self] in try changed() }, changes: { [self] in try changes($0) },
      after: { [self] in after.document(of: self) },
      before: { [self] in before.document(of: self) })
  }
}

/// The states of a model as a document, which is made again only if there are more stores.
private final class StatesDocument {
  private let state: (Int) -> StoreState
  private var made: (document: QueryDocument, count: Int)?

  init(_ state: @escaping (Int) -> StoreState) { self.state = state }

  func document(of model: PassedModel) -> QueryDocument {
    let names = model.names
    if let made, made.count == names.count { return made.document }
    let document = QueryDocument(states: names, state) { model.unknown([$0]) }
    made = (document, names.count)
    return document
  }
}
