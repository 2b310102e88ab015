import FluxJSON

/// Tests steps against a filter, one after another.
struct StepProbe {
  private let timeline: Timeline
  private let filter: StepFilter
  /// The stores that the expression reads, if it reads only states; otherwise `nil`.
  private let stores: Set<String>?
  private var last: (position: Int, holds: Bool?)?
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

  /// Returns the nearest step in the range that matches the filter.
  ///
  /// Calls `check` from time to time with the number of steps that were passed.
  mutating func next(
    in range: Range<Int>, _ direction: SearchDirection,
    check: @escaping (Int) throws -> Void = { _ in }
  ) throws -> Int? {
    switch filter {
    case .glob(let glob):
      try check(0)
      return timeline.log.position(in: range, direction, typeWhere: glob.matches)
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

  /// Returns `true` if a step matches the filter; `nil` if a state that decides is unknown.
  mutating func isMet(at position: Int, check: @escaping () throws -> Void) throws -> Bool? {
    switch filter {
    case .glob(let glob): timeline.log.type(at: position).map(glob.matches) ?? false
    case .expression(let expression): try judge(expression, at: position, check: check)
    }
  }

  private mutating func judge(
    _ expression: QueryExpression, at position: Int, check: @escaping () throws -> Void
  ) throws -> Bool? {
    if let last, isSame(position, as: last.position) {
      self.last = (position, last.holds)
      unknownSteps += last.holds == nil ? 1 : 0
      return last.holds
    }
    let holds = try LogError.ifKnown {
      try expression.holds(for: timeline.document(at: position), check: check)
    }
    unknownSteps += holds == nil ? 1 : 0
    last = (position, holds)
    return holds
  }

  /// `true` if a step must have the same result as its neighbor, because no relevant store was
  /// written between the two.
  private func isSame(_ position: Int, as other: Int) -> Bool {
    guard let stores, abs(position - other) == 1 else { return false }
    let later = max(position, other)
    guard let shape = timeline.log.shape(at: later) else { return false }
    if shape.writes.contains(where: { stores.contains($0.store) }) { return false }
    return !timeline.baseline(of: later).afterGap
  }
}

extension Footprint {
  /// The stores, if the expression reads only the states after a step; otherwise `nil`.
  fileprivate var storesAlone: Set<String>? {
    readsStatesOnly ? stores : nil
  }
}
