import TestFixtures

/// Makes random rules, as text and for the naive evaluator.
struct RandomRule {
  private(set) var text = ""
  private(set) var rule = NaiveRule(scope: .globally, pattern: .eventually(NaiveCondition()))
  private var random: RandomJSON

  init(_ random: RandomJSON) {
    self.random = random
    let (pattern, patternText) = pattern()
    let (scope, scopeText) = scope()
    rule = NaiveRule(scope: scope, pattern: pattern)
    let parts = self.random.chance(2) ? [scopeText, patternText] : [patternText, scopeText]
    text = "rule r: " + parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private mutating func scope() -> (NaiveRule.Scope, String) {
    switch random.below(6) {
    case 0: return (.globally, "")
    case 1: return (.globally, "globally")
    case 2:
      let end = condition()
      return (.before(end.0), "before \(end.1)")
    case 3:
      let start = condition()
      return (.after(start.0, until: nil), "after \(start.1)")
    case 4:
      let (start, end) = (condition(), condition())
      return (.after(start.0, until: end.0), "after \(start.1) until \(end.1)")
    default:
      let (start, end) = (condition(), condition())
      return (.between(start.0, end.0), "between \(start.1) and \(end.1)")
    }
  }

  private mutating func pattern() -> (NaiveRule.Pattern, String) {
    switch random.below(8) {
    case 0:
      let one = condition()
      return (.always(one.0), "always \(one.1)")
    case 1:
      let one = condition()
      return (.never(one.0), "never \(one.1)")
    case 2:
      let one = condition()
      return (.eventually(one.0), "eventually \(one.1)")
    case 3:
      let (one, other) = (condition(), condition())
      return (.precedes(one.0, other.0), "\(one.1) precedes \(other.1)")
    case 4:
      let one = condition()
      let limit = random.below(3)
      return (.atMost(limit, one.0), "at most \(limit) of \(one.1)")
    case 5, 6: return leads()
    default:
      let (store, isUp) = (random.chance(3) ? "f" : "s", random.chance(2))
      return (
        .neverMoves(store: store, isUp: isUp),
        "\(store).v never \(isUp ? "increases" : "decreases")"
      )
    }
  }

  private mutating func leads() -> (NaiveRule.Pattern, String) {
    let (one, other) = (condition(), condition())
    let text = "\(one.1) leads to \(other.1)"
    switch random.below(4) {
    case 0:
      let steps = Int64(random.below(3))
      return (.leads(one.0, other.0, time: nil, steps: steps), "\(text) within \(steps) steps")
    case 1:
      let time = random.chance(2) ? "100ms" : "1s"
      return (
        .leads(one.0, other.0, time: time == "1s" ? 1_000_000 : 100_000, steps: nil),
        "\(text) within \(time)"
      )
    default: return (.leads(one.0, other.0, time: nil, steps: nil), text)
    }
  }

  private mutating func condition() -> (NaiveCondition, String) {
    if random.chance(3) {
      let (expression, text) = expression()
      return (NaiveCondition(expression: expression), text)
    }
    let glob = (RandomTrace.types + ["a/*", "*"])[random.below(6)]
    var condition = NaiveCondition(glob: glob, isRejected: random.chance(6))
    var text = (condition.isRejected ? "rejected " : "") + glob
    if random.chance(4) {
      let found = expression()
      condition.expression = found.0
      text += " if \(found.1)"
    }
    return (condition, text)
  }

  private mutating func expression() -> (NaiveExpression, String) {
    let store = random.chance(3) ? "f" : "s"
    let number = random.below(4)
    switch random.below(7) {
    case 0, 1: return (.above(store: store, number), "\(store).v > \(number)")
    case 2: return (.equal(store: store, number), "\(store).v == \(number)")
    case 3: return (.exists(store: store), "(\(store).v)")
    case 4: return (.changed(store: store), "changed(\(store).v)")
    case 5: return (.notShrunk(store: store), "\(store).v >= was(\(store).v)")
    default: return (.payloadAbove(number), "$.action.payload > \(number)")
    }
  }
}
