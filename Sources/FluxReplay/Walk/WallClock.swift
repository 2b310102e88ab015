import Foundation

/// The system's clock, as an app reads it.
enum WallClock {
  /// Waits until the clock's second is another one: a reducer may keep whole seconds.
  static func waitForAnotherSecond() {
    func second() -> Double { Date().timeIntervalSince1970.rounded(.down) }
    let start = second()
    while second() == start {
      let rest = 1 - Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 1)
      Thread.sleep(forTimeInterval: rest + 0.001)
    }
  }
}
