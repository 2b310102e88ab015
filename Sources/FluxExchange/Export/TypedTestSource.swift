import FluxJSON
import FluxLog
import FluxReplay

/// A Swift Testing test with the actions as values, and one expectation.
struct TypedTestSource {
  let plan: TestPlan
  let names: TestNames

  /// The text of the file.
  var text: String {
    let step = plan.reproduction.step
    let type = plan.reproduction.type
    let title = SwiftText.isPlain(type) ? "Step \(step), \(type)," : "Step \(step)"
    return """
      // swift-format-ignore-file
      // Written by flux-inspect: dispatches recorded actions in fresh stores, and \(purpose).
      \(imports)

      \(names.imports)

      @Suite struct \(names.suite(ofStep: step)) {
        @Test("\(title) \(plan.bug == nil ? "leads to the recorded values" : "no longer shows the bug")")
        \(names.maker.isolation)func reproduces() throws {
      \(body.map { "    \($0)\n" }.joined())  }
      }

      """
  }

  private var purpose: String {
    plan.bug == nil ? "expects recorded values" : "fails while the last one leads to the bug"
  }

  private var imports: String {
    let makers = ["UUID(", "Date(", "URL(", "Data(", "Decimal("]
    let needsFoundation = plan.calls.contains { call in
      makers.contains { call.source?.contains($0) == true }
    }
    return (["FluxJSON", "FluxTesting"] + (needsFoundation ? ["Foundation"] : []) + ["Testing"])
      .map { "import \($0)" }.joined(separator: "\n")
  }

  private var body: [String] {
    var lines: [String] = []
    if let start = plan.start {
      lines.append("let start = \(SwiftText.literal(JSON(message: start).text))")
      lines.append("let session = try TestSession(\(names.maker.argument), start: start)")
    } else {
      lines.append("let session = try TestSession(\(names.maker.argument))")
    }
    let first = plan.start?.next ?? 0
    let calls = plan.calls.enumerated().map { call($1, at: first &+ UInt64($0)) }
    if plan.bug == nil, let rejection = plan.reproduction.rejection, let last = calls.last {
      let message = SwiftText.literal("\(rejection.reason): \(rejection.message)")
      lines += calls.dropLast()
      lines += ["let rejection = \(last)", "#expect(rejection == \(message))"]
    } else {
      lines += calls
    }
    return lines + expectation
  }

  /// The dispatch of an action in a step that, without follow-ups before it, has this number.
  private func call(_ call: TestPlan.Call, at number: UInt64) -> String {
    let action =
      call.source ?? "json: JSON.parse(\(SwiftText.literal(call.action.action.text)))"
    let target = call.action.target.map { ", to: \(SwiftText.literal($0))" } ?? ""
    let given = plan.given(call.action)
    var time = plan.start == nil ? "" : ", at: \(given.time)"
    if let followUps = given.followUpTimes {
      time += ", followUpsAt: [\(followUps.map(\.description).joined(separator: ", "))]"
    }
    let other = given.randomStep.flatMap { $0 == number ? nil : $0 }
    let random = other.map { ", randomStep: \($0)" } ?? ""
    return "try session.dispatch(\(action)\(target)\(time)\(random))"
  }

  /// The values are constants first, because a failed `#expect` shows no part of an expression with `try`.
  private var expectation: [String] {
    if let bug = plan.bug {
      return ["#expect(try !session.holds(\(SwiftText.literal(bug.text))))"]
    }
    let expected = plan.expectations.map { expectation in
      (SwiftText.literal(expectation.query.text), Self.value(expectation.value))
    }
    guard expected.count != 1 else {
      let (query, literal) = expected[0]
      let value = "let value = try session.value(\(query))"
      guard literal.hasPrefix("JSON.parse") else { return [value, "#expect(value == \(literal))"] }
      return [value, "let expected = try \(literal)", "#expect(value == expected)"]
    }
    guard !expected.isEmpty else { return [] }
    return ["let mismatches = try session.mismatches(["]
      + expected.map { "  \($0.0): \($0.1)," } + ["])", "#expect(mismatches == [])"]
  }

  /// The literal of a value, as an operand next to an optional one.
  private static func value(_ value: JSON?) -> String {
    guard let value else { return "nil" }
    switch value.kind {
    case .bool: return value.text
    case .number where Int32(value.text) != nil: return value.text
    case .string where value.string.map { JSON(stringLiteral: $0) == value } == true:
      return SwiftText.literal(value.string ?? "")
    default: return "JSON.parse(\(SwiftText.literal(value.text)))"
    }
  }
}
