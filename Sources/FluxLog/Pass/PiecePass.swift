import FluxJSON

/// One pass over some steps that continue the model before them, for one question to each of them.
///
/// Gives up as soon as anything about the steps is special: a gap, damage, or an unknown state. The caller then asks a
/// ``Timeline`` about each step. So a pass never has to decide what such a step means.
final class PiecePass {
  private let positions: Range<Int>
  private let pass: StepPass
  private let model: PassedModel
  /// `true` if each step can have another answer, and not only those that write a store.
  private let readsStep: Bool

  /// The document of the current step.
  let document: QueryDocument

  /// Prepares a pass; `nil` if the question, or the log here, needs a ``Timeline``.
  ///
  /// Without `keepsBefore`, the document does not have the states before a step, which are put together for each step.
  ///
  /// - Throws: ``LogError`` if a line or the index cannot be read.
  init?(
    _ footprint: Footprint, over positions: Range<Int>, of timeline: Timeline,
    keepsBefore: Bool = true
  ) throws(LogError) {
    let rules = timeline.log.rules(after: positions.lowerBound - 1)
    guard let stores = footprint.stores, !positions.isEmpty,
      timeline.log.continuesModel(in: positions),
      // The model has only the stores of the question, and a break can change or hide others.
      rules.lastBreak == nil || !footprint.readsAllChanges, !rules.awaitsWholeModel
    else { return nil }
    pass = StepPass(timeline.log, positions)
    let model = try PassedModel(
      stores, keepsBefore: keepsBefore && footprint.reads("before"), along: pass,
      by: rules
    ) { (store) throws(LogError) in
      try timeline.storeState(store, at: positions.lowerBound - 1)
    }
    guard let model else { return nil }
    self.positions = positions
    self.model = model
    readsStep = !footprint.readsStatesOnly
    document = model.document()
  }

  /// Calls `body` with each position, and `true` if the step cannot change the answer.
  ///
  /// - Returns: `false` if the pass gave up.
  /// - Throws: ``LogError`` if a line cannot be read, and any error of `body`.
  func forEach(_ body: (_ position: Int, _ isSame: Bool) throws -> Void) throws -> Bool {
    for position in positions {
      guard let step = pass.advance(), step.interruption == nil, step.missing == 0 else {
        return false
      }
      try model.take(step)
      let isSame = !readsStep && model.written.isEmpty && position > positions.lowerBound
      try body(position, isSame)
    }
    return true
  }

  /// Prepares to evaluate an expression at each step.
  func asking(_ expression: QueryExpression) -> PassedExpression {
    PassedExpression(expression, in: model, document)
  }
}

extension LogFile {
  /// `true` if no gap and no damage is right before one of these steps.
  func continuesModel(in positions: Range<Int>) -> Bool {
    guard let last = breaks.last(atOrBefore: positions.upperBound - 1) else { return true }
    return last.position < positions.lowerBound
  }
}

// MARK: Answers

extension Timeline {
  /// Returns the steps of a piece for which an expression holds; `nil` if a pass cannot tell.
  func matches(of expression: QueryExpression, in piece: Range<Int>) -> [Int]? {
    do {
      guard
        let pass = try PiecePass(
          expression.footprint, over: piece, of: self, keepsBefore: !expression.readsPlacesOnly)
      else { return nil }
      let asked = pass.asking(expression)
      var matches: [Int] = []
      var holds = false
      let isComplete = try pass.forEach { position, isSame in
        if !isSame { holds = try asked.holds() }
        if holds { matches.append(position) }
      }
      return isComplete ? matches : nil
    } catch {
      // Asking for the steps one by one shows which one is the problem, and if it matters.
      return nil
    }
  }

  /// Returns the value of a query at the first step of a piece, and at each step at which it changes; `nil` if a pass
  /// cannot tell.
  func values(of query: ValueQuery, in piece: Range<Int>) -> [(position: Int, value: WatchedValue)]?
  {
    do {
      guard let pass = try PiecePass(query.footprint, over: piece, of: self) else { return nil }
      let asked = query.expression.map(pass.asking)
      var values: [(position: Int, value: WatchedValue)] = []
      let isComplete = try pass.forEach { position, isSame in
        guard !isSame else { return }
        let value =
          try asked.map { WatchedValue(try $0.value().json) }
          ?? WatchedValue(query, in: pass.document)
        if values.last?.value != value { values.append((position, value)) }
      }
      return isComplete ? values : nil
    } catch {
      return nil
    }
  }
}
