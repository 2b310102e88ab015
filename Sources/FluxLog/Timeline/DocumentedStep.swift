package import FluxJSON

/// A step as its document reads it: a recorded step, the current step of a pass, or a step of a fork.
///
/// A closure throws ``LogError`` with the reason `unknownStates` if the log does not tell what it returns, so each value
/// is present, absent or unknown, whoever asks.
package struct DocumentedStep {
  /// Returns the number; at the start of a log, the number before the first step.
  package var number: () throws -> UInt64?
  /// Returns `false` at the start of a log.
  package var isStep: () -> Bool
  /// Returns the step, which may have to be read.
  package var step: () throws -> LogStep
  /// Returns the stores that the step changed.
  package var changed: () throws -> [String]
  /// Returns `true` if the step changed a store.
  package var changes: QueryDocument.Changes
  /// Returns the states after the step by store, and those before it.
  package var states: (after: () -> QueryDocument, before: () -> QueryDocument)

  /// Makes a step from what reads it.
  package init(
    number: @escaping () throws -> UInt64?, isStep: @escaping () -> Bool,
    step: @escaping () throws -> LogStep,
    changed: @escaping () throws -> [String], changes: @escaping QueryDocument.Changes,
    after: @escaping () -> QueryDocument, before: @escaping () -> QueryDocument
  ) {
    (self.number, self.isStep, self.step) = (number, isStep, step)
    (self.changed, self.changes) = (changed, changes)
    states = (after, before)
  }
}

extension QueryDocument {
  /// Makes the document of a step; it reads the step whenever a query reads a member.
  ///
  /// The members are those of ``Timeline/document(at:)``. At the start of a log, there are only the number and the states.
  package init(_ step: DocumentedStep) {
    var members: [Member] = [
      .init("n") {
        try step.number().map { number in QueryDocument(JSON(writing: { $0.uint(number) })) }
      }
    ]
    for (name, value) in Self.membersOfLine {
      members.append(
        .init(name) {
          step.isStep() ? try value(step.step()).map { QueryDocument($0) } : nil
        })
    }
    members += [
      .init("changed") {
        guard step.isStep() else { return nil }
        let changed = try step.changed()
        return QueryDocument(JSON(writing: { $0.strings(changed) }))
      },
      .init("state") { step.states.after() },
      .init("before") { step.isStep() ? step.states.before() : nil },
    ]
    self.init(members: members) { store in
      try step.isStep() && step.changes(store)
    }
  }

  /// The members that are read from the line of a step.
  private static let membersOfLine: [(name: String, value: @Sendable (LogStep) throws -> JSON?)] = [
    ("t", { try JSON.parse($0.time.description) }),
    ("action", { $0.action }),
    ("target", { $0.target.map { JSON(stringLiteral: $0) } }),
    ("cause", { $0.cause.map { cause in JSON(writing: { $0.uint(cause) }) } }),
    ("effect", { $0.effect.map { JSON(stringLiteral: $0) } }),
    ("from", { $0.from.map { JSON(stringLiteral: $0) } }),
    ("effects", { $0.effects.json }),
    ("at", { $0.source.map { JSON(stringLiteral: $0) } }),
    ("took", { $0.took.map { took in JSON(writing: { $0.uint(took) }) } }),
    ("x", { $0.external }),
    ("rejected", { $0.rejection?.json }),
  ]

  /// Makes the states by store; `state` returns that of the store with a name, which may be unknown.
  ///
  /// - Parameters:
  ///   - stores: The names of the stores.
  ///   - state: Returns a state.
  ///   - unknown: Returns the error of an unknown state.
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

extension LogRejection {
  /// The rejection as a query reads it.
  fileprivate var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("reason", reason)
      writer.member("message", message)
      writer.member("store", store)
      writer.endObject()
    })
  }
}
