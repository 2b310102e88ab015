import FluxJSON

/// A question about the documents of steps: if an expression holds, or which value a query has.
struct DocumentQuestion<Answer: Sendable & Equatable>: StepQuestion {
  private typealias Evaluate =
    @Sendable (QueryDocument, _ check: @escaping () throws -> Void) throws -> Answer

  private let timeline: Timeline
  private let footprint: Footprint
  private let evaluate: Evaluate
  /// The places that are read as single values, whatever is in the document around them.
  private let singles: [SinglePlace]
  /// `true` if states before a step are only read as single values.
  private let readsSinglesOnly: Bool
  /// `true` if the question reads the step itself, so every step may have another answer.
  private let readsStep: Bool
  /// The shapes of steps that write a store of the question.
  private let writing: IDSet

  /// Creates a question about the steps that the log has now.
  ///
  /// Take the range of a search from the log's count before: a shape that a recorder writes first after this is not in
  /// ``writing``, so a search over later steps would pass over their writes.
  private init(
    _ footprint: Footprint, _ expression: QueryExpression?, in timeline: Timeline,
    _ evaluate: @escaping Evaluate
  ) {
    (self.timeline, self.footprint, self.evaluate) = (timeline, footprint, evaluate)
    singles = expression?.places ?? []
    readsSinglesOnly = expression?.readsPlacesOnly ?? false
    readsStep = !footprint.readsStatesOnly
    let stores = footprint.stores.map { Set($0.map(BytewiseName.init)) }
    writing = timeline.log.names.shapes { shape in
      guard let stores else { return !shape.writes.isEmpty }
      return shape.writes.contains { stores.contains(BytewiseName($0.store)) }
    }
  }

  // MARK: One by one

  func answer(at position: Int, check: @escaping () throws -> Void) throws -> Answer? {
    try answer(in: timeline.document(at: position), check: check)
  }

  /// Returns the answer in a document; `nil` if a state that decides is unknown.
  func answer(
    in document: QueryDocument, check: @escaping () throws -> Void
  ) throws -> Answer? {
    try LogError.ifKnown { try evaluate(document, check) }
  }

  func candidate(in range: Range<Int>, _ direction: SearchDirection) -> Int? {
    guard !range.isEmpty else { return nil }
    if readsStep { return direction == .forwards ? range.first : range.last }
    let log = timeline.log
    let written = log.indexing.index.position(in: range, direction, \.shapes, writing)
    let broken = log.resumption(in: range, direction)
    guard let written, let broken else { return written ?? broken }
    return direction == .forwards ? min(written, broken) : max(written, broken)
  }

  // MARK: Along a pass

  func answers(in piece: Range<Int>) -> [(position: Int, answer: Answer)]? {
    do {
      guard let (pass, model) = try pass(over: piece) else { return nil }
      let document = model.document().reading(model.reader(of: singles))
      var answers: [(position: Int, answer: Answer)] = []
      while let step = pass.advance() {
        guard step.interruption == nil else { return nil }
        try model.take(step)
        if !readsStep, model.written.isEmpty, !answers.isEmpty { continue }
        let answer = try evaluate(document, {})
        if answers.last?.answer != answer { answers.append((pass.position, answer)) }
      }
      return pass.isComplete ? answers : nil
    } catch {
      // Asking for the steps one by one shows which one is the problem, and if it matters.
      return nil
    }
  }

  /// Makes a pass and its model; `nil` if the question, or the log here, needs a ``Timeline``.
  private func pass(
    over piece: Range<Int>
  ) throws(LogError) -> (StepPass, PassedModel)? {
    let log = timeline.log
    let rules = log.rules(after: piece.lowerBound - 1)
    guard let stores = footprint.stores, log.continuesModel(in: piece), !rules.awaitsWholeModel,
      // The model has only the stores of the question, and a break can change or hide others.
      rules.lastBreak == nil || !footprint.readsAllChanges
    else { return nil }
    let pass = StepPass(log, piece, shapes: readsStep ? nil : writing)
    let keepsBefore = !readsSinglesOnly && footprint.reads("before")
    return (
      pass, try PassedModel(stores, keepsBefore: keepsBefore, along: pass, in: timeline)
    )
  }
}

extension DocumentQuestion<Bool> {
  /// Asks if an expression holds.
  init(_ expression: QueryExpression, in timeline: Timeline) {
    self.init(expression.footprint, expression, in: timeline) { document, check in
      try expression.holds(for: document, check: check)
    }
  }
}

extension DocumentQuestion<WatchedValue> {
  /// Asks for the value of a query.
  init(_ query: ValueQuery, in timeline: Timeline) {
    let expression = query.expression
    self.init(query.footprint, expression, in: timeline) { document, check in
      guard let expression else { return try WatchedValue(query, in: document, check: check) }
      return WatchedValue(try expression.value(in: document, check: check))
    }
  }
}

extension LogFile {
  /// Returns the nearest position in the range whose step does not continue the model: the first step after a break, or the
  /// first accepted step after a gap.
  fileprivate func resumption(in range: Range<Int>, _ direction: SearchDirection) -> Int? {
    let breaks = breaks
    guard let last = breaks.lastIndex(atOrBefore: range.upperBound - 1) else { return nil }
    // The first accepted step after a gap before the range may be in the range.
    let first = breaks.lastIndex(atOrBefore: range.lowerBound) ?? 0
    for offset in 0...last - first {
      let index = direction == .forwards ? first + offset : last - offset
      let found = breaks[index]
      var positions = [found.position]
      // The next break begins another model.
      let end = index < last ? breaks[index + 1].position : range.upperBound
      if found.endsWithWholeModel, let accepted = firstAccepted(in: found.position..<end) {
        positions.append(accepted)
      }
      positions.removeAll { !range.contains($0) }
      if let position = direction == .forwards ? positions.first : positions.last {
        return position
      }
    }
    return nil
  }
}
