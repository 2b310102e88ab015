/// A figure that is measured, and what it has to reach.
///
/// ```swift outside
/// Figure("validating parse, state", in: .gigabytesPerSecond, target: .atMost(3_600, .multiplication)) {
///   Contest(.repeated(amount: state.count) { try JSON.parse(state) })
/// }
/// ```
package struct Figure {
  /// What is measured; unique in its suite, and the same in every version that is compared.
  package let name: String
  let unit: Unit
  let cores: Cores
  let target: Target?
  let limit: Target?
  let contest: () throws -> Contest

  /// Creates a figure.
  ///
  /// - Parameters:
  ///   - name: What is measured.
  ///   - unit: What it is counted in.
  ///   - cores: Which cores its work needs.
  ///   - target: What it has to reach, if anything.
  ///   - limit: What is worth reaching beyond the target.
  ///   - contest: Prepares the inputs, and tells what to measure; called once.
  package init(
    _ name: String, in unit: Unit, on cores: Cores = .one, target: Target? = nil,
    limit: Target? = nil, contest: @escaping () throws -> Contest
  ) {
    self.name = name
    self.unit = unit
    self.cores = cores
    self.target = target
    self.limit = limit
    self.contest = contest
    precondition(
      target?.yardstick == nil || limit?.yardstick == nil || target?.yardstick == limit?.yardstick,
      "\(name): target and limit have one yardstick")
  }

  /// The yardstick of its target or its limit, which is measured in the same rounds.
  var yardstick: Yardstick? { target?.yardstick ?? limit?.yardstick }
}

/// The work of a figure, and the same work as others do it.
package struct Contest {
  let work: Work
  let input: String
  let rivals: [Rival]

  /// Creates a contest.
  ///
  /// - Parameters:
  ///   - work: What is measured.
  ///   - input: What it is done with, in a few words.
  ///   - rivals: Who else does it. The target of a ratio is about the first.
  package init(_ work: Work, on input: String = "", beside rivals: [Rival] = []) {
    self.work = work
    self.input = input
    self.rivals = rivals
  }
}

/// What a user would pick instead.
package struct Rival {
  enum Presence {
    case here(Work)
    case absent(String)
  }

  let name: String
  let presence: Presence

  /// A rival that is here.
  package init(_ name: String, _ work: Work) {
    self.name = name
    presence = .here(work)
  }

  /// A rival that cannot be measured here, and why.
  package init(_ name: String, absent reason: String) {
    self.name = name
    presence = .absent(reason)
  }
}

/// Figures that share their inputs, and that are measured in a process of their own.
package struct Suite {
  package let name: String
  package let figures: [Figure]

  package init(_ name: String, _ figures: [Figure]) {
    self.name = name
    self.figures = figures
  }

  /// The name by which a figure is found, filtered and compared.
  package func title(of figure: Figure) -> String { "\(name)/\(figure.name)" }

  /// The same suite, with only those figures whose title has the text in it, in either case.
  package func filtered(by text: String) -> Suite {
    guard !text.isEmpty else { return self }
    return Suite(
      name,
      figures.filter { title(of: $0).lowercased().contains(text.lowercased()) })
  }

  /// The same suite, with only the figures of these titles.
  package func only(_ titles: [String]) -> Suite {
    Suite(name, figures.filter { titles.contains(title(of: $0)) })
  }
}
