// The part of Dispatch that this project uses.
@_exported import Darwin

public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
}
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public final class DispatchSemaphore: @unchecked Sendable {
  public init(value: Int) {}
  @discardableResult public func signal() -> Int { 0 }
  @available(*, noasync) public func wait() {}
  @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

public final class DispatchGroup: @unchecked Sendable {
  public init() {}
  public func enter() {}
  public func leave() {}
  @available(*, noasync) public func wait() {}
}

public final class DispatchSpecificKey<T>: Sendable { public init() {} }

public final class DispatchQueue: @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 2)
  }
  // The SDK's has more parameters with defaults: qos, autoreleaseFrequency and target; so have async and sync.
  public init(label: String, attributes: Attributes = []) {}
  public class var main: DispatchQueue { DispatchQueue(label: "") }
  public class func global() -> DispatchQueue { main }
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
  @preconcurrency public func async(
    group: DispatchGroup? = nil, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
}
