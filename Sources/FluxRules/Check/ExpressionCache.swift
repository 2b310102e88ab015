import FluxJSON
import FluxLog

/// An expression that is evaluated at one step after another of a pass.
///
/// It reads single values from the model as they are, so a state is only put together for a path that can select several
/// values, or that depends on the state.
struct ReadExpression {
  private let expression: QueryExpression
  private let document: QueryDocument

  init(_ expression: QueryExpression, _ model: PassedModel, _ document: QueryDocument) {
    self.expression = expression
    self.document = document.reading(model.reader(of: expression.places))
  }

  /// Returns `true` if the expression holds at the current step.
  ///
  /// - Throws: `LogError` if a state that decides is unknown, `QueryError` if the expression is too expensive, and any
  ///   error of `check`.
  func holds(_ check: @escaping () throws -> Void) throws -> Bool {
    try expression.holds(for: document, check: check)
  }

  /// Returns the value at the current step; `nil` if there is none.
  ///
  /// - Throws: As ``holds(_:)``.
  func value(_ check: @escaping () throws -> Void) throws -> JSON? {
    try expression.value(in: document, check: check)
  }
}

/// An expression of some rules, and its value at the current event.
struct CachedExpression {
  private let asked: ReadExpression
  /// The stores that it reads after a step; `nil` if it may read any.
  private let after: [Int]?
  /// The stores that it reads before a step.
  private let before: [Int]
  private let readsBefore: Bool
  private let comparesStates: Bool
  /// `true` if it reads the step itself or the states before it, so the value is new at each step, and there is none at
  /// the start.
  private let readsStep: Bool
  /// The value; `nil` if it has to be computed.
  private var value: Possibilities?

  init(_ expression: QueryExpression, in model: PassedModel, _ document: QueryDocument) {
    asked = ReadExpression(expression, model, document)
    let footprint = expression.footprint
    let names = footprint.places.map(\.tokens)
    func stores(_ member: String) -> [Int] {
      names.filter { $0.first == member && $0.count > 1 }.compactMap { model.add($0[1]) }
    }
    after = footprint.stores == nil ? nil : stores("state")
    before = stores("before")
    readsBefore = footprint.reads("before")
    comparesStates = footprint.reads("changed")
    readsStep = !footprint.readsStatesOnly
  }

  /// Forgets the value if it may change when a store does.
  mutating func forget(ifReading store: Int) {
    if after?.contains(store) ?? true { value = nil }
  }

  /// Returns the value at the current event.
  ///
  /// - Throws: Errors of the log, and `QueryError` if the expression is too expensive.
  mutating func value(
    _ model: PassedModel, isInitial: Bool, check: @escaping () throws -> Void
  ) throws -> Possibilities {
    if let value { return value }
    let found = try evaluate(model, isInitial, check)
    if !readsStep { value = found }
    return found
  }

  private func evaluate(
    _ model: PassedModel, _ isInitial: Bool, _ check: @escaping () throws -> Void
  ) throws -> Possibilities {
    if isInitial, readsStep { return .skipped }
    let after = after ?? []
    var found: Possibilities = []
    for store in after {
      switch model.isPresent(store) {
      case true?: break
      case false?: return .skipped
      case nil: found = .skipped
      }
    }
    if readsBefore, model.isBeforeHidden { return found.union([.yes, .no]) }
    if !comparesStates, before.contains(where: { model.before($0) == .absent }) { return .skipped }
    let holds = try LogError.ifKnown { try asked.holds(check) }
    found.formUnion(holds.map { $0 ? .yes : .no } ?? [.yes, .no])
    return found
  }
}
