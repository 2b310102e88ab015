import FluxJSON
import Testing

@testable import FluxLog

@Suite struct ChainLedgerTests {
  private func step(
    _ number: UInt64, cause: UInt64? = nil, effect: String? = nil, from: String? = nil,
    followUps: Int = 0
  ) -> StepRecord {
    var step = StepRecord(
      number: number, time: LogTime(microseconds: 0),
      action: LogValue(json: ["type": "t"]), cause: cause, effect: effect,
      from: from)
    step.followUpCount = followUps
    return step
  }

  /// The last finished step after each of the steps.
  private func finished(_ steps: [StepRecord]) -> [UInt64?] {
    var ledger = ChainLedger()
    return steps.map { step in
      ledger.note(step)
      return ledger.lastFinished
    }
  }

  @Test("A step without follow-ups ends its chain; others end with the last follow-up of all")
  func chains() {
    #expect(finished([step(1), step(2)]) == [1, 2])
    #expect(
      finished([
        step(1), step(2, followUps: 2), step(3, cause: 2, followUps: 1), step(4, cause: 2),
        step(5, cause: 3), step(6),
      ]) == [1, 1, 1, 1, 5, 6])
  }

  @Test("Steps of other threads, of effects and of observers pay no debt")
  func others() {
    #expect(
      finished([
        step(1, followUps: 1), step(2), step(3, cause: 1, effect: "load"),
        step(4, cause: 1, from: "observer"), step(5, cause: 1),
      ]) == [nil, nil, nil, nil, 5])
  }

  @Test("Steps that are left out may have been the follow-ups")
  func skipped() {
    var ledger = ChainLedger()
    ledger.note(step(1, followUps: 3))
    ledger.skip()
    ledger.note(step(5))
    #expect(ledger.lastFinished == 5)
  }
}
