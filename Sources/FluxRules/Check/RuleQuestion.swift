import FluxJSON
import FluxLog

/// Asks which conditions of some rules are true at a step, and which numbers they compare.
///
/// Each condition is asked at each step, whatever the rules make of it. What is unknown has several answers.
struct RuleQuestion: StepQuestion {
  /// The answers at a step.
  struct Answer: Sendable, Equatable {
    /// The time of the step in microseconds; 0 at the start of a log, and if the rules do not need it.
    var time: Int64
    /// The possible answers to each condition.
    var conditions: [Possibilities]
    /// The numbers at each path.
    var numbers: [PossibleNumber]
  }

  /// The parts of a condition that decide its answer at a step.
  private struct Condition {
    let isRejected: Bool
    /// The index of the expression.
    let expression: Int?
    /// The types in the log that the glob matches; `nil` if there is no glob.
    let types: IDSet?
  }

  private let timeline: Timeline
  private let conditions: [Condition]
  private let expressions: [QueryExpression]
  /// The paths whose numbers are compared.
  private let paths: [QueryExpression]
  private let stores: [String]
  private let keepsBefore: Bool
  private let needsTimes: Bool

  /// Creates the question of some rules about the steps that a log has now.
  ///
  /// - Parameters:
  ///   - rules: The automata of the rules.
  ///   - timeline: The log, whose index is complete.
  init(_ rules: [RuleAutomaton], in timeline: Timeline) {
    self.timeline = timeline
    let types = timeline.log.typeTexts
    var expressions: [QueryExpression] = []
    conditions = Self.conditions(of: rules).map { condition in
      if let expression = condition.expression, !expressions.contains(expression) {
        expressions.append(expression)
      }
      return Condition(
        isRejected: condition.isRejected,
        expression: condition.expression.flatMap(expressions.firstIndex),
        types: condition.glob.map { glob in IDSet(types.indices.filter { glob.matches(types[$0]) })
        }
      )
    }
    self.expressions = expressions
    paths = Self.paths(of: rules)
    needsTimes = rules.contains(where: \.needsTime)
    let footprints = (expressions + paths).map(\.footprint)
    // After a return to another model, the states before the step tell what it changed.
    keepsBefore = footprints.contains { $0.reads("before") || $0.reads("changed") }
    let readsAllStores = footprints.contains { $0.stores == nil || $0.readsAllChanges }
    let named = footprints.flatMap { $0.namedStores(in: "state") + $0.namedStores(in: "before") }
    stores = (readsAllStores ? timeline.log.storeNames : []) + named
  }

  /// The conditions of some rules, each once; their indices are those of ``Answer/conditions``.
  static func conditions(of rules: [RuleAutomaton]) -> [Rule.Condition] {
    rules.flatMap(\.conditions).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The paths that some rules compare, each once; their indices are those of ``Answer/numbers``.
  static func paths(of rules: [RuleAutomaton]) -> [QueryExpression] {
    rules.compactMap(\.path).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  func candidate(in range: Range<Int>, _ direction: SearchDirection) -> Int? {
    direction == .forwards ? range.first : range.last
  }

  func answer(at position: Int, check: @escaping () throws -> Void) throws -> Answer? {
    var asking = try Asking(self, at: max(0, position)..<position + 1, check)
    if position < 0 {
      _ = try asking.ask()
    } else if try asking.advance() == nil {
      return nil
    }
    return asking.answer
  }

  func answers(in piece: Range<Int>) -> [(position: Int, answer: Answer)]? {
    do {
      var asking = try Asking(self, at: piece) {}
      var answers: [(position: Int, answer: Answer)] = []
      while let differs = try asking.advance() {
        if differs || answers.isEmpty { answers.append((asking.pass.position, asking.answer)) }
      }
      return asking.pass.isComplete ? answers : nil
    } catch {
      // Asking at the steps one by one shows which one is the problem.
      return nil
    }
  }

  // MARK: A pass

  /// The question on its way along a pass.
  private struct Asking {
    let pass: StepPass
    private let question: RuleQuestion
    private let model: PassedModel
    private var expressions: [PassedExpression]
    /// The documents in which the paths are read.
    private let documents: [QueryDocument]
    private let check: () throws -> Void
    /// The answer at the current step.
    private(set) var answer: Answer

    init(
      _ question: RuleQuestion, at piece: Range<Int>, _ check: @escaping () throws -> Void
    ) throws(LogError) {
      (self.question, self.check) = (question, check)
      pass = StepPass(question.timeline.log, piece)
      let model = try PassedModel(
        question.stores, keepsBefore: question.keepsBefore, along: pass, in: question.timeline)
      let document = model.document()
      self.model = model
      expressions = question.expressions.map { PassedExpression($0, in: model, document) }
      documents = question.paths.map { document.reading(model.reader(of: $0.places)) }
      answer = Answer(
        time: 0, conditions: Array(repeating: .skipped, count: question.conditions.count),
        numbers: Array(repeating: .known(.none), count: question.paths.count))
    }

    /// Advances to the next step; returns `true` if the answer there differs from the one before, and `nil` after the last
    /// step.
    mutating func advance() throws -> Bool? {
      guard let step = pass.advance() else { return nil }
      try model.take(step)
      for index in expressions.indices { expressions[index].forget() }
      return try ask()
    }

    /// Finds the answer at the current step, or at the start of the log; returns `true` if it differs from the one before.
    ///
    /// Most answers stay, so only what differs is written.
    mutating func ask() throws -> Bool {
      let isRejected = model.step.map { model.shape($0.shape).isRejected } ?? false
      var differs = false
      if question.needsTimes, model.step != nil {
        let time = Int64(clamping: try pass.time())
        differs = time != answer.time
        answer.time = time
      }
      for index in question.conditions.indices {
        let possible = try answers(question.conditions[index], isRejected)
        guard possible != answer.conditions[index] else { continue }
        answer.conditions[index] = possible
        differs = true
      }
      for index in question.paths.indices {
        let number = isRejected ? .known(.none) : try number(index)
        guard number != answer.numbers[index] else { continue }
        answer.numbers[index] = number
        differs = true
      }
      return differs
    }

    private mutating func answers(
      _ condition: Condition, _ isRejected: Bool
    ) throws -> Possibilities {
      if let types = condition.types {
        guard let step = model.step, condition.isRejected == isRejected else { return .skipped }
        guard types.contains(step.type) else { return .no }
      } else if isRejected {
        return .skipped
      }
      guard let expression = condition.expression else { return .yes }
      return try expressions[expression].answers(check)
    }

    private func number(_ path: Int) throws -> PossibleNumber {
      let value = try LogError.ifKnown {
        try question.paths[path].queryValue(in: documents[path], check: check)
      }
      return value.map { .known(NumberSignal($0)) } ?? .unknown
    }
  }
}

extension RuleQuestion.Answer {
  /// Makes the answer at the start of a log that lacks it: the states can be any, and there is no step.
  init(missingStartOf rules: [RuleAutomaton]) {
    time = 0
    conditions = RuleQuestion.conditions(of: rules).map { $0.readsStatesOnly ? .all : .skipped }
    numbers = RuleQuestion.paths(of: rules).map { _ in .unknown }
  }

  /// Turns the answer at a start into that at a missing step which led to the states there: its action can be any.
  mutating func hideStep(from rules: [RuleAutomaton]) {
    for (index, condition) in RuleQuestion.conditions(of: rules).enumerated()
    where !condition.readsStatesOnly {
      conditions[index] = .all
    }
  }
}
