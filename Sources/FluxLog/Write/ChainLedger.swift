/// Knows the last step after which no follow-up is due.
///
/// A step of another thread may come between a step and its follow-ups.
struct ChainLedger: Equatable {
  /// The number of follow-ups that each step still owes.
  private var debts: [UInt64: Int] = [:]
  /// The last step after which no follow-up was due.
  private(set) var lastFinished: UInt64?

  /// Takes the next step that is written.
  mutating func take(_ step: borrowing StepRecord) {
    if let cause = step.cause, step.effect == nil, step.from == nil, let debt = debts[cause] {
      debts[cause] = debt > 1 ? debt - 1 : nil
    }
    if step.followUpCount > 0 { debts[step.number] = step.followUpCount }
    if debts.isEmpty { lastFinished = step.number }
  }

  /// Returns the ledger after the next step that is written.
  func taking(_ step: borrowing StepRecord) -> ChainLedger {
    var ledger = self
    ledger.take(step)
    return ledger
  }

  /// Takes note that steps are left out, among which may be follow-ups.
  mutating func skip() { debts = [:] }
}
