import Foundation

/// Takes the time of work.
package enum Stopwatch {
  /// Returns the seconds that the work took.
  package static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    return (clock.now - start) / .seconds(1)
  }

  /// Returns the seconds and the faults of memory that the work took.
  package static func lap(_ work: () throws -> Void) rethrows -> Lap {
    let faults = minorFaults()
    let seconds = try seconds(work)
    return Lap(seconds: seconds, faults: Double(minorFaults() - faults))
  }

  /// How many pages all threads of this process have been given so far, without reading them from a disk.
  package static func minorFaults() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
      let status = unsafe getrusage(RUSAGE_SELF, &usage)
    #else
      let status = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #endif
    precondition(status == 0, "a process can always ask for its own usage")
    return Int(usage.ru_minflt)
  }
}
