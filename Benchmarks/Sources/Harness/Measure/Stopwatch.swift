/// Takes the time of work.
package enum Stopwatch {
  /// Returns the seconds that the work took.
  package static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    return (clock.now - start) / .seconds(1)
  }
}
