// Classes: files, threads, locks, processes. Where it is unsure whether Apple's class is Sendable, it is not here, so
// that an error about it may be an artifact; such a class says so.
@_exported import Darwin
@_exported import Dispatch

open class NSObject: Hashable, CustomStringConvertible {
  public init() {}
  open var description: String { "" }
  open var hash: Int { 0 }
  open func isEqual(_ object: Any?) -> Bool { false }
  public func hash(into hasher: inout Hasher) {}
  public static func == (left: NSObject, right: NSObject) -> Bool { false }
}
public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
  public init(_ value: Bool) {}
  public init(booleanLiteral: Bool) {}
  public var boolValue: Bool { false }
}
open class NSNumber: NSObject, @unchecked Sendable {
  public init(value: Int) {}
  public init(value: Double) {}
  public init(value: Bool) {}
  open var intValue: Int { 0 }
  open var boolValue: Bool { false }
}
open class NSDecimalNumber: NSNumber, @unchecked Sendable {
  public init(string: String?) { super.init(value: 0) }
}
open class NSString: NSObject, ExpressibleByStringLiteral {
  public required init(stringLiteral: StaticString) {}
}
open class NSDate: NSObject, @unchecked Sendable {
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
}
open class NSNull: NSObject, @unchecked Sendable {}
open class NSArray: NSObject {
  public convenience init(array: [Any]) { self.init() }
}
open class NSDictionary: NSObject {
  public convenience init(dictionary: [AnyHashable: Any]) { self.init() }
}
open class NSEnumerator: NSObject {
  open func nextObject() -> Any? { nil }
}

// MARK: Locks and threads

public enum QualityOfService: Int, Sendable {
  case userInteractive = 0x21
  case userInitiated = 0x19
  case utility = 0x11
  case background = 0x09
  case `default` = -1
}

public protocol NSLocking {
  func lock()
  func unlock()
}
extension NSLocking {
  public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}
open class NSLock: NSObject, NSLocking, @unchecked Sendable {
  public override init() {}
  @available(*, noasync) open func lock() {}
  @available(*, noasync) open func unlock() {}
  @available(*, noasync) open func `try`() -> Bool { true }
  @available(*, noasync) open func lock(before: Date) -> Bool { true }
}
open class NSRecursiveLock: NSObject, NSLocking, @unchecked Sendable {
  public override init() {}
  @available(*, noasync) open func lock() {}
  @available(*, noasync) open func unlock() {}
  @available(*, noasync) open func `try`() -> Bool { true }
  @available(*, noasync) open func lock(before: Date) -> Bool { true }
}
open class NSCondition: NSObject, NSLocking, @unchecked Sendable {
  public override init() {}
  @available(*, noasync) open func lock() {}
  @available(*, noasync) open func unlock() {}
  @available(*, noasync) open func wait() {}
  @available(*, noasync) open func wait(until: Date) -> Bool { true }
  open func signal() {}
  open func broadcast() {}
}
/// Unsure: Sendable.
open class Thread: NSObject {
  public override init() {}
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
  open class var current: Thread { Thread() }
  open class var isMainThread: Bool { true }
  open class var main: Thread { Thread() }
  open class var callStackReturnAddresses: [NSNumber] { [] }
  open class var callStackSymbols: [String] { [] }
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
  open class func sleep(forTimeInterval: TimeInterval) {}
  open class func sleep(until: Date) {}
  open var isMainThread: Bool { true }
  open var isFinished: Bool { true }
  open var isCancelled: Bool { true }
  open var name: String? = nil
  open var stackSize: Int = 0
  open var qualityOfService: QualityOfService = .default
  open func start() {}
  open func cancel() {}
}

// MARK: Files

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let modificationDate = FileAttributeKey(rawValue: "")
  public static let posixPermissions = FileAttributeKey(rawValue: "")
  public static let protectionKey = FileAttributeKey(rawValue: "")
  public static let size = FileAttributeKey(rawValue: "")
  public static let systemFreeSize = FileAttributeKey(rawValue: "")
  public static let type = FileAttributeKey(rawValue: "")
}
public struct FileAttributeType: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let typeRegular = FileAttributeType(rawValue: "")
}
public struct FileProtectionType: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let none = FileProtectionType(rawValue: "")
  public static let complete = FileProtectionType(rawValue: "")
  public static let completeUntilFirstUserAuthentication = FileProtectionType(rawValue: "")
}
/// Unsure: Sendable.
open class FileManager: NSObject {
  open class DirectoryEnumerator: NSEnumerator {
    open var level: Int { 0 }
    open func skipDescendants() {}
  }
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public enum SearchPathDirectory: UInt, Sendable { case applicationSupportDirectory = 14, cachesDirectory = 13 }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
  }
  public override init() {}
  open class var `default`: FileManager { FileManager() }
  open func isWritableFile(atPath path: String) -> Bool { false }
  open func urls(for: SearchPathDirectory, in: SearchPathDomainMask) -> [URL] { [] }
  open var currentDirectoryPath: String { "" }
  public var temporaryDirectory: URL { fatalError() }
  #if os(macOS)
    public var homeDirectoryForCurrentUser: URL { fatalError() }
  #endif
  open func attributesOfFileSystem(forPath path: String) throws -> [FileAttributeKey: Any] { [:] }
  open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
  open func contents(atPath path: String) -> Data? { nil }
  open func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
  open func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys: [URLResourceKey]?, options: DirectoryEnumerationOptions = []
  ) throws -> [URL] { [] }
  open func copyItem(at: URL, to: URL) throws {}
  open func copyItem(atPath: String, toPath: String) throws {}
  open func createDirectory(
    at: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  open func createDirectory(
    atPath: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  @discardableResult open func createFile(
    atPath: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
  ) -> Bool { true }
  open func createSymbolicLink(at: URL, withDestinationURL: URL) throws {}
  open func createSymbolicLink(atPath: String, withDestinationPath: String) throws {}
  open func destinationOfSymbolicLink(atPath: String) throws -> String { "" }
  open func enumerator(atPath path: String) -> DirectoryEnumerator? { nil }
  public func enumerator(
    at url: URL, includingPropertiesForKeys: [URLResourceKey]?, options: DirectoryEnumerationOptions = [],
    errorHandler: ((URL, any Error) -> Bool)? = nil
  ) -> DirectoryEnumerator? { nil }
  open func fileExists(atPath: String) -> Bool { false }
  open func fileExists(atPath: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
  open func isExecutableFile(atPath: String) -> Bool { false }
  open func linkItem(at: URL, to: URL) throws {}
  open func linkItem(atPath: String, toPath: String) throws {}
  open func moveItem(at: URL, to: URL) throws {}
  open func moveItem(atPath: String, toPath: String) throws {}
  open func removeItem(at: URL) throws {}
  open func removeItem(atPath: String) throws {}
  open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
  open func subpathsOfDirectory(atPath: String) throws -> [String] { [] }
}
public func NSTemporaryDirectory() -> String { "" }
public func NSHomeDirectory() -> String { "" }

open class FileHandle: NSObject, @unchecked Sendable {
  public convenience init?(forReadingAtPath: String) { self.init() }
  public convenience init?(forWritingAtPath: String) { self.init() }
  public convenience init?(forUpdatingAtPath: String) { self.init() }
  public convenience init(forReadingFrom: URL) throws { self.init() }
  public convenience init(forWritingTo: URL) throws { self.init() }
  public convenience init(forUpdating: URL) throws { self.init() }
  public convenience init(fileDescriptor: Int32) { self.init() }
  public convenience init(fileDescriptor: Int32, closeOnDealloc: Bool) { self.init() }
  override init() {}
  open class var standardInput: FileHandle { FileHandle() }
  open class var standardOutput: FileHandle { FileHandle() }
  open class var standardError: FileHandle { FileHandle() }
  open class var nullDevice: FileHandle { FileHandle() }
  open var fileDescriptor: Int32 { 0 }
  open var availableData: Data { Data() }
  public func readToEnd() throws -> Data? { nil }
  public func read(upToCount: Int) throws -> Data? { nil }
  open func write(_ data: Data) {}
  open func closeFile() {}
  public func write(contentsOf data: some DataProtocol) throws {}
  public func seek(toOffset: UInt64) throws {}
  @discardableResult public func seekToEnd() throws -> UInt64 { 0 }
  public func truncate(atOffset: UInt64) throws {}
  public func synchronize() throws {}
  public func close() throws {}
}
open class Pipe: NSObject, @unchecked Sendable {
  public override init() {}
  open var fileHandleForReading: FileHandle { FileHandle() }
  open var fileHandleForWriting: FileHandle { FileHandle() }
}

// MARK: Processes

open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { ProcessInfo() }
  open var activeProcessorCount: Int { 1 }
  open var arguments: [String] { [] }
  open var environment: [String: String] { [:] }
  open var hostName: String { "" }
  open var processName: String { "" }
  open var processIdentifier: Int32 { 0 }
}
#if os(macOS)
  /// Unsure: Sendable.
  open class Process: NSObject {
    public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal = 2 }
    public override init() {}
    open class func run(
      _ url: URL, arguments: [String], terminationHandler: (@Sendable (Process) -> Void)? = nil
    ) throws -> Process { Process() }
    open var executableURL: URL? = nil
    open var arguments: [String]? = nil
    open var currentDirectoryURL: URL? = nil
    open var environment: [String: String]? = nil
    open var standardInput: Any? = nil
    open var standardOutput: Any? = nil
    open var standardError: Any? = nil
    open var isRunning: Bool { false }
    open var processIdentifier: Int32 { 0 }
    open var terminationReason: TerminationReason { .exit }
    open var terminationStatus: Int32 { 0 }
    open func run() throws {}
    open func interrupt() {}
    open func terminate() {}
    open func waitUntilExit() {}
  }
#endif
open class JSONSerialization: NSObject {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  open class func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any {
    fatalError()
  }
}
open class PropertyListSerialization: NSObject {
  public struct ReadOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public enum PropertyListFormat: UInt, Sendable { case openStep = 1, xml = 100, binary = 200 }
  open class func propertyList(
    from data: Data, options: ReadOptions = [], format: UnsafeMutablePointer<PropertyListFormat>?
  ) throws -> Any { fatalError() }
}

open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { fatalError() }
  public init?(path: String) {}
  public convenience init?(url: URL) { nil }
  public convenience init(for type: AnyClass) { fatalError() }
  open class var allBundles: [Bundle] { [] }
  open var bundleIdentifier: String? { nil }
  open var bundlePath: String { "" }
  open var bundleURL: URL { fatalError() }
  open var executableURL: URL? { nil }
  open var resourceURL: URL? { nil }
  open func url(forResource: String?, withExtension: String?) -> URL? { nil }
}
