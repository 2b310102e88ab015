import FluxJSON
import FluxLog

/// One pass of some rules over a recording.
final class RuleRun {
  /// A condition of a rule with what it takes to answer it.
  private struct Question {
    let condition: Rule.Condition
    /// The index of the expression.
    let expression: Int?
  }

  /// A rule and its questions.
  private final class Subject {
    let rule: Rule
    let automaton: RuleAutomaton
    var progress: RuleProgress
    let questions: [Question]
    /// For each question and each number of a type, 1 if the glob matches it, 2 if it does not, 0 if that is not known yet.
    var matches: [[UInt8]]
    /// The path whose numbers are compared.
    var number: PassedExpression?

    init(_ rule: Rule, _ progress: RuleProgress, _ questions: [Question]) {
      (self.rule, self.progress, self.questions) = (rule, progress, questions)
      automaton = progress.automaton
      matches = questions.map { _ in [] }
    }
  }

  /// The action of a step; `type` is `nil` at the start.
  private typealias Moment = (type: Int?, isRejected: Bool)

  private var pass: StepPass
  private var model: PassedModel
  private let check: @Sendable () throws -> Void
  private var subjects: [Subject] = []
  /// The expressions of all rules.
  private var distinct: [QueryExpression] = []
  private var expressions: [CachedExpression] = []
  /// The answers of one rule at the current event, with memory that all rules use in turn; questions that do not matter
  /// there are skipped.
  private var answers: [Possibilities] = []
  private let needsTimes: Bool
  /// The stores that the rules read; `nil` for all.
  private let stores: Set<String>?
  private let keepsBefore: Bool
  private var lastTime: Int64 = 0
  private var nextNumber: Int64
  private var isContinued = false
  /// The number of steps that are missing at the end of the segment before.
  private var missingAtEnd: Int64 = 0
  /// The number of steps in the current segment.
  private(set) var steps = 0

  /// The number of the last step, or of the start.
  var lastNumber: Int64 { nextNumber - 1 }

  /// The rules on their way.
  var progress: [RuleProgress] { subjects.map(\.progress) }

  init(_ rules: [Rule], _ pass: StepPass, check: @escaping @Sendable () throws -> Void) {
    self.pass = pass
    self.check = check
    let footprints = rules.flatMap(\.footprints)
    // After a return to another model, the states before the step tell what it changed.
    keepsBefore = footprints.contains { $0.reads("before") || $0.reads("changed") }
    let readsAllStores = footprints.contains { $0.stores == nil || $0.readsAllChanges }
    stores = readsAllStores ? nil : Set(footprints.flatMap { $0.stores ?? [] })
    model = PassedModel(stores, keepsBefore: keepsBefore, along: pass)
    nextNumber = Int64(clamping: pass.log.header.first)
    needsTimes = rules.contains { RuleAutomaton($0).needsTime }
    for rule in rules { add(rule) }
    bind()
  }

  private func add(_ rule: Rule) {
    // The steps before the first one are missing, and so is the real start.
    let start: Int64 = nextNumber > 1 ? 0 : nextNumber - 1
    let progress = RuleProgress(rule, start: start)
    let questions = progress.automaton.conditions.map { condition in
      Question(condition: condition, expression: condition.expression.map { index(of: $0) })
    }
    subjects.append(Subject(rule, progress, questions))
  }

  private func index(of expression: QueryExpression) -> Int {
    if let known = distinct.firstIndex(of: expression) { return known }
    distinct.append(expression)
    return distinct.count - 1
  }

  /// Prepares to read the current model.
  private func bind() {
    let document = model.document()
    expressions = distinct.map { CachedExpression($0, in: model, document) }
    for subject in subjects {
      guard case .neverMoves(let path, _) = subject.rule.pattern else { continue }
      subject.number = QueryExpression(path).map { PassedExpression($0, in: model, document) }
    }
  }

  // MARK: Passing

  /// Continues with the next segment of the recording.
  func begin(_ pass: StepPass) {
    self.pass = pass
    model = PassedModel(stores, keepsBefore: keepsBefore, along: pass)
    bind()
    for subject in subjects {
      for place in subject.questions.indices { subject.matches[place].removeAll() }
    }
    steps = 0
    isContinued = true
  }

  /// Passes over all steps of the segment.
  func finishPass() throws {
    let first = Int64(clamping: pass.log.header.first)
    // The missing steps at the end of the segment before were skipped already.
    let missing = isContinued ? max(0, first - nextNumber - missingAtEnd) : max(0, first - 1)
    var isAtStart = !isContinued || missing > 0
    var time: Int64?
    while let step = pass.advance() {
      if steps & 255 == 0 { try check() }
      steps += 1
      if isAtStart {
        if missing > 0 { time = try self.time() }
        try takeStart(missing, first, time ?? 0)
        isAtStart = false
      }
      try take(step)
    }
    if isAtStart { try takeStart(missing, first, missing > 0 ? .max : 0) }
    let lost = pass.missingAtEnd
    missingAtEnd = min(Int64(clamping: lost), .max - nextNumber)
    skip(UInt64(missingAtEnd), before: nextNumber + missingAtEnd, to: .max)
  }

  /// Asks the initial states, after the steps that are missing before them.
  private func takeStart(_ missing: Int64, _ first: Int64, _ time: Int64) throws {
    skip(UInt64(missing), before: first, to: time)
    let event = RuleEvent(number: first - 1, earliest: lastTime, latest: time)
    nextNumber = first
    try ask(event, (type: nil, isRejected: false))
  }

  private func time() throws -> Int64 { Int64(clamping: try pass.time()) }

  private func skip(_ missing: UInt64, before number: Int64, to latest: Int64) {
    for subject in subjects {
      subject.progress.skip(missing, before: number, from: lastTime, to: latest)
    }
  }

  private func take(_ step: StepPass.Step) throws {
    let number = min(Int64(clamping: step.number), .max - 1)
    let time = needsTimes ? try time() : 0
    if step.missing > 0 { skip(step.missing, before: number, to: time) }
    lastTime = time
    nextNumber = number + 1
    try model.take(step)
    for store in model.written {
      for index in expressions.indices { expressions[index].forget(ifReading: store) }
    }
    let event = RuleEvent(number: number, earliest: time, latest: time)
    try ask(event, (step.type, model.shape(step.shape).isRejected))
  }

  // MARK: Asking

  private func ask(_ event: RuleEvent, _ moment: Moment) throws {
    // A local: each access to a member of a class is checked, which took a fifth of the time.
    var answers: [Possibilities] = []
    swap(&answers, &self.answers)
    defer { swap(&answers, &self.answers) }
    for subject in subjects {
      answers.removeAll(keepingCapacity: true)
      answers.append(contentsOf: repeatElement(.skipped, count: subject.questions.count))
      let number = try answer(subject, moment, &answers)
      if let signals = subject.automaton.signals(exact: answers, number) {
        subject.progress.take(signals, at: event)
      } else {
        let signals = subject.automaton.signals(possible: answers, number)
        subject.progress.take(possible: signals, at: event)
      }
    }
  }

  /// Answers the questions that matter in the phase of a rule, and returns the number that matters.
  private func answer(
    _ subject: Subject, _ moment: Moment, _ answers: inout [Possibilities]
  ) throws -> PossibleNumber {
    func ask(_ question: Int?) throws {
      guard let question else { return }
      answers[question] = try answer(subject, question, moment)
    }
    let (automaton, phase) = (subject.automaton, subject.progress.phase)
    if phase == .over { return .known(.none) }
    if phase == .outside {
      try ask(automaton.opening)
      return .known(.none)
    }
    try ask(automaton.closing)
    let closes = automaton.closing.map { answers[$0] } ?? .no
    if phase == nil || closes.contains(.yes) { try ask(automaton.opening) }
    if phase == .inside, closes == .yes { return .known(.none) }
    try ask(automaton.left)
    try ask(automaton.right)
    guard let number = subject.number, !moment.isRejected else { return .known(.none) }
    let value = try LogError.ifKnown { try number.value(check: check) }
    return value.map { .known(NumberSignal($0)) } ?? .unknown
  }

  private func answer(
    _ subject: Subject, _ question: Int, _ moment: Moment
  ) throws -> Possibilities {
    if subject.questions[question].condition.glob != nil {
      guard let type = moment.type,
        subject.questions[question].condition.isRejected == moment.isRejected
      else { return .skipped }
      guard matches(subject, question, type) else { return .no }
    } else if moment.isRejected {
      return .skipped
    }
    guard let expression = subject.questions[question].expression else { return .yes }
    return try expressions[expression].value(model, isInitial: moment.type == nil, check: check)
  }

  private func matches(_ subject: Subject, _ question: Int, _ type: Int) -> Bool {
    let known = subject.matches[question]
    if type < known.count, known[type] != 0 { return known[type] == 1 }
    let matches = subject.questions[question].condition.glob?.matches(pass.typeName(type)) ?? false
    let missing = max(0, type + 1 - known.count)
    subject.matches[question] += Array(repeating: 0, count: missing)
    subject.matches[question][type] = matches ? 1 : 2
    return matches
  }
}

extension Rule {
  /// The places that the expressions of the rule read.
  fileprivate var footprints: [Footprint] {
    let expressions = RuleAutomaton(self).conditions.compactMap(\.expression).map(\.footprint)
    guard case .neverMoves(let path, _) = pattern else { return expressions }
    return expressions + [path.footprint]
  }
}
