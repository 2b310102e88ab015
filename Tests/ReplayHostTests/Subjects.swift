import FluxHost
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// The hosts of these tests.
enum Subjects {
  /// The counter, built with the tests and found beside them.
  static func counter(
    _ arguments: String..., limits: HostApp.Limits = HostApp.Limits(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) -> HostApp {
    HostApp(
      executable: BuiltProduct.path("CounterHost"), arguments: arguments, limits: limits,
      isCancelled: isCancelled)
  }
}

extension SessionStart {
  /// A replay from the beginning.
  static func replay() -> SessionStart {
    SessionStart(mode: .replay, seed: 1, created: LogInstant(microseconds: 0))
  }
}

extension HostApp.Limits {
  /// The default limits, with one for each call; nil for none.
  static func call(_ seconds: Double?) -> Self {
    var limits = Self()
    limits.call = seconds
    return limits
  }
}

extension [ReplayAction] {
  /// Returns actions of these types, numbered from `first` on.
  static func recorded(first: UInt64 = 1, _ types: String...) -> [ReplayAction] {
    types.enumerated().map { index, type in
      ReplayAction(
        number: first + UInt64(index), time: LogTime(microseconds: UInt64(index)),
        action: ["type": .init(stringLiteral: type), "payload": ["amount": 1]])
    }
  }

  /// Returns `count` additions of one.
  static func additions(_ count: Int) -> [ReplayAction] {
    (0..<count).map { index in
      ReplayAction(
        number: UInt64(index + 1), time: LogTime(microseconds: UInt64(index)),
        action: ["type": "counter/add", "payload": ["amount": 1]])
    }
  }
}
