import Testing

@testable import FluxLog

@Suite struct SequenceCheckerTests {
  private static func run(
    _ number: UInt64, _ count: Int = 1, time: UInt64 = 0
  ) -> ScanEvent.Content {
    .steps(StepRun(number: number, count: count, firstTime: time, lastTime: time))
  }

  private static func gap(_ from: UInt64, _ through: UInt64) -> ScanEvent.Content {
    .gap(LogGap(from: from, through: through, why: .paused))
  }

  private static func end(_ steps: UInt64) -> ScanEvent.Content {
    .end(LogEnd(steps: steps, isComplete: true))
  }

  private static let lost = ScanEvent.Content.lost(
    LineFault(problem: .notAnObject, byte: 3), .step)
  private static let lostGap = ScanEvent.Content.lost(
    LineFault(problem: .notAnObject, byte: 3), .gap)

  /// Each event is one line, starting with line 2; a run of several steps is several lines.
  private static func check(_ events: [ScanEvent.Content]) -> SequenceChecker {
    var checker = SequenceChecker(first: 1)
    var line = 2
    for event in events {
      _ = checker.take(event, line: line)
      if case .steps(let run) = event { line += run.count } else { line += 1 }
    }
    return checker
  }

  @Test(
    "Each lost line is one finding",
    arguments: [
      ([run(1, 3), end(3)], []),
      (
        [run(1), lost, run(3), end(3)], [Finding(problem: .notAnObject, line: 3, step: 2, byte: 3)]
      ),
      ([run(1), lost, run(2), end(2)], [Finding(problem: .notAnObject, line: 3, byte: 3)]),
      (
        [run(1), lost, lost, run(3), end(2)],
        [
          Finding(problem: .notAnObject, line: 3, step: 2, byte: 3),
          Finding(problem: .notAnObject, line: 4, byte: 3),
        ]
      ),
      ([run(1), lostGap, run(4), end(2)], [Finding(problem: .notAnObject, line: 3, byte: 3)]),
      (
        [run(1), lostGap, gap(4, 5), run(6), end(2)],
        [Finding(problem: .notAnObject, line: 3, byte: 3)]
      ),
      (
        [run(1), lostGap, run(4), run(6), end(3)],
        [
          Finding(problem: .notAnObject, line: 3, byte: 3),
          Finding(problem: .missingSteps(from: 5, through: 5), line: 5, step: 6),
        ]
      ),
      ([run(1), lost, end(2)], [Finding(problem: .notAnObject, line: 3, step: 2, byte: 3)]),
      (
        [run(1), run(4), end(2)],
        [Finding(problem: .missingSteps(from: 2, through: 3), line: 3, step: 4)]
      ),
      (
        [run(1), lost, run(5), end(2)],
        [
          Finding(problem: .notAnObject, line: 3, step: 2, byte: 3),
          Finding(problem: .missingSteps(from: 3, through: 4), line: 4, step: 5),
        ]
      ),
      (
        [run(1, 2), run(2), run(3), end(3)],
        [Finding(problem: .outOfSequence(found: 2, expected: 3), line: 4, step: 2)]
      ),
      (
        [run(1, 2), run(1, 3), end(3)],
        [
          Finding(problem: .outOfSequence(found: 1, expected: 3), line: 4, step: 1),
          Finding(problem: .outOfSequence(found: 2, expected: 3), line: 5, step: 2),
        ]
      ),
      (
        [
          run(1, 2, time: 5),
          .steps(StepRun(number: 1, count: 3, firstTime: 1, lastTime: 6)), run(4, time: 6), end(4),
        ],
        [
          Finding(problem: .outOfSequence(found: 1, expected: 3), line: 4, step: 1),
          Finding(problem: .outOfSequence(found: 2, expected: 3), line: 5, step: 2),
        ]
      ),
      ([run(1, 2), end(3)], [Finding(problem: .stepCountDiffers(found: 2, stated: 3), line: 4)]),
      ([run(1, 2), end(1)], [Finding(problem: .stepCountDiffers(found: 2, stated: 1), line: 4)]),
      ([run(1), gap(2, 5), run(6), end(2)], []),
      ([run(1), gap(2, 5), gap(6, 6), run(7), end(2)], []),
      ([gap(1, 5), run(6), end(1)], []),
      (
        [run(1), lost, gap(3, 5), run(6), end(2)],
        [Finding(problem: .notAnObject, line: 3, step: 2, byte: 3)]
      ),
      (
        [run(1), gap(3, 5), run(6), end(2)],
        [Finding(problem: .gapDoesNotFit(from: 3, through: 5, expected: 2), line: 3)]
      ),
      (
        [run(1), gap(2, 0), run(2), end(2)],
        [Finding(problem: .gapDoesNotFit(from: 2, through: 0, expected: 2), line: 3)]
      ),
      ([run(1), gap(2, 1), gap(2, 1), run(2), gap(3, 2), end(2)], []),
      (
        [run(1, 3), gap(2, 3), run(4), end(4)],
        [Finding(problem: .gapDoesNotFit(from: 2, through: 3, expected: 4), line: 5)]
      ),
      (
        [run(1), gap(2, 5), run(8), end(2)],
        [Finding(problem: .missingSteps(from: 6, through: 7), line: 4, step: 8)]
      ),
      (
        [run(1), end(1), run(2), end(1), lost],
        [
          Finding(problem: .afterEnd, line: 4, step: 2), Finding(problem: .afterEnd, line: 5),
          Finding(problem: .afterEnd, line: 6),
        ]
      ),
      ([run(1), .header, run(2), end(2)], [Finding(problem: .secondHeader, line: 3)]),
      // Two logs that were joined.
      (
        [run(1), end(1), .header, run(1)],
        [Finding(problem: .secondHeader, line: 4), Finding(problem: .afterEnd, line: 5)]
      ),
      (
        [run(1, time: 5), run(2, time: 3), end(2)],
        [
          Finding(
            problem: .timeDecreases(
              found: LogTime(microseconds: 3), previous: LogTime(microseconds: 5)), line: 3, step: 2
          )
        ]
      ),
      (
        [run(1), .end(LogEnd(steps: 1, isComplete: false))],
        [Finding(problem: .recordingFailed, line: 3)]
      ),
    ] as [([ScanEvent.Content], [Finding])])
  func findings(events: [ScanEvent.Content], expected: [Finding]) {
    #expect(Self.check(events).findings == expected)
  }

  @Test("Lines without a sum are one finding, which can be taken back among later ones")
  func sums() {
    func sums(hasSum: Bool, missing lines: Int...) -> LineSums {
      var sums = LineSums()
      sums.hasSum = hasSum
      for line in lines { sums.addMissing(line: line) }
      return sums
    }
    var checker = SequenceChecker(first: 1)
    checker.take(sums(hasSum: false, missing: 0), from: 1)
    _ = checker.take(Self.run(1, 3), line: 2)
    checker.take(sums(hasSum: true), from: 2)
    let ofHeader = Finding(problem: .missingSum(lines: 1), line: 1)
    #expect(checker.findings == [ofHeader])
    let lost = Finding(problem: .notAnObject, line: 5, step: 4, byte: 3)
    _ = checker.take(Self.lost, line: 5)
    #expect(checker.findings == [ofHeader, lost])
    // With another line, the log was made by hand, and a repair added the sums.
    checker.take(sums(hasSum: true, missing: 1), from: 5)
    #expect(checker.findings == [lost])
    _ = checker.take(Self.run(4), line: 7)
    #expect(checker.findings == [Finding(problem: .notAnObject, line: 5, byte: 3)])
    #expect(checker.lostLines(in: 5...7) == checker.findings)
    #expect(checker.lostLines(in: 2...4) == [] && checker.lostLines(in: 6...7) == [])
  }

  @Test("Any number of gaps that do not fit can name the largest numbers")
  func largestGaps() {
    let last = UInt64(Int64.max)
    let events = Array(repeating: Self.gap(last, 0), count: 4) + [Self.run(1), Self.end(9)]
    #expect(Self.check(events).findings.map(\.problem.kind) == ["gap", "gap", "gap", "gap"])
  }

  @Test("The finding about lines without a sum stands where the first of them does")
  func missingSum() {
    var checker = Self.check([Self.run(1), Self.run(2), Self.lost, Self.run(3)])
    var sums = LineSums()
    sums.hasSum = true
    sums.addMissing(line: 2)
    checker.take(sums, from: 1)
    #expect(checker.findings.map(\.line) == [3, 4])
    #expect(checker.findings.map(\.problem.kind) == ["no-sum", "type"])
  }

  @Test("The problem of an end line that counts one step uses the singular")
  func oneStep() {
    #expect(
      LineProblem.stepCountDiffers(found: 2, stated: 1).message
        == "the end line counts 1 step, but the file has 2")
  }

  @Test("Unusable steps are counted from the start of their run")
  func unusable() {
    var checker = Self.check([Self.run(1, 5)])
    #expect(checker.take(Self.run(4, 2), line: 7) == 2)
    #expect(checker.take(Self.run(5, 3), line: 9) == 1)
    #expect(checker.position == 7)
    #expect(checker.expected == 8)
  }

  @Test("Numbers with jumps are kept as runs")
  func runs() {
    let checker = Self.check([Self.run(1, 3), Self.gap(4, 9), Self.run(10, 2), Self.run(12)])
    #expect(
      checker.runs == [NumberRun(position: 0, number: 1), NumberRun(position: 3, number: 10)])
  }

  @Test(
    "Lost lines and the count of the end line tell how many steps are missing at the end",
    arguments: [
      ([run(1, 3), end(3)], 0),
      ([run(1), lost, end(2)], 1),
      ([run(1), lost], 1),
      ([run(1), end(2)], 1),
      ([run(1), lost, end(4)], 3),
      // The line was not a step, or the end line is wrong.
      ([run(1), lost, end(1)], 1),
      // Two steps are missing in the middle, and a gap lacks none of the steps that the end line counts.
      ([run(1), lost, run(4), gap(5, 9), end(4)], 0),
      ([run(1), lost, run(4), gap(5, 9), end(5)], 1),
      ([run(1), lost, gap(3, 4), run(5), lost, end(4)], 1),
      ([run(1), end(1), run(2, 2)], 2),
      // The first of them is a copy.
      ([run(1, 2), end(2), run(2, 2)], 1),
      ([run(1), end(1), .header, run(1, 3)], 0),
      // A lost gap can be of any length.
      ([run(1), lostGap, end(1)], .max),
      ([run(1), lostGap, run(9), end(2)], 0),
      ([run(1), end(1), .lost(LineFault(problem: .torn, byte: 0), .step)], 0),
    ] as [([ScanEvent.Content], UInt64)])
  func missingAtEnd(_ events: [ScanEvent.Content], _ expected: UInt64) {
    #expect(Self.check(events).missingAtEnd == expected)
  }

  @Test("The last of two breaks at one place decides; a gap of damage is damage")
  func breaks() {
    let damage = LogBreak(position: 1, kind: .damage)
    let gap = LogBreak(position: 1, kind: .gap)
    #expect(Self.check([Self.run(1), Self.lost, Self.gap(3, 4), Self.run(5)]).breaks == [gap])
    #expect(Self.check([Self.run(1), Self.gap(2, 4), Self.lost, Self.run(6)]).breaks == [damage])
    let repaired = ScanEvent.Content.gap(LogGap(from: 2, through: 3, why: .damaged))
    #expect(Self.check([Self.run(1), repaired, Self.run(4)]).breaks == [damage])
    let imported = ScanEvent.Content.gap(LogGap(from: 2, through: 1, why: .imported))
    #expect(
      Self.check([Self.run(1), imported, Self.run(2), Self.lost, Self.run(4)]).breaks == [
        LogBreak(position: 1, kind: .imported, hidesStatesOnly: true),
        LogBreak(position: 2, kind: .imported),
      ])
    // A replay cannot go on across missing steps.
    #expect(
      Self.check([Self.run(1), Self.lost, imported, Self.run(2)]).breaks == [
        LogBreak(position: 1, kind: .imported)
      ])
    let shortened = ScanEvent.Content.gap(LogGap(from: 2, through: 3, why: .imported))
    #expect(
      Self.check([Self.run(1), shortened, Self.run(4)]).breaks == [
        LogBreak(position: 1, kind: .imported)
      ])
  }
}
