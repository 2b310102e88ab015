package import FluxJSON

extension PassedModel {
  /// The members of a step's document that are read from its line.
  package static let membersOfStep = [
    "t", "action", "target", "cause", "effect", "from", "effects", "at", "took", "rejected",
  ]

  /// The current step as a document for queries, with the members of ``Timeline/document(at:)``.
  ///
  /// The document stays valid while the pass advances: it reads the current step whenever a query
  /// reads it. It has the stores that the model has now.
  ///
  /// - Parameter step: Returns the current step; `nil` at the start of the log.
  /// - Returns: The document.
  package func document(_ step: @escaping () -> StepPass.Step?) -> QueryDocument {
    let pass = pass
    func member(
      _ name: String, _ value: @escaping (LogStep) throws -> JSON?
    ) -> QueryDocument.Member {
      .init(name) {
        guard step() != nil else { return nil }
        return try value(try pass.step()).map { QueryDocument($0) }
      }
    }
    let after = states { [self] in state($0) }
    let before = states { [self] in self.before($0) }
    return QueryDocument(members: [
      .init("n") {
        let number = step()?.number ?? max(pass.header.first, 1) - 1
        return QueryDocument(JSON(writing: { $0.uint(number) }))
      },
      member("t") { try JSON.parse($0.time.description) },
      member("action") { $0.action },
      member("target") { $0.target.map { JSON(stringLiteral: $0) } },
      member("cause") { $0.cause.map { cause in JSON(writing: { $0.uint(cause) }) } },
      member("effect") { $0.effect.map { JSON(stringLiteral: $0) } },
      member("from") { $0.from.map { JSON(stringLiteral: $0) } },
      member("effects") { $0.effects.json },
      member("at") { $0.source.map { JSON(stringLiteral: $0) } },
      member("took") { $0.took.map { took in JSON(writing: { $0.uint(took) }) } },
      member("rejected") { $0.rejection?.json },
      .init("changed") { [self] in
        let changed = step() == nil ? [] : changed
        return QueryDocument(JSON(writing: { $0.strings(changed) }))
      },
      .init("state") { after },
      .init("before") { step() == nil ? nil : before },
    ])
  }

  private func states(_ state: @escaping (Int) -> StoreState) -> QueryDocument {
    QueryDocument(
      members: names.enumerated().map { index, store in
        .init(store) { [self] in
          switch state(index) {
          case .present(let json): return QueryDocument(json)
          case .absent: return nil
          case .unknown: throw LogError(path: path, reason: .unknownStates([store], step: 0))
          }
        }
      })
  }
}
