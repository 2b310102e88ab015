/// Tells of one step after the other whether a filter is met by it.
struct StepProbe {
  private let timeline: Timeline
  private let filter: StepFilter
  /// Where the expression reads nothing but states: the stores; nil where it reads more.
  private let stores: Set<String>?
  /// The step that was judged last.
  private var last: (position: Int, holds: Bool?)?
  /// Steps that could not be judged.
  private(set) var unknownSteps = 0

  init(_ filter: StepFilter, in timeline: Timeline) {
    self.timeline = timeline
    self.filter = filter
    stores =
      switch filter {
      case .glob: nil
      case .expression(let expression): expression.footprint.storesAlone
      }
  }

  /// The first step in the range, as seen in the direction, that meets the filter.
  ///
  /// `check` gets the number of steps passed, now and then.
  mutating func next(
    in range: Range<Int>, _ direction: SearchDirection,
    check: @escaping (Int) throws -> Void = { _ in }
  ) throws -> Int? {
    switch filter {
    case .glob(let glob):
      try check(0)
      return direction == .forwards
        ? try timeline.log.firstPosition(in: range, typeWhere: glob.matches)
        : try timeline.log.lastPosition(in: range, typeWhere: glob.matches)
    case .expression(let expression):
      for passed in 0..<range.count {
        let position =
          direction == .forwards ? range.lowerBound + passed : range.upperBound - 1 - passed
        if passed % 256 == 0 { try check(passed) }
        if try judge(expression, at: position, check: { try check(passed) }) == true {
          return position
        }
      }
      return nil
    }
  }

  /// Whether the filter is met by a step; nil where a state that decides is not known.
  mutating func isMet(at position: Int, check: @escaping () throws -> Void) throws -> Bool? {
    switch filter {
    case .glob(let glob): try timeline.log.type(at: position).map(glob.matches) ?? false
    case .expression(let expression): try judge(expression, at: position, check: check)
    }
  }

  private mutating func judge(
    _ expression: StepExpression, at position: Int, check: @escaping () throws -> Void
  ) throws -> Bool? {
    if let last, try isSame(position, as: last.position) {
      self.last = (position, last.holds)
      unknownSteps += last.holds == nil ? 1 : 0
      return last.holds
    }
    var holds: Bool?
    do {
      holds = try expression.holds(for: timeline.document(at: position), check: check)
    } catch let error as LogError {
      guard case .unknownStates = error.reason else { throw error }
      unknownSteps += 1
    }
    last = (position, holds)
    return holds
  }

  /// Whether a step cannot but have the same answer as its neighbour: no store that is read was
  /// written between the two.
  private func isSame(_ position: Int, as other: Int) throws(LogError) -> Bool {
    guard let stores, abs(position - other) == 1 else { return false }
    let later = max(position, other)
    guard let shape = try timeline.log.shape(at: later) else { return false }
    if shape.writes.contains(where: { stores.contains($0.store) }) { return false }
    return try !timeline.before(later).afterGap
  }
}

extension Footprint {
  /// The stores, where nothing else of a step's document is read than states after it.
  fileprivate var storesAlone: Set<String>? {
    places.allSatisfy { $0.tokens.first == "state" } ? stores : nil
  }
}
