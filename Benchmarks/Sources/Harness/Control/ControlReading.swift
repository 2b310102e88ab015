import Foundation
import Synchronization

/// Which cores a work needs, and so which ones the control looks at.
package enum Cores: Sendable {
  /// That of the thread that measures.
  case one
  /// All that this process may use: the work has threads of its own.
  case all
}

extension ControlLoop {
  /// The turns of a piece: some 20 us on a core of 2025.
  private static let turns = 20_000
  /// One interrupt, or two, do not move the middle one of five.
  private static let pieces = 5

  /// The time of working by the time of waiting, as ``ControlLoop`` has them.
  ///
  /// The middle time of working, because a neighbour comes and goes, and the shortest one of waiting, because whatever
  /// disturbs it, makes it longer: readings are not lower than those of a whole core, then.
  static func reading(worked: [Double], waited: [Double]) -> Double {
    worked.sorted()[worked.count / 2] / (waited.min() ?? .nan)
  }

  /// The time of working by the time of waiting: a number without a meaning of its own, which grows by what others take
  /// of the core.
  mutating func reading() -> Double {
    var (worked, waited): ([Double], [Double]) = ([], [])
    for _ in 0..<Self.pieces {
      worked.append(Stopwatch.seconds { work(Self.turns) })
      waited.append(Stopwatch.seconds { wait(Self.turns) })
    }
    return Self.reading(worked: worked, waited: waited)
  }

  /// The reading of the core that is worst off, where all are looked at at the same time.
  static func reading(of cores: Cores) -> Double {
    var own = ControlLoop()
    let others = cores == .one ? 0 : ProcessInfo.processInfo.activeProcessorCount - 1
    guard others > 0 else { return own.reading() }
    let start = StartLine(runners: others + 1)
    let finish = DispatchGroup()
    let worst = Mutex(0.0)
    for _ in 0..<others {
      finish.enter()
      Thread {
        var loop = ControlLoop()
        start.wait()
        let reading = loop.reading()
        worst.withLock { $0 = max($0, reading) }
        finish.leave()
      }.start()
    }
    start.wait()
    let reading = own.reading()
    finish.wait()
    return worst.withLock { max($0, reading) }
  }
}

/// Where threads wait for each other without going to sleep, so that they run on cores of their own from there on.
private final class StartLine: Sendable {
  private let missing: Atomic<Int>

  init(runners: Int) { missing = Atomic(runners) }

  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 {}
  }
}
