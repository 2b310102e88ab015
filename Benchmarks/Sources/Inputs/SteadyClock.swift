package import Foundation
import Synchronization

/// A clock that goes on by one tick whenever it is looked at: the same times in every run.
package final class SteadyClock: Sendable {
  private let looks = Atomic<Int>(0)
  private let tick: Double

  /// - Parameter tick: The seconds between two looks, by default a millisecond.
  package init(tick: Double = 0.001) { self.tick = tick }

  package func now() -> Date {
    let look = looks.add(1, ordering: .relaxed).newValue
    return Date(timeIntervalSince1970: 1_700_000_000 + Double(look) * tick)
  }
}
