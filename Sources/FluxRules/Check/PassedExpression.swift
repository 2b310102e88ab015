import FluxJSON
import FluxLog

/// An expression of some rules along a pass, and its answers at the current step.
///
/// It is skipped where a store that it reads is absent. Where a state is unknown, it has all answers that the state can
/// lead to. Single values are read from the model as they are, so a state is only put together for a path that can select
/// several values, or that depends on the state.
struct PassedExpression {
  private let expression: QueryExpression
  private let model: PassedModel
  private let document: QueryDocument
  /// The stores that it reads after a step; `nil` if it may read any.
  private let after: [Int]?
  /// The stores whose values before a step it reads, and not only to see what changed.
  private let before: [Int]
  private let readsBefore: Bool
  /// `true` if it reads the step itself or the states before it, so the answers are new at each step, and there are none
  /// at the start.
  private let readsStep: Bool
  /// The answers; `nil` if they have to be computed.
  private var known: Possibilities?

  init(_ expression: QueryExpression, in model: PassedModel, _ document: QueryDocument) {
    (self.expression, self.model) = (expression, model)
    self.document = document.reading(model.reader(of: expression.places))
    let footprint = expression.footprint
    func stores(in member: String, of footprint: Footprint) -> [Int] {
      footprint.namedStores(in: member).compactMap { model.index(of: $0) }
    }
    after = footprint.stores == nil ? nil : stores(in: "state", of: footprint)
    before = stores(in: "before", of: expression.footprintOfValues)
    readsBefore = footprint.reads("before")
    readsStep = !footprint.readsStatesOnly
  }

  /// Forgets the answers if the current step may change them.
  mutating func forget() {
    if readsStep || model.written.contains(where: { after?.contains($0) ?? true }) { known = nil }
  }

  /// Returns the answers at the current step.
  ///
  /// - Throws: Errors of the log, `QueryError` if the expression is too expensive, and any error of `check`.
  mutating func answers(_ check: @escaping () throws -> Void) throws -> Possibilities {
    if let known { return known }
    let found = try evaluate(check)
    known = found
    return found
  }

  private func evaluate(_ check: @escaping () throws -> Void) throws -> Possibilities {
    if readsStep, model.step == nil { return .skipped }
    var found: Possibilities = []
    for store in after ?? [] {
      switch model.isPresent(store) {
      case true?: break
      case false?: return .skipped
      case nil: found = .skipped
      }
    }
    if readsBefore, model.isBeforeHidden { return found.union([.yes, .no]) }
    for store in before {
      if model.before(store) == .absent { return .skipped }
      if model.mayHaveBeenAbsent(store) { found.insert(.skipped) }
    }
    let holds = try LogError.ifKnown { try expression.holds(for: document, check: check) }
    return found.union(holds.map { $0 ? .yes : .no } ?? [.yes, .no])
  }
}

extension Footprint {
  /// The stores that the places name below a member of the document.
  func namedStores(in member: String) -> [String] {
    places.map(\.tokens).filter { $0.first == member && $0.count > 1 }.map { $0[1] }
  }
}
