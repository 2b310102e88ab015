import FluxJSON
import FluxLog

/// One pass of some rules over a recording.
final class RuleRun {
  /// A condition of a rule with what it takes to answer it.
  private struct Question {
    let glob: Glob?
    let isRejected: Bool
    /// The index of the expression.
    let expression: Int?
    /// For each number of a type, 1 if the glob matches it, 2 if it does not, 0 if that is not known yet.
    var matches: [UInt8] = []
  }

  /// The place whose numbers a rule compares.
  private struct ComparedNumber {
    let store: Int
    /// The slot of the place; `nil` if it depends on the state.
    let slot: Int?
    let path: Path
  }

  /// A rule and its questions.
  private final class Subject {
    let automaton: RuleAutomaton
    var progress: RuleProgress
    var questions: [Question]
    /// The place whose numbers are compared.
    let number: ComparedNumber?
    let needsTime: Bool
    let comparesNumbers: Bool
    let hasDeadline: Bool

    init(_ progress: RuleProgress, _ questions: [Question], _ number: ComparedNumber?) {
      automaton = progress.automaton
      self.progress = progress
      self.questions = questions
      self.number = number
      needsTime = automaton.needsTime
      comparesNumbers = automaton.comparesNumbers
      hasDeadline = automaton.hasDeadline
    }
  }

  private var pass: StepPass
  private var model: PassedModel
  private var document: QueryDocument
  private let check: @Sendable () throws -> Void
  private var subjects: [Subject] = []
  private var expressions: [CachedExpression] = []
  /// For each store, the expressions that read it; found when it is first written.
  private var readers: [[Int]?] = []
  /// The expressions that read the steps themselves.
  private var ofSteps: [Int] = []
  private let needsTimes: Bool
  private let current = CurrentStep()
  private let stores: Set<String>?
  private let keepsBefore: Bool
  private var lastTime: Int64 = 0
  private var nextNumber: Int64
  private(set) var steps = 0

  /// The number of the last step, or of the start.
  var lastNumber: Int64 { nextNumber - 1 }

  /// The rules on their way.
  var progress: [RuleProgress] { subjects.map(\.progress) }

  init(_ rules: [Rule], _ pass: StepPass, check: @escaping @Sendable () throws -> Void) {
    self.pass = pass
    self.check = check
    var read = StatesRead()
    for rule in rules { read.add(rule) }
    (stores, keepsBefore) = (read.stores, read.readsBefore)
    model = PassedModel(stores, keepsBefore: keepsBefore, along: pass)
    document = model.document { [current] in current.step }
    nextNumber = Int64(clamping: pass.header.first)
    needsTimes = rules.contains { RuleAutomaton($0).needsTime }
    for rule in rules { add(rule) }
    ofSteps = expressions.indices.filter { expressions[$0].readsStep }
  }

  private func add(_ rule: Rule) {
    // The steps before the first one are missing, and so is the real start.
    let start: Int64 = nextNumber > 1 ? 0 : nextNumber - 1
    let progress = RuleProgress(rule, start: start)
    let questions = progress.automaton.conditions.map { condition in
      Question(
        glob: condition.glob, isRejected: condition.isRejected,
        expression: condition.expression.map { index(of: $0) })
    }
    subjects.append(Subject(progress, questions, number(of: rule)))
  }

  private func number(of rule: Rule) -> ComparedNumber? {
    guard case .neverMoves(let path, _) = rule.pattern, let store = path.footprint.stores?.first,
      let index = model.index(of: store)
    else { return nil }
    let slot = path.pointerInStore.map { model.addSlot($0, in: index) }
    return ComparedNumber(store: index, slot: slot, path: path)
  }

  private func index(of expression: StepExpression) -> Int {
    if let known = expressions.firstIndex(where: { $0.expression == expression }) { return known }
    expressions.append(CachedExpression(expression, in: model))
    return expressions.count - 1
  }

  // MARK: Passing

  /// Continues with the next segment of the recording.
  func begin(_ pass: StepPass) {
    self.pass = pass
    model = PassedModel(stores, keepsBefore: keepsBefore, along: pass)
    document = model.document { [current] in current.step }
    expressions = expressions.map { CachedExpression($0.expression, in: model) }
    readers.removeAll()
    for subject in subjects {
      // The slots of a new model have the same numbers, because they are added in the same order.
      if let number = subject.number, let pointer = number.path.pointerInStore {
        _ = model.addSlot(pointer, in: number.store)
      }
      for place in subject.questions.indices { subject.questions[place].matches.removeAll() }
    }
    steps = 0
    isContinued = true
  }

  private var isContinued = false
  /// The number of steps that are missing at the end of the segment before.
  private var missingAtEnd: Int64 = 0

  /// Passes over all steps of the segment.
  func finishPass() throws {
    let first = Int64(clamping: pass.header.first)
    // The missing steps at the end of the segment before were skipped already.
    let missing = isContinued ? max(0, first - nextNumber - missingAtEnd) : max(0, first - 1)
    var isAtStart = !isContinued || missing > 0
    var time: Int64?
    while let step = try pass.advance() {
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
    current.step = nil
    let event = RuleEvent(number: first - 1, earliest: lastTime, latest: time)
    nextNumber = first
    try ask(event, type: nil, isRejected: false, isInitial: true)
  }

  private func time() throws -> Int64 { Int64(clamping: try pass.time()) }

  private func skip(_ missing: UInt64, before number: Int64, to latest: Int64) {
    for subject in subjects {
      subject.progress.skip(missing, before: number, from: lastTime, to: latest)
    }
  }

  private func take(_ step: StepPass.Step) throws {
    let number = Int64(clamping: step.number)
    let time = needsTimes ? try time() : 0
    if step.missing > 0 { skip(step.missing, before: number, to: time) }
    lastTime = time
    nextNumber = number + 1
    current.step = step
    try model.take(step)
    let isRejected = model.shape(step.shape).isRejected
    for expression in ofSteps { expressions[expression].forget() }
    for store in model.written { forget(store) }
    let event = RuleEvent(number: number, earliest: time, latest: time)
    try ask(event, type: step.type, isRejected: isRejected, isInitial: false)
  }

  /// Forgets the values of the expressions that read a store.
  private func forget(_ store: Int) {
    if store >= readers.count {
      readers += Array(repeating: nil, count: store + 1 - readers.count)
    }
    let found: [Int]
    if let known = readers[store] {
      found = known
    } else {
      found = expressions.indices.filter { expressions[$0].reads(store) }
      readers[store] = found
    }
    for expression in found { expressions[expression].forget() }
  }

  // MARK: Asking

  private func ask(_ event: RuleEvent, type: Int?, isRejected: Bool, isInitial: Bool) throws {
    let moment = Moment(type: type, isRejected: isRejected, isInitial: isInitial)
    for subject in subjects {
      if let phase = subject.progress.phase,
        let signals = try exactSignals(subject, phase, moment)
      {
        if signals == RuleSignals(), !subject.hasDeadline || !subject.progress.isPending {
          continue
        }
        subject.progress.take(signals, at: event)
        continue
      }
      var answers: [Possibilities] = []
      for place in subject.questions.indices {
        answers.append(try answer(subject, place, moment))
      }
      let signals = subject.automaton.signals(possible: answers, try number(of: subject, moment))
      subject.progress.take(possible: signals, at: event)
    }
  }

  /// A step, or the start.
  private struct Moment {
    let type: Int?
    let isRejected: Bool
    let isInitial: Bool
  }

  /// Returns the signals that matter in a phase; `nil` if one of them is not known.
  private func exactSignals(
    _ subject: Subject, _ phase: RuleState.Phase, _ moment: Moment
  ) throws -> RuleSignals? {
    var signals = RuleSignals()
    let automaton = subject.automaton
    /// Returns the answer to a question; `nil` if it is not known.
    func exact(_ question: Int?) throws -> Possibilities? {
      guard let question else { return .skipped }
      let answer = try answer(subject, question, moment)
      return answer.isExact ? answer : nil
    }
    switch phase {
    case .over: return signals
    case .outside:
      guard let opens = try exact(automaton.opening) else { return nil }
      signals.opens = opens == .yes
      return signals
    case .inside:
      guard let closes = try exact(automaton.closing) else { return nil }
      if closes == .yes {
        guard let opens = try exact(automaton.opening) else { return nil }
        (signals.closes, signals.opens) = (true, opens == .yes)
        return signals
      }
      guard let left = try exact(automaton.left), let right = try exact(automaton.right) else {
        return nil
      }
      signals.isTrue = left == .yes && !automaton.asksForFalse
      signals.isFalse = left == .no && automaton.asksForFalse
      signals.isAnswered = right == .yes
      guard subject.comparesNumbers else { return signals }
      guard case .known(let number) = try number(of: subject, moment) else { return nil }
      signals.number = number
      return signals
    }
  }

  private func answer(
    _ subject: Subject, _ question: Int, _ moment: Moment
  ) throws -> Possibilities {
    let isGlob = subject.questions[question].glob != nil
    if isGlob {
      guard let type = moment.type,
        subject.questions[question].isRejected == moment.isRejected
      else { return .skipped }
      guard matches(subject, question, type) else { return .no }
    } else if moment.isRejected {
      return .skipped
    }
    guard let expression = subject.questions[question].expression else { return .yes }
    return try expressions[expression].value(
      document, model, isInitial: moment.isInitial, check: check)
  }

  private func matches(_ subject: Subject, _ question: Int, _ type: Int) -> Bool {
    let known = subject.questions[question].matches
    if type < known.count, known[type] != 0 { return known[type] == 1 }
    let matches = subject.questions[question].glob?.matches(pass.typeName(type)) ?? false
    let missing = max(0, type + 1 - known.count)
    subject.questions[question].matches += Array(repeating: 0, count: missing)
    subject.questions[question].matches[type] = matches ? 1 : 2
    return matches
  }

  private func number(of subject: Subject, _ moment: Moment) throws -> PossibleNumber {
    guard !moment.isRejected, let number = subject.number else { return .known(.none) }
    let (store, path) = (number.store, number.path)
    if let slot = number.slot {
      if model.isAbsent(store) { return .known(.none) }
      guard let value = model.value(inSlot: slot, of: store) else { return .unknown }
      return .known(NumberSignal(value))
    }
    guard case .unknown = model.state(store) else {
      return .known(NumberSignal(try path.nodes(in: document, check: check).first?.value))
    }
    return .unknown
  }
}

/// The step that a document reads.
private final class CurrentStep {
  var step: StepPass.Step?
}

/// The states that rules read.
private struct StatesRead {
  /// The stores; `nil` for all.
  var stores: Set<String>? = []
  var readsBefore = false

  mutating func add(_ rule: Rule) {
    for condition in RuleAutomaton(rule).conditions {
      if let expression = condition.expression { add(expression.footprint) }
    }
    if case .neverMoves(let path, _) = rule.pattern { add(path.footprint) }
  }

  private mutating func add(_ footprint: Footprint) {
    // After a return to another model, the states before the step tell what it changed.
    readsBefore = readsBefore || footprint.reads("before") || footprint.reads("changed")
    guard let more = footprint.stores, !footprint.readsAllChanges else {
      stores = nil
      return
    }
    stores?.formUnion(more)
  }
}

extension Path {
  /// The place in the store's state, if it does not depend on the state.
  fileprivate var pointerInStore: Pointer? {
    guard let place else { return nil }
    return Pointer(tokens: place.tokens.dropFirst(2))
  }
}
