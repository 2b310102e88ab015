import FluxJSON
import FluxLog

/// The automaton of a rule: its states, and the moves between them.
final class RuleAutomaton {
  /// The condition for each question; equal conditions are one.
  let conditions: [Rule.Condition]
  let opening: Int?
  let closing: Int?
  let left: Int?
  let right: Int?
  /// `true` if the times of steps matter.
  let needsTime: Bool
  /// `true` if time or steps can violate the rule.
  let hasDeadline: Bool
  /// `true` if it matters that the only condition is false, and not that it is true.
  let asksForFalse: Bool
  /// The path whose numbers are compared; `nil` if the rule compares none.
  let path: QueryExpression?
  private let pattern: Rule.Pattern
  /// `true` if a scope counts only once it is closed.
  private let keepsBack: Bool

  init(_ rule: Rule) {
    pattern = rule.pattern
    needsTime = if case .leads(_, _, .microseconds) = pattern { true } else { false }
    hasDeadline = if case .leads(_, _, .some) = pattern { true } else { false }
    asksForFalse = if case .always = pattern { true } else { false }
    path = if case .neverMoves(let path, _) = pattern { QueryExpression(path) } else { nil }
    var conditions: [Rule.Condition] = []
    func index(_ condition: Rule.Condition?) -> Int? {
      guard let condition else { return nil }
      if let known = conditions.firstIndex(of: condition) { return known }
      conditions.append(condition)
      return conditions.count - 1
    }
    switch rule.scope {
    case .globally: (opening, closing, keepsBack) = (nil, nil, false)
    case .before(let end): (opening, closing, keepsBack) = (nil, index(end), true)
    case .after(let start, let end):
      (opening, closing, keepsBack) = (index(start), index(end), false)
    case .between(let start, let end):
      (opening, closing, keepsBack) = (index(start), index(end), true)
    }
    switch rule.pattern {
    case .always(let one), .never(let one), .eventually(let one), .atMost(_, let one):
      (left, right) = (index(one), nil)
    case .precedes(let one, let other), .leads(let one, let other, _):
      (left, right) = (index(one), index(other))
    case .neverMoves: (left, right) = (nil, nil)
    }
    self.conditions = conditions
  }

  /// `true` if all scopes are counted; `false` if only the events in them are, or the scopes with a number.
  private var countsScopes: Bool {
    switch pattern {
    case .precedes, .leads, .neverMoves: false
    default: true
    }
  }

  // MARK: Moves

  /// Returns the state before the first event; `number` is that of the start.
  func start(_ number: Int64, triggers: inout Int) -> RuleState {
    opening == nil ? entered(number, &triggers) : RuleState()
  }

  private func entered(_ number: Int64, _ triggers: inout Int) -> RuleState {
    if countsScopes { triggers += 1 }
    return RuleState(phase: .inside, since: number)
  }

  /// Returns the state after an event; `nil` if the rule is violated there.
  ///
  /// Of the times of a missing step, `isStrict` takes those that make a violation most likely, and otherwise those that
  /// make it least likely.
  func advance(
    _ state: RuleState, _ signals: RuleSignals, at event: RuleEvent, isStrict: Bool,
    triggers: inout Int
  ) -> RuleState? {
    switch state.phase {
    case .over: return state
    case .outside: return signals.opens ? entered(since(event, opening), &triggers) : state
    case .inside:
      guard closing != nil, signals.closes else {
        return judge(state, signals, at: event, isStrict: isStrict, &triggers)
      }
      guard !state.isHeld, !isPending(state) else { return nil }
      return closed(signals, since(event, opening), &triggers)
    }
  }

  /// Returns the state after an event of a rule that is violated already, which only counts triggers.
  func follow(_ state: RuleState, _ signals: RuleSignals, triggers: inout Int) -> RuleState {
    if state.phase == .outside, signals.opens { return entered(0, &triggers) }
    guard state.phase == .inside else { return state }
    if closing != nil, signals.closes { return closed(signals, 0, &triggers) }
    count(signals, in: state, &triggers)
    guard signals.number != .none else { return state }
    var state = state
    state.last = signals.number
    return state
  }

  /// Returns the state after an event that closes the scope, and may open the next one.
  private func closed(_ signals: RuleSignals, _ number: Int64, _ triggers: inout Int) -> RuleState {
    guard opening != nil else { return RuleState(phase: .over) }
    return signals.opens ? entered(number, &triggers) : RuleState()
  }

  /// Counts the events of the rule in a scope, and the first number there.
  private func count(_ signals: RuleSignals, in state: RuleState, _ triggers: inout Int) {
    guard !countsScopes else { return }
    if signals.isTrue { triggers += 1 }
    if case .precedes = pattern, signals.isAnswered { triggers += 1 }
    if signals.number != .none, state.last == .none, !state.isHeld { triggers += 1 }
  }

  /// `true` if the scope owes an event.
  private func isPending(_ state: RuleState) -> Bool {
    switch pattern {
    case .eventually: !state.flag
    case .leads: state.flag
    default: false
    }
  }

  /// `true` if a log that ends in this state violates the rule.
  func isPendingAtEnd(_ state: RuleState) -> Bool {
    state.phase == .inside && !keepsBack && isPending(state)
  }

  private func judge(
    _ state: RuleState, _ signals: RuleSignals, at event: RuleEvent, isStrict: Bool,
    _ triggers: inout Int
  ) -> RuleState? {
    count(signals, in: state, &triggers)
    guard !state.isHeld else { return state }
    var state = state
    var isViolated = false
    switch pattern {
    case .always: isViolated = signals.isFalse
    case .never: isViolated = signals.isTrue
    case .eventually: state.flag = state.flag || signals.isTrue
    case .precedes:
      state.flag = state.flag || signals.isTrue
      isViolated = signals.isAnswered && !state.flag
    case .atMost(let limit, _):
      if signals.isTrue { state.amount = state.amount.addingClamped(1) }
      isViolated = state.amount > limit
    case .leads(_, _, let deadline):
      isViolated = state.flag && isOver(state.amount, deadline, event, isStrict)
      // Of joined states, the first question counts until its own deadline is over.
      if isOver(state.sinceEnd, deadline, event, isStrict) { state.forgetSince() }
      if signals.isAnswered {
        state.flag = false
      } else if signals.isTrue, !state.flag {
        state.flag = true
        state.since = since(event, left)
        state.amount = end(of: deadline, event, isStrict)
        state.sinceEnd = state.amount
      }
    case .neverMoves(_, let direction):
      isViolated = signals.number.isBeyond(state.last, direction)
      if signals.number != .none { state.last = signals.number }
    }
    return isViolated ? violated : state
  }

  /// The state after a violation: it is kept back, or there is none.
  private var violated: RuleState? {
    keepsBack ? RuleState(phase: .inside, isHeld: true) : nil
  }

  /// The number to report for what begins at an event with the condition of an index.
  private func since(_ event: RuleEvent, _ condition: Int?) -> Int64 {
    condition.map { event.since(conditions[$0]) } ?? event.number
  }

  private func end(of deadline: Rule.Deadline?, _ event: RuleEvent, _ isStrict: Bool) -> Int64 {
    switch deadline {
    case nil: 0
    case .steps(let steps): event.number.addingClamped(Int64(clamping: steps))
    case .microseconds(let time):
      (isStrict ? event.earliest : event.latest).addingClamped(Int64(clamping: time))
    }
  }

  private func isOver(
    _ end: Int64, _ deadline: Rule.Deadline?, _ event: RuleEvent, _ isStrict: Bool
  ) -> Bool {
    switch deadline {
    case nil: false
    case .steps: event.number > end
    case .microseconds: (isStrict ? event.latest : event.earliest) > end
    }
  }

  // MARK: Comparing states

  /// Returns the state from which a violation is less likely, of two with the same key.
  func milder(_ one: RuleState, _ other: RuleState) -> RuleState {
    var milder = isMilder(other, than: one) ? other : one
    let first = other.since < one.since ? other : one
    (milder.since, milder.sinceEnd) = (first.since, first.sinceEnd)
    return milder
  }

  /// Returns the state from which a violation is more likely, of two with the same key.
  func stricter(_ one: RuleState, _ other: RuleState) -> RuleState {
    isMilder(other, than: one) ? one : other
  }

  private func isMilder(_ one: RuleState, than other: RuleState) -> Bool {
    switch pattern {
    case .atMost: one.amount < other.amount
    case .leads: one.amount > other.amount
    case .neverMoves(_, let direction):
      other.last != .none && (one.last == .none || isBeyond(one.last, other.last, direction))
    default: false
    }
  }

  /// `true` if more numbers are allowed after the one than after the other.
  private func isBeyond(
    _ one: NumberSignal, _ other: NumberSignal, _ direction: Rule.Direction
  ) -> Bool {
    if one == .extreme { return false }
    return other == .extreme || one.isBeyond(other, direction)
  }

  /// Shifts a state over missing steps that all lead to the same states; `nil` if that violates the rule.
  ///
  /// Only what counts steps depends on how many there are. `counts` is `true` if a missing step can be an event that
  /// `at most` counts.
  func shifted(
    _ state: RuleState, by steps: Int64, to number: Int64, counts: Bool, isStrict: Bool
  ) -> RuleState? {
    var state = state
    guard state.phase == .inside, !state.isHeld else { return state }
    switch pattern {
    case .atMost(let limit, _) where isStrict && counts:
      state.amount = state.amount.addingClamped(steps)
      return state.amount > limit ? violated : state
    case .leads(_, _, .steps) where state.flag:
      if isStrict { return state.amount < number ? violated : state }
      state.amount = state.amount.addingClamped(steps)
      if state.sinceEnd < number { state.forgetSince() }
      return state
    default: return state
    }
  }
}

extension RuleAutomaton {
  private var expressions: [QueryExpression] {
    (conditions.map(\.expression) + [path]).compactMap(\.self)
  }

  /// The paths in the rule that can select one value.
  var singularPaths: [Path] { expressions.flatMap(\.singularPaths) }

  /// The stores that the rule reads by name, each once.
  var stores: [String] {
    expressions.map(\.footprint).flatMap { footprint in
      ["state", "before"].flatMap { footprint.namedStores(in: $0) }
    }
    .reduce(into: []) { if !$0.contains(exactly: $1) { $0.append($1) } }
  }
}

extension Int64 {
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
