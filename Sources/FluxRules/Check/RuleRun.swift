import FluxLog

/// Some rules on their way over the segments of a recording.
///
/// A ``Scan`` asks their conditions at each step. The automata take the answers in the order of the steps, and the steps that
/// are missing in between.
struct RuleRun {
  /// A rule and its questions.
  private struct Subject {
    var progress: RuleProgress
    /// The indices of its conditions in the answers.
    let conditions: [Int]
    /// The index of its number in the answers; `nil` if it compares none.
    let number: Int?
  }

  private let check: @Sendable () throws -> Void
  private let automata: [RuleAutomaton]
  private var subjects: [Subject]
  /// The answers to the conditions of one rule, which all rules use in turn; `.skipped` behind its last one.
  private var answers: [Possibilities]
  private var lastTime: Int64 = 0
  private var nextNumber: Int64
  private var isContinued = false
  /// The number of steps that are missing at the end of the segment before.
  private var missingAtEnd: Int64 = 0

  /// The number of the last step, or of the start.
  var lastNumber: Int64 { nextNumber - 1 }

  /// The rules on their way.
  var progress: [RuleProgress] { subjects.map(\.progress) }

  /// Prepares to pass over a recording whose first step has a number.
  init(_ rules: [Rule], first: UInt64, check: @escaping @Sendable () throws -> Void) {
    self.check = check
    nextNumber = Int64(clamping: first)
    // The steps before the first one are missing, and so is the real start.
    let start: Int64 = nextNumber > 1 ? 0 : nextNumber - 1
    let progress = rules.map { RuleProgress($0, start: start) }
    automata = progress.map(\.automaton)
    let conditions = RuleQuestion.conditions(of: automata)
    let paths = RuleQuestion.paths(of: automata)
    subjects = progress.map { progress in
      Subject(
        progress: progress,
        conditions: progress.automaton.conditions.compactMap(conditions.firstIndex),
        number: progress.automaton.path.flatMap(paths.firstIndex))
    }
    answers = Array(repeating: .skipped, count: automata.map(\.conditions.count).max() ?? 0)
  }

  // MARK: Passing

  /// Passes over all steps of the next segment, whose index is complete.
  ///
  /// - Throws: `LogError` if a line cannot be read, `QueryError` if an expression is too expensive, and any error of `check`.
  mutating func pass(over log: LogFile) throws {
    let first = Int64(clamping: log.header.first)
    // The missing steps at the end of the segment before were skipped already.
    let missing = isContinued ? max(0, first - nextNumber - missingAtEnd) : max(0, first - 1)
    var isAtStart = !isContinued || missing > 0
    var expected = first
    let positions = 0..<log.count
    let question = RuleQuestion(automata, in: Timeline(log))
    let check = check
    func takeStart(before time: Int64) throws {
      guard isAtStart else { return }
      isAtStart = false
      skip(missing, before: first, to: time)
      nextNumber = first
      guard let answer = try question.answer(at: Timeline.start, check: check) else { return }
      take(answer, at: RuleEvent(number: first - 1, earliest: lastTime, latest: time))
    }
    _ = try Scan(question, positions, .forwards, smallestPass: 0).run(check: { _ in try check() }) {
      guard let answer = $0.answer else { return true }
      try takeStart(before: missing > 0 ? answer.time : 0)
      for position in $0.positions {
        let number = min(Int64(clamping: log.number(at: position) ?? 0), .max - 1)
        skip(number - expected, before: number, to: answer.time)
        (lastTime, expected, nextNumber) = (answer.time, number + 1, number + 1)
        take(answer, at: RuleEvent(number: number, earliest: lastTime, latest: lastTime))
      }
      return true
    }
    try takeStart(before: missing > 0 ? .max : 0)
    let end = log.missingAtEnd
    let lost = Int64(clamping: end.from) - expected
    missingAtEnd = min(lost.addingClamped(Int64(clamping: end.count)), .max - nextNumber)
    skip(missingAtEnd, before: nextNumber + missingAtEnd, to: .max)
    isContinued = true
  }

  private mutating func skip(_ missing: Int64, before number: Int64, to latest: Int64) {
    guard missing > 0 else { return }
    for index in subjects.indices {
      subjects[index].progress.skip(
        UInt64(missing), before: number, from: lastTime, to: latest)
    }
  }

  // MARK: Answers

  private mutating func take(_ answer: RuleQuestion.Answer, at event: RuleEvent) {
    for index in subjects.indices {
      let number = choose(from: answer, for: index)
      let automaton = subjects[index].progress.automaton
      if let signals = automaton.signals(exact: answers, number) {
        subjects[index].progress.take(signals, at: event)
      } else {
        let signals = automaton.signals(possible: answers, number)
        subjects[index].progress.take(possible: signals, at: event)
      }
    }
  }

  /// Chooses the answers that matter in the phase of a rule, and returns the number that matters.
  private mutating func choose(
    from answer: RuleQuestion.Answer, for subject: Int
  ) -> PossibleNumber {
    let automaton = subjects[subject].progress.automaton
    let phase = subjects[subject].progress.phase
    let indices = subjects[subject].conditions
    for condition in answers.indices { answers[condition] = .skipped }
    func choose(_ condition: Int?) {
      guard let condition else { return }
      answers[condition] = answer.conditions[indices[condition]]
    }
    if phase == .over { return .known(.none) }
    if phase == .outside {
      choose(automaton.opening)
      return .known(.none)
    }
    choose(automaton.closing)
    let closes = automaton.closing.map { answers[$0] } ?? .no
    if phase == nil || closes.contains(.yes) { choose(automaton.opening) }
    if phase == .inside, closes == .yes { return .known(.none) }
    choose(automaton.left)
    choose(automaton.right)
    return subjects[subject].number.map { answer.numbers[$0] } ?? .known(.none)
  }
}
