import FluxLog

/// Some rules on their way over the segments of a recording.
///
/// A ``Scan`` asks their conditions at each step. The automata take the answers in the order of the steps, and the steps that
/// are missing in between.
struct RuleRun {
  private let check: @Sendable () throws -> Void
  private let automata: [RuleAutomaton]
  private var subjects: [RuleSubject]
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
    subjects = progress.map { RuleSubject($0, asking: conditions, paths) }
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
      if !isContinued, missing > 0 {
        let answer = RuleQuestion.Answer(missingStartOf: automata)
        take(answer, at: RuleEvent(number: 0, earliest: 0, latest: time, isMissing: true))
      }
      nextNumber = first
      guard var answer = try question.answer(at: Timeline.start, check: check) else { return }
      if missing > 0 {
        // The last of the missing steps led to these states, or left them as they were.
        skip(missing - 1, before: first - 1, to: time)
        answer.hideStep(from: automata)
      }
      take(
        answer,
        at: RuleEvent(
          number: first - 1, earliest: lastTime, latest: time, hidesAction: missing > 0))
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
      subjects[index].skip(UInt64(missing), before: number, from: lastTime, to: latest)
    }
  }

  private mutating func take(_ answer: RuleQuestion.Answer, at event: RuleEvent) {
    for index in subjects.indices { subjects[index].take(answer, at: event) }
  }
}
