/// The verdict on a rule for one recording.
public enum RuleVerdict: String, Sendable, CaseIterable {
  /// The recording keeps the rule.
  case holds
  /// The recording breaks the rule.
  case violated
  /// Something is still owed, and the recording was not closed.
  case open
  /// Steps or states are missing, and they decide.
  case unknown
  /// The rule was never triggered, in none of the recordings.
  case vacuous
}

/// A rule on its way through a trace: all states that its automaton may be in.
///
/// There is one state as long as everything is known. After a gap, or where a state is unknown, there are as many as
/// the missing parts allow. The rule is violated when no state is left. It may be violated if some choice of the missing
/// parts led to no state.
struct RuleProgress {
  /// States with the same key, of which only the mildest and the strictest count.
  private struct Member {
    var mild: RuleState
    /// The strictest one; `nil` if it is the mildest one.
    var stricter: RuleState?

    var strict: RuleState { stricter ?? mild }
  }

  let automaton: RuleAutomaton
  private var members: [Member]
  /// `true` if the rule is violated for some choice of what is missing.
  private(set) var mayBeViolated = false
  /// The step that violated the rule.
  private(set) var violation: Int64?
  private(set) var triggers = 0
  /// The state that counts triggers after the violation.
  private var rest = RuleState()

  init(_ rule: Rule, start: Int64) {
    automaton = RuleAutomaton(rule)
    let state = automaton.start(start, triggers: &triggers)
    members = [Member(mild: state)]
  }

  /// The phase in which the next event finds the rule; `nil` if there are several.
  var phase: RuleState.Phase? {
    violation == nil ? members.count == 1 ? members[0].mild.phase : nil : rest.phase
  }

  /// `true` if a deadline may end before the next event, or has ended in missing steps, even if the event answers nothing.
  var mayExpire: Bool {
    automaton.hasDeadline
      && (members.contains { $0.mild.flag } || (members.isEmpty && violation == nil))
  }

  /// The only state; `nil` if there are several.
  var state: RuleState? {
    guard members.count == 1, mayBeViolated || members[0].stricter == nil else { return nil }
    return members[0].mild
  }

  // MARK: Events

  /// Moves over an event with exact answers.
  mutating func take(_ signals: RuleSignals, at event: RuleEvent) {
    if signals == RuleSignals(), !mayExpire { return }
    guard violation == nil else {
      rest = automaton.follow(rest, signals, triggers: &triggers)
      return
    }
    guard event.earliest == event.latest, let state else {
      return take(possible: [signals], at: event)
    }
    var count = 0
    if let next = automaton.advance(state, signals, at: event, isStrict: false, triggers: &count) {
      members[0] = Member(mild: next)
      triggers += count
    } else {
      violate(event, signals, state)
    }
  }

  /// Moves over an event with one of several sets of answers.
  mutating func take(possible signals: [RuleSignals], at event: RuleEvent) {
    guard violation == nil else { return }
    var counted = 0...0
    // A deadline may have passed in a gap before this event.
    let former = members.first?.mild ?? RuleState()
    members = next(signals, event, &counted)
    if members.isEmpty {
      violate(event, signals[0], former)
    } else if !event.isMissing {
      // An action that nobody knows triggers nothing.
      triggers += event.hidesAction ? counted.lowerBound : counted.upperBound
    }
  }

  private mutating func violate(_ event: RuleEvent, _ signals: RuleSignals, _ state: RuleState) {
    members.removeAll()
    violation = event.number
    rest = automaton.follow(state, signals, triggers: &triggers)
  }

  /// Returns the members after an event, and the numbers of times that it may have triggered the rule.
  private mutating func next(
    _ signals: [RuleSignals], _ event: RuleEvent, _ counted: inout ClosedRange<Int>
  ) -> [Member] {
    var next: [Member] = []
    var counts: ClosedRange<Int>?
    for member in members {
      for signals in signals {
        var count = 0
        let mild = automaton.advance(
          member.mild, signals, at: event, isStrict: false, triggers: &count)
        counts =
          counts.map { min($0.lowerBound, count)...max($0.upperBound, count) } ?? count...count
        if let mild { join(mild, isStrict: false, into: &next) } else { mayBeViolated = true }
        guard !mayBeViolated else { continue }
        let strict = automaton.advance(
          member.strict, signals, at: event, isStrict: true, triggers: &count)
        if let strict { join(strict, isStrict: true, into: &next) } else { mayBeViolated = true }
      }
    }
    if let counts { counted = counts }
    return next
  }

  private func join(_ state: RuleState, isStrict: Bool, into members: inout [Member]) {
    guard let place = members.firstIndex(where: { $0.mild.key == state.key }) else {
      members.append(Member(mild: state))
      return
    }
    var (mild, strict) = (members[place].mild, members[place].strict)
    if isStrict {
      strict = automaton.stricter(strict, state)
    } else {
      mild = automaton.milder(mild, state)
    }
    members[place] = Member(mild: mild, stricter: strict == mild ? nil : strict)
  }

  // MARK: Missing steps

  /// The number of steps that are tried one by one after the states have stopped changing.
  private static let stableCount = 6

  /// Moves over missing steps, of which nothing is known but that their times are between two times.
  mutating func skip(_ count: UInt64, before number: Int64, from earliest: Int64, to latest: Int64)
  {
    guard violation == nil, count > 0 else { return }
    let signals = automaton.signals(
      possible: automaton.conditions.map { _ in .all }, automaton.missingNumber)
    var left = Int64(clamping: count)
    var stable = 0
    var counted = 0...0
    while left > 0, stable < Self.stableCount, !members.isEmpty {
      let event = RuleEvent(
        number: number &- left, earliest: earliest, latest: latest, isMissing: true)
      let keys = Set(members.map(\.mild.key))
      members = next(signals, event, &counted)
      stable = Set(members.map(\.mild.key)) == keys ? stable + 1 : 0
      left -= 1
    }
    guard left > 0 else { return }
    shift(by: left, to: number &- 1, counts: signals.contains { $0.isTrue && !$0.closes })
  }

  private mutating func shift(by count: Int64, to number: Int64, counts: Bool) {
    var shifted: [Member] = []
    for member in members {
      if let mild = automaton.shifted(
        member.mild, by: count, to: number, counts: counts, isStrict: false)
      {
        join(mild, isStrict: false, into: &shifted)
      }
      guard !mayBeViolated else { continue }
      if let strict = automaton.shifted(
        member.strict, by: count, to: number, counts: counts, isStrict: true)
      {
        join(strict, isStrict: true, into: &shifted)
      } else {
        mayBeViolated = true
      }
    }
    members = shifted
  }

  // MARK: The end

  /// Returns the verdict at the end of the trace, whose last step has the number `last`.
  func verdict(isClosed: Bool, last: Int64) -> (verdict: RuleVerdict, step: Int64?) {
    if let violation { return (.violated, violation) }
    if members.isEmpty { return (.violated, last) }
    let pending = members.filter { automaton.isPendingAtEnd($0.mild) }
    let since = pending.map(\.mild.since).min().map { $0 == .max ? last : $0 }
    if pending.isEmpty { return (mayBeViolated ? .unknown : .holds, nil) }
    let isCertain = pending.count == members.count
    if isClosed { return isCertain ? (.violated, since) : (.unknown, nil) }
    return isCertain && !mayBeViolated ? (.open, since) : (.unknown, nil)
  }
}

extension RuleAutomaton {
  /// The number at a missing step; there is none if the rule compares no numbers.
  var missingNumber: PossibleNumber { path == nil ? .known(.none) : .unknown }
}
