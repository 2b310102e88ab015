import FluxJSON
import FluxLog

/// An expression of some rules, and its value at the current event.
struct CachedExpression {
  /// A slot of a store.
  private struct Slot {
    let store: Int
    let slot: Int
  }

  let expression: StepExpression
  /// The stores that it reads after a step; `nil` if it may read any.
  private let after: [Int]?
  /// The stores that it reads before a step.
  private let before: [Int]
  private let readsBefore: Bool
  private let comparesStates: Bool
  /// `true` if it reads the step itself or the states before it, so the value is new at each step, and there is none at
  /// the start.
  let readsStep: Bool
  /// The form that reads single values, and the places of those.
  private let places: PlaceExpression?
  private var slots: [Slot] = []
  /// The value; `nil` if it has to be computed.
  private var value: Possibilities?

  init(_ expression: StepExpression, in model: PassedModel) {
    self.expression = expression
    let footprint = expression.footprint
    let names = footprint.places.map(\.tokens)
    func stores(_ member: String) -> [Int] {
      names.filter { $0.first == member && $0.count > 1 }.compactMap { model.index(of: $0[1]) }
    }
    after = footprint.stores == nil ? nil : stores("state")
    before = stores("before")
    readsBefore = names.contains { $0.first == "before" || $0.isEmpty }
    comparesStates = footprint.reads("changed")
    readsStep = !footprint.readsStatesOnly
    places = expression.places.flatMap { $0.readsStatesOnly ? $0 : nil }
    for place in places?.places ?? [] {
      let store = model.index(of: place.tokens[1]) ?? 0
      let pointer = Pointer(tokens: place.tokens.dropFirst(2))
      slots.append(Slot(store: store, slot: model.addSlot(pointer, in: store)))
    }
  }

  /// `true` if the value may change when a store does.
  func reads(_ store: Int) -> Bool { after?.contains(store) ?? true }

  mutating func forget() { value = nil }

  /// Returns the value at the current event.
  ///
  /// - Throws: Errors of the log, and `QueryError` if the expression is too expensive.
  mutating func value(
    _ document: QueryDocument, _ model: PassedModel, isInitial: Bool,
    check: @escaping () throws -> Void
  ) throws -> Possibilities {
    if let value { return value }
    let found = try evaluate(document, model, isInitial, check)
    if !readsStep { value = found }
    return found
  }

  private func evaluate(
    _ document: QueryDocument, _ model: PassedModel, _ isInitial: Bool,
    _ check: @escaping () throws -> Void
  ) throws -> Possibilities {
    if isInitial, readsStep { return .skipped }
    let stores = after ?? []
    if stores.contains(where: model.isAbsent) { return .skipped }
    var found: Possibilities = stores.contains(where: model.mayBeAbsent) ? .skipped : []
    if readsBefore, model.isBeforeHidden { return found.union([.yes, .no]) }
    if !comparesStates, before.contains(where: { model.before($0) == .absent }) { return .skipped }
    if let places {
      var isUnknown = false
      let holds = places.holds { place in
        let value = model.value(inSlot: slots[place].slot, of: slots[place].store)
        if value == nil { isUnknown = true }
        return value ?? .absent
      }
      return found.union(isUnknown ? [.yes, .no] : holds ? .yes : .no)
    }
    do {
      found.insert(try expression.holds(for: document, check: check) ? .yes : .no)
    } catch let error as LogError {
      guard case .unknownStates = error.reason else { throw error }
      found.formUnion([.yes, .no])
    }
    return found
  }
}
