import FluxJSON
import FluxLog

/// One pass of some rules over the segments of a recording.
struct RuleRun {
  /// The parts of a condition that decide its answer at a step.
  private struct Question {
    let isRejected: Bool
    /// The index of the expression.
    let expression: Int?
    /// The types in the segment that the glob matches; `nil` if there is no glob.
    var types: IDSet?
  }

  /// A rule and its questions.
  private struct Subject {
    let automaton: RuleAutomaton
    var progress: RuleProgress
    var questions: [Question]
    /// The path whose numbers are compared.
    var number: ReadExpression?
  }

  /// The action of a step; `type` is `nil` at the start.
  private typealias Moment = (type: Int?, isRejected: Bool)

  private var pass: StepPass
  private var model: PassedModel
  private let check: @Sendable () throws -> Void
  private let rules: [Rule]
  private var subjects: [Subject] = []
  /// For each type in the segment and each rule: the sum of 1 if accepted steps can move the rule, and 2 if rejected ones can.
  private var moving: [UInt8] = []
  /// The expressions of all rules.
  private var distinct: [QueryExpression] = []
  private var expressions: [CachedExpression] = []
  /// The answers of one rule at the current event, with memory that all rules use in turn; questions that do not matter
  /// there are skipped.
  private var answers: [Possibilities] = []
  private let needsTimes: Bool
  /// The stores that the rules read; `nil` for all.
  private let stores: [String]?
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

  /// Prepares to pass over a recording that begins with a log.
  init(_ rules: [Rule], _ log: LogFile, check: @escaping @Sendable () throws -> Void) {
    (self.rules, self.check) = (rules, check)
    let footprints = rules.flatMap(\.footprints)
    // After a return to another model, the states before the step tell what it changed.
    keepsBefore = footprints.contains { $0.reads("before") || $0.reads("changed") }
    let readsAllStores = footprints.contains { $0.stores == nil || $0.readsAllChanges }
    stores = readsAllStores ? nil : footprints.flatMap { $0.stores ?? [] }
    pass = StepPass(log)
    model = PassedModel(stores, keepsBefore: keepsBefore, along: pass)
    nextNumber = Int64(clamping: log.header.first)
    needsTimes = rules.contains { RuleAutomaton($0).needsTime }
    for rule in rules { add(rule) }
    bind()
  }

  private mutating func add(_ rule: Rule) {
    // The steps before the first one are missing, and so is the real start.
    let start: Int64 = nextNumber > 1 ? 0 : nextNumber - 1
    let progress = RuleProgress(rule, start: start)
    let questions = progress.automaton.conditions.map { condition in
      Question(
        isRejected: condition.isRejected,
        expression: condition.expression.map { index(of: $0) })
    }
    subjects.append(
      Subject(automaton: progress.automaton, progress: progress, questions: questions))
  }

  private mutating func index(of expression: QueryExpression) -> Int {
    if let known = distinct.firstIndex(of: expression) { return known }
    distinct.append(expression)
    return distinct.count - 1
  }

  /// Prepares to read the current model, and looks up the types of the segment.
  private mutating func bind() {
    let document = model.document()
    expressions = distinct.map { CachedExpression($0, in: model, document) }
    let types = pass.log.typeTexts
    moving = Array(repeating: 0, count: types.count * subjects.count)
    for (place, rule) in rules.enumerated() {
      if case .neverMoves(let path, _) = rule.pattern {
        subjects[place].number = QueryExpression(path).map { ReadExpression($0, model, document) }
      }
      let automaton = subjects[place].automaton
      for (index, condition) in automaton.conditions.enumerated() {
        subjects[place].questions[index].types = condition.glob.map { glob in
          IDSet(types.indices.filter { glob.matches(types[$0]) })
        }
      }
      for type in types.indices {
        moving[type * subjects.count + place] = [false, true].reduce(0) { sum, isRejected in
          sum + (mayMove(place, type, isRejected) ? isRejected ? 2 : 1 : 0)
        }
      }
    }
  }

  /// `true` if a step of a type can move a rule, even if no deadline is over.
  private func mayMove(_ subject: Int, _ type: Int, _ isRejected: Bool) -> Bool {
    let automaton = subjects[subject].automaton
    // A condition that does not hold moves some rules.
    if automaton.asksForFalse || automaton.comparesNumbers { return true }
    return subjects[subject].questions.contains { question in
      guard let types = question.types else { return !isRejected }
      return question.isRejected == isRejected && types.contains(type)
    }
  }

  // MARK: Passing

  /// Continues with the next segment of the recording.
  mutating func begin(_ log: LogFile) {
    pass = StepPass(log)
    model = PassedModel(stores, keepsBefore: keepsBefore, along: pass)
    bind()
    steps = 0
    isContinued = true
  }

  /// Passes over all steps of the segment.
  mutating func finishPass() throws {
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
  private mutating func takeStart(_ missing: Int64, _ first: Int64, _ time: Int64) throws {
    skip(UInt64(missing), before: first, to: time)
    let event = RuleEvent(number: first - 1, earliest: lastTime, latest: time)
    nextNumber = first
    try ask(event, (type: nil, isRejected: false))
  }

  private func time() throws -> Int64 { Int64(clamping: try pass.time()) }

  private mutating func skip(_ missing: UInt64, before number: Int64, to latest: Int64) {
    for index in subjects.indices {
      subjects[index].progress.skip(missing, before: number, from: lastTime, to: latest)
    }
  }

  private mutating func take(_ step: StepPass.Step) throws {
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

  private mutating func ask(_ event: RuleEvent, _ moment: Moment) throws {
    let isMoved: UInt8 = moment.isRejected ? 2 : 1
    for index in subjects.indices {
      if let type = moment.type, moving[type * subjects.count + index] & isMoved == 0,
        !subjects[index].progress.mayExpire
      {
        continue
      }
      answers.removeAll(keepingCapacity: true)
      answers.append(contentsOf: repeatElement(.skipped, count: subjects[index].questions.count))
      let number = try answer(index, moment)
      let automaton = subjects[index].automaton
      if let signals = automaton.signals(exact: answers, number) {
        subjects[index].progress.take(signals, at: event)
      } else {
        let signals = automaton.signals(possible: answers, number)
        subjects[index].progress.take(possible: signals, at: event)
      }
    }
  }

  /// Answers the questions that matter in the phase of a rule, and returns the number that matters.
  private mutating func answer(_ subject: Int, _ moment: Moment) throws -> PossibleNumber {
    let (automaton, phase) = (subjects[subject].automaton, subjects[subject].progress.phase)
    if phase == .over { return .known(.none) }
    if phase == .outside {
      try answer(automaton.opening, of: subject, moment)
      return .known(.none)
    }
    try answer(automaton.closing, of: subject, moment)
    let closes = automaton.closing.map { answers[$0] } ?? .no
    if phase == nil || closes.contains(.yes) {
      try answer(automaton.opening, of: subject, moment)
    }
    if phase == .inside, closes == .yes { return .known(.none) }
    try answer(automaton.left, of: subject, moment)
    try answer(automaton.right, of: subject, moment)
    guard let number = subjects[subject].number, !moment.isRejected else { return .known(.none) }
    let value = try LogError.ifKnown { try number.value(check) }
    return value.map { .known(NumberSignal(QueryValue($0))) } ?? .unknown
  }

  private mutating func answer(_ question: Int?, of subject: Int, _ moment: Moment) throws {
    guard let question else { return }
    answers[question] = try answer(subjects[subject].questions[question], moment)
  }

  private mutating func answer(_ question: Question, _ moment: Moment) throws -> Possibilities {
    if let types = question.types {
      guard let type = moment.type, question.isRejected == moment.isRejected else {
        return .skipped
      }
      guard types.contains(type) else { return .no }
    } else if moment.isRejected {
      return .skipped
    }
    guard let expression = question.expression else { return .yes }
    return try expressions[expression].value(model, isInitial: moment.type == nil, check: check)
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
