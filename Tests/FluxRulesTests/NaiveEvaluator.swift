/// A rule evaluator that is as simple as the definition: it looks at whole traces and at all their completions.
///
/// It shares no code with the one that it judges.
struct NaiveRule: Sendable {
  enum Scope: Sendable {
    case globally
    case before(NaiveCondition)
    case after(NaiveCondition, until: NaiveCondition?)
    case between(NaiveCondition, NaiveCondition)
  }

  enum Pattern: Sendable {
    case always(NaiveCondition)
    case never(NaiveCondition)
    case eventually(NaiveCondition)
    case precedes(NaiveCondition, NaiveCondition)
    case atMost(Int, NaiveCondition)
    case leads(NaiveCondition, NaiveCondition, time: Int64?, steps: Int64?)
    case neverMoves(store: String, isUp: Bool)
  }

  var scope: Scope
  var pattern: Pattern
}

struct NaiveCondition: Hashable, Sendable {
  var glob: String?
  var isRejected = false
  var expression: NaiveExpression?
}

enum NaiveExpression: Hashable, Sendable {
  case above(store: String, Int)
  case equal(store: String, Int)
  case exists(store: String)
  case changed(store: String)
  case notShrunk(store: String)
  case payloadAbove(Int)
}

enum Answer: Sendable {
  case yes, no, skipped
}

/// What is known of a store at an event.
enum NaiveState: Equatable, Sendable {
  case absent
  case value(Int)
  /// It has a state that is not in the log.
  case unwritten
  /// A gap hides it.
  case hidden
}

struct NaiveEvent: Sendable {
  /// `nil` at the start.
  var type: String?
  var payload = 0
  var isRejected = false
  var isMissing = false
  /// `true` for a missing step whose states are known, and whose action is not.
  var hidesAction = false
  /// The step to report for a violation here: for a missing step, the next one that is not.
  var reported: Int64 = 0
  var number: Int64
  /// The times that it may have.
  var times: [Int64]
  var states: [String: NaiveState] = [:]
  var before: [String: NaiveState] = [:]
  var isBeforeHidden = false
  var written: Set<String> = []
  /// The stores that it may have changed as well, because the log was imported without their states.
  var unrecorded: Set<String> = []
}

struct NaiveTrace: Sendable {
  var events: [NaiveEvent]
  var isClosed: Bool
}

enum NaiveVerdict: Equatable {
  case holds
  case violated(Int64)
  /// The step that began what is pending.
  case pending(Int64)
}

// MARK: Answers

extension NaiveCondition {
  func answers(at event: NaiveEvent) -> [Answer] {
    // At a missing start, only the states are unknown: there is no step.
    if event.isMissing, event.number > 0 { return [.yes, .no, .skipped] }
    if event.hidesAction, readsAction { return [.yes, .no, .skipped] }
    if let glob {
      guard let type = event.type, event.isRejected == isRejected else { return [.skipped] }
      guard Self.matches(glob, type) else { return [.no] }
      return expression?.answers(at: event) ?? [.yes]
    }
    return event.isRejected ? [.skipped] : expression?.answers(at: event) ?? [.yes]
  }

  /// Only globs with one star at the end occur.
  private static func matches(_ glob: String, _ type: String) -> Bool {
    glob.hasSuffix("*") ? type.hasPrefix(glob.dropLast()) : type == glob
  }
}

extension NaiveCondition {
  /// `true` if it asks about the step, and not about the states after it.
  var readsAction: Bool { glob != nil || expression?.readsAction == true }
}

extension NaiveExpression {
  /// `true` if it asks about the step, and not about the states after it.
  var readsAction: Bool {
    switch self {
    case .above, .equal, .exists: false
    case .changed, .notShrunk, .payloadAbove: true
    }
  }

  func answers(at event: NaiveEvent) -> [Answer] {
    func known(_ store: String, _ test: (Int) -> Bool) -> [Answer] {
      switch event.states[store] ?? .absent {
      case .absent: [.skipped]
      case .hidden: [.yes, .no, .skipped]
      case .unwritten: [.yes, .no]
      case .value(let value): [test(value) ? .yes : .no]
      }
    }
    switch self {
    case .above(let store, let limit): return known(store) { $0 > limit }
    case .equal(let store, let other): return known(store) { $0 == other }
    case .exists(let store): return known(store) { _ in true }
    case .payloadAbove(let limit):
      return event.type == nil ? [.skipped] : [event.payload > limit ? .yes : .no]
    case .changed(let store): return compared(store, at: event, isChange: true)
    case .notShrunk(let store): return compared(store, at: event, isChange: false)
    }
  }

  private func compared(_ store: String, at event: NaiveEvent, isChange: Bool) -> [Answer] {
    guard event.type != nil else { return [.skipped] }
    let now = event.states[store] ?? .absent
    if now == .absent { return [.skipped] }
    let skipped: [Answer] = now == .hidden ? [.skipped] : []
    if event.isBeforeHidden { return [.yes, .no] + skipped }
    let before = event.before[store] ?? .absent
    if isChange, !event.written.contains(store) {
      return (event.unrecorded.contains(store) ? [.yes, .no] : [.no]) + skipped
    }
    if !isChange, before == .absent { return [.skipped] }
    switch (before, now) {
    case (.absent, .value): return [.yes]
    case (.value(let old), .value(let new)):
      return [(isChange ? old != new : new >= old) ? .yes : .no]
    default: return [.yes, .no] + skipped
    }
  }
}

extension NaiveRule {
  func numbers(at event: NaiveEvent) -> [Int?] {
    guard case .neverMoves(let store, _) = pattern else { return [nil] }
    if event.isMissing { return [nil, -50, 50] }
    if event.isRejected { return [nil] }
    switch event.states[store] ?? .absent {
    case .absent: return [nil]
    case .hidden, .unwritten: return [nil, -50, 50]
    case .value(let value): return [value]
    }
  }

  var conditions: [NaiveCondition] {
    let ofScope: [NaiveCondition] =
      switch scope {
      case .globally: []
      case .before(let end): [end]
      case .after(let start, let end): [start] + (end.map { [$0] } ?? [])
      case .between(let start, let end): [start, end]
      }
    let ofPattern: [NaiveCondition] =
      switch pattern {
      case .always(let one), .never(let one), .eventually(let one), .atMost(_, let one): [one]
      case .precedes(let one, let other), .leads(let one, let other, _, _): [one, other]
      case .neverMoves: []
      }
    var distinct: [NaiveCondition] = []
    for condition in ofScope + ofPattern where !distinct.contains(condition) {
      distinct.append(condition)
    }
    return distinct
  }
}

// MARK: Completions

/// An event of which everything is decided.
struct DecidedEvent {
  var number: Int64
  var time: Int64
  var answers: [NaiveCondition: Answer]
  var value: Int?
  var isMissing = false
  var hidesAction = false
  var reported: Int64 = 0

  /// The number to report for what begins here if a condition is true.
  func since(_ condition: NaiveCondition) -> Int64 {
    isMissing || hidesAction && condition.readsAction ? .max : number
  }
}

extension NaiveRule {
  /// All completions of a trace; `nil` if there are too many.
  func completions(of trace: NaiveTrace, limit: Int) -> [[DecidedEvent]]? {
    var completions: [[DecidedEvent]] = [[]]
    for event in trace.events {
      var choices: [DecidedEvent] = event.times.map {
        DecidedEvent(
          number: event.number, time: $0, answers: [:], value: nil, isMissing: event.isMissing,
          hidesAction: event.hidesAction, reported: event.reported)
      }
      for condition in conditions {
        let answers = condition.answers(at: event)
        choices = choices.flatMap { choice in
          answers.map { answer in
            var choice = choice
            choice.answers[condition] = answer
            return choice
          }
        }
      }
      choices = choices.flatMap { choice in
        numbers(at: event).map { number in
          var choice = choice
          choice.value = number
          return choice
        }
      }
      guard completions.count * choices.count <= limit * 4 else { return nil }
      completions = completions.flatMap { some in
        choices.compactMap { choice in
          choice.time < some.last?.time ?? 0 ? nil : some + [choice]
        }
      }
      guard completions.count <= limit else { return nil }
    }
    return completions
  }

  /// The verdict on a trace of which everything is decided, and how often the rule is triggered.
  func verdict(_ events: [DecidedEvent], start: Int64) -> (NaiveVerdict, triggers: Int) {
    var triggers = 0
    var violations: [Int64] = []
    var pending: [Int64] = []
    for stretch in stretches(events, start: start) {
      let result = judge(Array(events[stretch.inside]), stretch.entered)
      switch pattern {
      case .precedes, .leads, .neverMoves: triggers += result.triggers
      default: triggers += 1
      }
      let closing = stretch.closedBy.map { events[$0].reported }
      if keepsBack {
        if let closing, result.violation != nil || result.pending != nil {
          violations.append(closing)
        }
      } else if let violation = result.violation {
        violations.append(violation)
      } else if let since = result.pending {
        if let closing { violations.append(closing) } else { pending.append(since) }
      }
    }
    if let first = violations.min() { return (.violated(first), triggers) }
    return (pending.min().map { .pending($0) } ?? .holds, triggers)
  }

  private var keepsBack: Bool {
    switch scope {
    case .before, .between: true
    case .globally, .after: false
    }
  }

  private struct Stretch {
    var inside: Range<Int>
    var entered: Int64
    var closedBy: Int?
  }

  private func stretches(_ events: [DecidedEvent], start: Int64) -> [Stretch] {
    func isMet(_ condition: NaiveCondition?, _ place: Int) -> Bool {
      condition.map { events[place].answers[$0] == .yes } ?? false
    }
    let (opening, closing): (NaiveCondition?, NaiveCondition?) =
      switch scope {
      case .globally: (nil, nil)
      case .before(let end): (nil, end)
      case .after(let start, let end): (start, end)
      case .between(let start, let end): (start, end)
      }
    func stretch(from place: Int, entered: Int64) -> Stretch {
      let end = (place..<max(place, events.count)).first { isMet(closing, $0) }
      return Stretch(inside: place..<(end ?? events.count), entered: entered, closedBy: end)
    }
    guard let opening else { return [stretch(from: 0, entered: start)] }
    var stretches: [Stretch] = []
    var place = 0
    while place < events.count {
      guard isMet(opening, place) else {
        place += 1
        continue
      }
      let found = stretch(from: place + 1, entered: events[place].since(opening))
      stretches.append(found)
      place = found.closedBy ?? events.count
    }
    return stretches
  }

  private func judge(
    _ events: [DecidedEvent], _ entered: Int64
  ) -> (violation: Int64?, pending: Int64?, triggers: Int) {
    func places(_ condition: NaiveCondition, _ answer: Answer = .yes) -> [Int] {
      events.indices.filter { events[$0].answers[condition] == answer }
    }
    func number(_ place: Int?) -> Int64? { place.map { events[$0].reported } }
    switch pattern {
    case .always(let condition): return (number(places(condition, .no).first), nil, 0)
    case .never(let condition): return (number(places(condition).first), nil, 0)
    case .eventually(let condition):
      return (nil, places(condition).isEmpty ? entered : nil, 0)
    case .precedes(let first, let second):
      let early = places(second).first { place in !places(first).contains { $0 <= place } }
      return (number(early), nil, places(first).count + places(second).count)
    case .atMost(let limit, let condition):
      return (number(places(condition).dropFirst(limit).first), nil, 0)
    case .leads(let question, let answer, let time, let steps):
      var violation: Int64?
      var pending: Int64?
      for place in places(question) {
        let asked = events[place]
        func isLate(_ event: DecidedEvent) -> Bool {
          if let time { return event.time > asked.time + time }
          if let steps { return event.number > asked.number + steps }
          return false
        }
        let met = places(answer).first { $0 >= place }
        let late = events.indices.first { $0 > place && isLate(events[$0]) }
        if let met, late.map({ met < $0 }) ?? true { continue }
        if let late {
          violation = min(violation ?? .max, events[late].reported)
        } else {
          pending = min(pending ?? .max, asked.since(question))
        }
      }
      return (violation, pending, places(question).count)
    case .neverMoves(_, let isUp):
      var last: Int?
      for event in events {
        guard let value = event.value else { continue }
        if let last, isUp ? value > last : value < last { return (event.reported, nil, 1) }
        last = value
      }
      return (nil, nil, last == nil ? 0 : 1)
    }
  }
}
