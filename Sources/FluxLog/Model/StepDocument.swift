package import FluxJSON

extension QueryDocument {
  /// Makes the document of a step: of a recorded one, of the current one of a pass, or of one of a fork.
  ///
  /// The members are those of ``Timeline/document(at:)``. At the start of a log, there are only the number and the states.
  /// A closure is called whenever a query reads what it returns. It throws ``LogError`` with the reason `unknownStates` if
  /// that is unknown.
  ///
  /// - Parameters:
  ///   - number: Returns the number; at the start of a log, the number before the first step.
  ///   - isStep: Returns `false` at the start of a log.
  ///   - step: Returns the step, which may have to be read.
  ///   - changed: Returns the stores that the step changed.
  ///   - changes: Returns `true` if the step changed a store.
  ///   - after: Returns the states after the step, by store.
  ///   - before: Returns those before it.
  package init(
    number: @escaping () throws -> UInt64?, isStep: @escaping () -> Bool,
    step: @escaping () throws -> LogStep,
    changed: @escaping () throws -> [String], changes: @escaping Changes,
    after: @escaping () -> QueryDocument, before: @escaping () -> QueryDocument
  ) {
    var members: [Member] = [
      .init("n") {
        try number().map { number in QueryDocument(JSON(writing: { $0.uint(number) })) }
      }
    ]
    for (name, value) in Self.membersOfLine {
      members.append(
        .init(name) {
          isStep() ? try value(step()).map { QueryDocument($0) } : nil
        })
    }
    members += [
      .init("changed") {
        guard isStep() else { return nil }
        let stores = try changed()
        return QueryDocument(JSON(writing: { $0.strings(stores) }))
      },
      .init("state") { after() },
      .init("before") { isStep() ? before() : nil },
    ]
    self.init(members: members) { store in
      try isStep() && changes(store)
    }
  }

  /// `true` for a place in what the line of a step says besides states, most of which only some steps have.
  package static func isInLine(_ place: Location) -> Bool {
    guard case .name(let name)? = place.elements.first else { return false }
    return membersOfLine.contains { $0.name == name }
  }

  private static let membersOfLine: [(name: String, value: @Sendable (LogStep) -> JSON?)] = [
    ("t", { $0.time.json }),
    ("action", { $0.action }),
    ("target", { $0.target.map { JSON(stringLiteral: $0) } }),
    ("cause", { $0.cause.map { cause in JSON(writing: { $0.uint(cause) }) } }),
    ("effect", { $0.effect.map { JSON(stringLiteral: $0) } }),
    ("from", { $0.from.map { JSON(stringLiteral: $0) } }),
    ("effects", { $0.effects.json }),
    ("at", { $0.source.map { JSON(stringLiteral: $0) } }),
    ("took", { $0.took.map { took in JSON(writing: { $0.uint(took) }) } }),
    ("random", { $0.randomStep.map { step in JSON(writing: { $0.uint(step) }) } }),
    ("reflected", { $0.isReflected ? true : nil }),
    ("x", { $0.external }),
    ("rejected", { $0.rejection?.json }),
  ]

  /// Makes the states by store; `state` returns one of them, and `unknown` the error of an unknown one.
  package init(
    states stores: [String], _ state: @escaping (_ index: Int) throws -> StoreState,
    unknown: @escaping (_ store: String) -> LogError
  ) {
    self.init(
      members: stores.enumerated().map { index, store in
        .init(store) {
          switch try state(index) {
          case .present(let json): return QueryDocument(json)
          case .absent: return nil
          case .unknown: throw unknown(store)
          }
        }
      })
  }
}
