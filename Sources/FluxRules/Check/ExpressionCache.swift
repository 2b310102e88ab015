import FluxJSON
import FluxLog

/// An expression of some rules, and its value at the current event.
struct CachedExpression {
  private let asked: PassedExpression
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
    asked = PassedExpression(expression, in: model, document)
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
    if after.contains(where: model.isAbsent) { return .skipped }
    var found: Possibilities = after.contains(where: model.mayBeAbsent) ? .skipped : []
    if readsBefore, model.isBeforeHidden { return found.union([.yes, .no]) }
    if !comparesStates, before.contains(where: { model.before($0) == .absent }) { return .skipped }
    let holds = try LogError.ifKnown { try asked.holds(check: check) }
    found.formUnion(holds.map { $0 ? .yes : .no } ?? [.yes, .no])
    return found
  }
}
