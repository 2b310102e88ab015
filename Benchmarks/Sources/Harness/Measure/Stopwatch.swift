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

  /// Returns the processor time of all threads of this process during the work, in seconds.
  package static func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
    let before = usage()
    try work()
    let after = usage()
    return seconds(after.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_utime)
      - seconds(before.ru_stime)
  }

  /// How many pages all threads of this process have been given so far, without reading them from a disk.
  package static func minorFaults() -> Int { Int(usage().ru_minflt) }

  private static func usage() -> rusage {
    var usage = rusage()
    #if canImport(Darwin)
      let status = unsafe getrusage(RUSAGE_SELF, &usage)
    #else
      let status = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #endif
    precondition(status == 0, "a process can always ask for its own usage")
    return usage
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
