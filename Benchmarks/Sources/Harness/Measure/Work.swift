/// Something whose cost is measured.
package struct Work {
  enum Kind {
    /// Runs so many times in a row, as often as the harness likes.
    case repeated((Int) throws -> Void)
    /// A round, of which there are so many: runs as often as it likes itself, and returns what each run took.
    case timed(Int, () throws -> [Lap])
    /// Returns values in the figure's unit.
    case counted(() throws -> [Double])
  }

  let kind: Kind
  /// What one run goes through: bytes, steps, or 1 where only the time of a run counts.
  let amount: Double

  /// Work that can be repeated as it is.
  ///
  /// - Parameters:
  ///   - amount: The bytes or steps that one run goes through.
  ///   - body: One run; what it returns is kept from being optimised away.
  /// - Returns: The work.
  package static func repeated<R>(amount: Int = 1, _ body: @escaping () throws -> R) -> Work {
    Work(
      kind: .repeated { runs in for _ in 0..<runs { keep(try body()) } }, amount: Double(amount))
  }

  /// Work that has to prepare each run, and so takes its times itself.
  ///
  /// - Parameters:
  ///   - amount: The bytes or steps that one run goes through.
  ///   - rounds: How often the body is called; a round in which the cores are shared is made again.
  ///   - body: Makes the runs of a round, and returns what each of them took.
  /// - Returns: The work.
  package static func timed(
    amount: Int = 1, rounds: Int = 1, _ body: @escaping () throws -> [Lap]
  ) -> Work {
    Work(kind: .timed(rounds, body), amount: Double(amount))
  }

  /// Work whose outcome is not a time: bytes, say.
  package static func counted(_ body: @escaping () throws -> [Double]) -> Work {
    Work(kind: .counted(body), amount: 1)
  }

  @inline(never)
  private static func keep<R>(_ result: R) {}
}
