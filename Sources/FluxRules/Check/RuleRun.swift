import FluxJSON
import FluxLog

/// One pass of some rules over a recording.
final class RuleRun {
  /// A condition of a rule with what it takes to answer it.
  private struct Question {
    /// The index of the glob.
    var glob: Int?
    var isRejected: Bool
    /// The index of the expression.
    var expression: Int?
  }

  /// A rule and its questions.
  private struct Subject {
    var progress: RuleProgress
    var questions: [Question]
    /// The path whose numbers are compared.
    var path: (store: Int, pointer: Pointer?, path: Path)?
    var lastNumber: PossibleNumber?
  }

  private var pass: StepPass
  private var model: PassedModel
  private var document: QueryDocument
  private let check: @Sendable () throws -> Void
  private var subjects: [Subject] = []
  private var expressions: [CachedExpression] = []
  private var globs: [Glob] = []
  /// For each number of a type, the globs that match it.
  private var matches: [[Bool]?] = []
  private let current = CurrentStep()
  private let stores: Set<String>?
  private let keepsBefore: Bool
  private var lastTime: Int64 = 0
  private var nextNumber: Int64
  private(set) var steps = 0

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
    for rule in rules { add(rule) }
  }

  private func add(_ rule: Rule) {
    // The steps before the first one are missing, and so is the real start.
    let start: Int64 = nextNumber > 1 ? 0 : nextNumber - 1
    let progress = RuleProgress(rule, start: start)
    var subject = Subject(progress: progress, questions: [])
    for condition in progress.automaton.conditions {
      subject.questions.append(
        Question(
          glob: condition.glob.map { index(of: $0) }, isRejected: condition.isRejected,
          expression: condition.expression.map { index(of: $0) }))
    }
    if case .neverMoves(let path, _) = rule.pattern, let store = path.footprint.stores?.first {
      subject.path = (model.index(of: store) ?? 0, path.pointerInStore, path)
    }
    subjects.append(subject)
  }

  private func index(of glob: Glob) -> Int {
    if let known = globs.firstIndex(of: glob) { return known }
    globs.append(glob)
    return globs.count - 1
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
    matches.removeAll()
    steps = 0
    isContinued = true
  }

  private var isContinued = false

  /// Passes over all steps of the segment.
  func finishPass() throws {
    let first = Int64(clamping: pass.header.first)
    let missing = isContinued ? max(0, first - nextNumber) : max(0, first - 1)
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
    if lost > 0 {
      skip(lost, before: nextNumber &+ Int64(clamping: lost), to: .max)
    }
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

  private var needsTimes: Bool { subjects.contains { $0.progress.automaton.needsTime } }

  private func skip(_ missing: UInt64, before number: Int64, to latest: Int64) {
    for place in subjects.indices {
      subjects[place].lastNumber = nil
      subjects[place].progress.skip(missing, before: number, from: lastTime, to: latest)
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
    let isRejected = pass.shape(step.shape).isRejected
    for place in expressions.indices {
      if expressions[place].readsStep || model.written.contains(where: expressions[place].reads) {
        expressions[place].forget()
      }
    }
    if step.interruption != nil { for place in expressions.indices { expressions[place].forget() } }
    let event = RuleEvent(number: number, earliest: time, latest: time)
    try ask(event, type: step.type, isRejected: isRejected, isInitial: false)
  }

  // MARK: Asking

  private func ask(_ event: RuleEvent, type: Int?, isRejected: Bool, isInitial: Bool) throws {
    for place in subjects.indices {
      var answers: [Possibilities] = []
      for question in subjects[place].questions {
        answers.append(
          try answer(question, type: type, isRejected: isRejected, isInitial: isInitial))
      }
      let number = isRejected ? .known(.none) : try number(of: subjects[place])
      let automaton = subjects[place].progress.automaton
      if case .known(let number) = number, answers.allSatisfy(\.isExact) {
        subjects[place].progress.take(automaton.signals(answers, number), at: event)
      } else {
        let signals = automaton.signals(possible: answers, number)
        subjects[place].progress.take(possible: signals, at: event)
      }
    }
  }

  private func answer(
    _ question: Question, type: Int?, isRejected: Bool, isInitial: Bool
  ) throws -> Possibilities {
    if let glob = question.glob {
      guard let type, question.isRejected == isRejected else { return .skipped }
      guard matches(type)[glob] else { return .no }
    } else if isRejected {
      return .skipped
    }
    guard let expression = question.expression else { return .yes }
    return try expressions[expression].value(
      document, model, isInitial: isInitial, check: check)
  }

  private func matches(_ type: Int) -> [Bool] {
    if type < matches.count, let known = matches[type] { return known }
    let name = pass.typeName(type)
    let found = globs.map { $0.matches(name) }
    matches += Array(repeating: nil, count: max(0, type + 1 - matches.count))
    matches[type] = found
    return found
  }

  private func number(of subject: Subject) throws -> PossibleNumber {
    guard let (store, pointer, path) = subject.path else { return .known(.none) }
    if let pointer {
      switch model.value(pointer, in: store) {
      case .present(let json): return .known(NumberSignal(json))
      case .absent: return .known(.none)
      case .unknown: return .unknown
      }
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
    readsBefore = readsBefore || footprint.reads("before")
    guard let more = footprint.stores else {
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
