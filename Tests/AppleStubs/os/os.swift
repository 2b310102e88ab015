// The part of os that FluxRecorder uses, as Apple's SDK declares it (iOS 15, macOS 12). Nothing is emitted.

public struct OSSignpostID: Sendable, Comparable {
  public static func < (lhs: OSSignpostID, rhs: OSSignpostID) -> Bool { false }
}

/// Doubtful: Apple's class may be Sendable, so nothing here relies on it.
public final class OSSignpostIntervalState {
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { fatalError() }
}

public struct OSLogPrivacy: Sendable {
  public static var auto: OSLogPrivacy { fatalError() }
  public static var `public`: OSLogPrivacy { fatalError() }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}
  public mutating func appendInterpolation(
    _ argument: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
  ) {}
  public mutating func appendInterpolation(
    _ argument: @autoclosure @escaping () -> UInt64, privacy: OSLogPrivacy = .auto
  ) {}
}

public struct SignpostMetadata: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: OSLogInterpolation) {}
}

public struct OSSignposter: Sendable {
  public init(subsystem: String, category: String) {}
  public func makeSignpostID() -> OSSignpostID { fatalError() }
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState { fatalError() }
  public func endInterval(
    _ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata
  ) {}
}
