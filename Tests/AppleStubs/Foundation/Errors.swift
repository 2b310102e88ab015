/// On Apple's platforms, every error can be cast to it.
open class NSError: NSObject, Error, @unchecked Sendable {
  public init(domain: String, code: Int, userInfo: [String: Any]? = nil) {}
  open var domain: String { "" }
  open var code: Int { 0 }
  open var userInfo: [String: Any] { [:] }
}
extension Error { public var localizedDescription: String { "" } }

public struct CocoaError: Error, Hashable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var fileNoSuchFile: Code { Code(rawValue: 4) }
    public static var fileReadNoPermission: Code { Code(rawValue: 257) }
    public static var fileReadNoSuchFile: Code { Code(rawValue: 260) }
    public static var fileWriteNoPermission: Code { Code(rawValue: 513) }
    public static var executableLoad: Code { Code(rawValue: 3587) }
  }
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
  public var code: Code { Code(rawValue: 0) }
  public var filePath: String? { nil }
  public var underlying: (any Error)? { nil }
  public var url: URL? { nil }
}

// In the SDK the code is of the Darwin module, with a case for each number.
public enum POSIXErrorCode: Int32, Hashable, Sendable {
  case EPERM = 1, ENOENT = 2, EIO = 5, EBADF = 9, EACCES = 13, EEXIST = 17, ENOTDIR = 20, EISDIR = 21, EINVAL = 22
  case EMFILE = 24, ENOSPC = 28, EPIPE = 32
}
public struct POSIXError: Error, Hashable {
  public typealias Code = POSIXErrorCode
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
  public var code: Code { .EPERM }
}
