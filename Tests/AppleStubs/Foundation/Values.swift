// Values: Date, UUID, Data, Decimal, URL, TimeZone, Locale, JSON.
public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public typealias Stride = TimeInterval
  public init() {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeInterval: TimeInterval, since: Date) {}
  public var timeIntervalSinceNow: TimeInterval { 0 }
  public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public var timeIntervalSince1970: TimeInterval { 0 }
  public static var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public static let distantPast = Date()
  public static let distantFuture = Date()
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *) public static var now: Date { Date() }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
  public static func < (left: Date, right: Date) -> Bool { false }
  public static func + (date: Date, interval: TimeInterval) -> Date { date }
  public static func - (date: Date, interval: TimeInterval) -> Date { date }
  public static func += (date: inout Date, interval: TimeInterval) {}
  public static func -= (date: inout Date, interval: TimeInterval) {}
  public var description: String { "" }
}

public typealias uuid_t = (
  UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
)
public struct UUID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public init?(uuidString: String) {}
  public init(uuid: uuid_t) {}
  public var uuidString: String { "" }
  public var uuid: uuid_t { (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }
  public var description: String { "" }
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  public static func < (left: UUID, right: UUID) -> Bool { false }
}

public protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
public protocol MutableDataProtocol: DataProtocol, MutableCollection, RangeReplaceableCollection {}
extension [UInt8]: DataProtocol {}
extension ArraySlice<UInt8>: DataProtocol {}
extension ContiguousArray<UInt8>: DataProtocol {}
// A declared conformance of an array to ContiguousBytes is left out: its method would shadow the array's own here.

public struct Data: Hashable, Sendable, Codable, CustomStringConvertible, MutableDataProtocol, ContiguousBytes {
  public typealias Index = Int
  public typealias Element = UInt8
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }
  public struct SearchOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let backwards = SearchOptions(rawValue: 1)
  }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let lineLength76Characters = Base64EncodingOptions(rawValue: 2)
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public init() {}
  public init(count: Int) {}
  public init(capacity: Int) {}
  public init(repeating: UInt8, count: Int) {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public init?(base64Encoded: String, options: Base64DecodingOptions = []) {}
  public init?(base64Encoded: Data, options: Base64DecodingOptions = []) {}
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { "" }
  public func base64EncodedData(options: Base64EncodingOptions = []) -> Data { self }
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { self }
    set {}
  }
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with: C) where C.Element == UInt8 {}
  public mutating func append(_ other: Data) {}
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {}
  public func range(of data: Data, options: SearchOptions = [], in range: Range<Int>? = nil) -> Range<Int>? { nil }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
  public var description: String { "" }
}

public struct Decimal: Hashable, Comparable, Sendable, Codable, CustomStringConvertible, SignedNumeric, Strideable {
  public typealias Magnitude = Decimal
  public init() {}
  public init?(string: String, locale: Locale? = nil) {}
  public init(integerLiteral: Int) {}
  public init(floatLiteral: Double) {}
  public init(_ value: Int) {}
  public init(_ value: Double) {}
  public init?<T: BinaryInteger>(exactly: T) {}
  public var isFinite: Bool { true }
  public var isNaN: Bool { false }
  public var isZero: Bool { false }
  public var exponent: Int { 0 }
  public var magnitude: Decimal { self }
  public static var nan: Decimal { Decimal() }
  public static var greatestFiniteMagnitude: Decimal { Decimal() }
  public static var leastNonzeroMagnitude: Decimal { Decimal() }
  public func distance(to other: Decimal) -> Decimal { self }
  public func advanced(by: Decimal) -> Decimal { self }
  public static func < (left: Decimal, right: Decimal) -> Bool { false }
  public static func + (left: Decimal, right: Decimal) -> Decimal { left }
  public static func - (left: Decimal, right: Decimal) -> Decimal { left }
  public static func * (left: Decimal, right: Decimal) -> Decimal { left }
  public static func / (left: Decimal, right: Decimal) -> Decimal { left }
  public static func *= (left: inout Decimal, right: Decimal) {}
  public var description: String { "" }
}
extension Decimal: ExpressibleByFloatLiteral {}

public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let isDirectoryKey = URLResourceKey(rawValue: "")
  public static let isRegularFileKey = URLResourceKey(rawValue: "")
  public static let fileSizeKey = URLResourceKey(rawValue: "")
  public static let isExcludedFromBackupKey = URLResourceKey(rawValue: "")
}
public struct URLResourceValues {
  public init() {}
  public var isExcludedFromBackup: Bool?
  public var isDirectory: Bool? { nil }
  public var fileSize: Int? { nil }
}

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
  public init?(string: String) {}
  public init?(string: String, relativeTo: URL?) {}
  public init(fileURLWithPath: String) {}
  public init(fileURLWithPath: String, isDirectory: Bool) {}
  public init(fileURLWithPath: String, relativeTo: URL?) {}
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public init(filePath: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo: URL? = nil) {}
  public var absoluteString: String { "" }
  public var path: String { "" }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func path(percentEncoded: Bool = true) -> String { "" }
  public var scheme: String? { nil }
  public var host: String? { nil }
  public var port: Int? { nil }
  public var query: String? { nil }
  public var fragment: String? { nil }
  public var isFileURL: Bool { true }
  public var lastPathComponent: String { "" }
  public var pathExtension: String { "" }
  public var standardized: URL { self }
  public var standardizedFileURL: URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
  public func appendingPathComponent(_ component: String) -> URL { self }
  public func appendingPathComponent(_ component: String, isDirectory: Bool) -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public func deletingPathExtension() -> URL { self }
  public func appendingPathExtension(_ pathExtension: String) -> URL { self }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func appending(path: some StringProtocol, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func appending(component: some StringProtocol, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public static var temporaryDirectory: URL { fatalError() }
  public func resourceValues(forKeys: Set<URLResourceKey>) throws -> URLResourceValues { URLResourceValues() }
  public mutating func setResourceValues(_ values: URLResourceValues) throws {}
  public var description: String { "" }
}

public struct URLComponents: Hashable, Sendable, Codable {
  public init() {}
  public init?(string: String) {}
  public init?(url: URL, resolvingAgainstBaseURL: Bool) {}
  public var scheme: String? = nil
  public var host: String? = nil
  public var port: Int? = nil
  public var path: String = ""
  public var query: String? = nil
  public var url: URL? { nil }
  public var string: String? { nil }
}

public struct TimeZone: Hashable, Sendable, Codable {
  public init?(identifier: String) {}
  public init?(secondsFromGMT: Int) {}
  public static var current: TimeZone { fatalError() }
  public var identifier: String { "" }
  public func secondsFromGMT(for date: Date = Date()) -> Int { 0 }
}
public struct Locale: Hashable, Sendable, Codable {
  public init(identifier: String) {}
  public static var current: Locale { fatalError() }
  public var identifier: String { "" }
}

public protocol FormatStyle: Codable, Hashable {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: FormatInput) -> FormatOutput
}
extension Date {
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public struct ISO8601FormatStyle: FormatStyle, Sendable {
    public func format(_ value: Date) -> String { "" }
    public func year() -> ISO8601FormatStyle { self }
    public func month() -> ISO8601FormatStyle { self }
    public func day() -> ISO8601FormatStyle { self }
  }
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public func formatted<F: FormatStyle>(_ format: F) -> F.FormatOutput where F.FormatInput == Date {
    format.format(self)
  }
}
@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
extension FormatStyle where Self == Date.ISO8601FormatStyle {
  public static var iso8601: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle() }
}
public struct DateComponents: Hashable, Sendable, Codable {
  // The SDK's has more parameters with defaults.
  public init(
    calendar: Calendar? = nil, timeZone: TimeZone? = nil, era: Int? = nil, year: Int? = nil, month: Int? = nil,
    day: Int? = nil, hour: Int? = nil, minute: Int? = nil, second: Int? = nil, nanosecond: Int? = nil
  ) {}
  public var year: Int? = nil
  public var month: Int? = nil
  public var day: Int? = nil
  public var hour: Int? = nil
  public var minute: Int? = nil
  public var second: Int? = nil
}
public struct DateInterval: Hashable, Comparable, Sendable, Codable {
  public init() {}
  public init(start: Date, end: Date) {}
  public init(start: Date, duration: TimeInterval) {}
  public var start: Date = Date()
  public var end: Date = Date()
  public var duration: TimeInterval = 0
  public static func < (left: DateInterval, right: DateInterval) -> Bool { false }
}
public struct PersonNameComponents: Hashable, Sendable, Codable {
  public init() {}
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public init(
    namePrefix: String? = nil, givenName: String? = nil, middleName: String? = nil, familyName: String? = nil,
    nameSuffix: String? = nil, nickname: String? = nil, phoneticRepresentation: PersonNameComponents? = nil
  ) {}
  public var givenName: String? = nil
}
// Named by their types only.
public struct IndexPath: Hashable, Sendable, Codable {
  public init() {}
}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public struct AttributedString: Hashable, Sendable, Codable {
  public struct Index: Comparable, Sendable {
    public static func < (left: Index, right: Index) -> Bool { false }
  }
  public struct CharacterView: BidirectionalCollection, Sendable {
    public var startIndex: Index { fatalError() }
    public var endIndex: Index { fatalError() }
    public func index(before index: Index) -> Index { fatalError() }
    public func index(after index: Index) -> Index { fatalError() }
    public subscript(index: Index) -> Character { fatalError() }
  }
  public init() {}
  public init(_ string: String) {}
  public var characters: CharacterView { fatalError() }
}

// Only what a set of integers is made and compared with: the SDK's is also a SetAlgebra and a collection of its own
// index type.
public struct IndexSet: Hashable, Sendable, Codable {
  public init() {}
  public init(integer: Int) {}
  public init(integersIn: Range<Int>) {}
  public init<S: Sequence>(_ elements: S) where S.Element == Int {}
  public func contains(_ integer: Int) -> Bool { false }
}
public struct Calendar: Hashable, Sendable, Codable {
  public enum Component: Sendable { case year, month, day, hour, minute, second, nanosecond, weekday }
  public enum Identifier: Sendable { case gregorian, iso8601 }
  public init(identifier: Identifier) {}
  public static var current: Calendar { fatalError() }
  public var timeZone: TimeZone = .current
  public func dateComponents(_ components: Set<Component>, from: Date) -> DateComponents { DateComponents() }
  public func component(_ component: Component, from: Date) -> Int { 0 }
  public func date(from: DateComponents) -> Date? { nil }
}

open class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }
  public enum NonConformingFloatEncodingStrategy: Sendable {
    case `throw`
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  public init() {}
  open var outputFormatting: OutputFormatting = []
  open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy = .throw
  open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  open func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
}
open class JSONDecoder {
  public enum NonConformingFloatDecodingStrategy: Sendable {
    case `throw`
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  public init() {}
  open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy = .throw
  open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  open func decode<T: Decodable>(_ type: T.Type, from: Data) throws -> T { fatalError() }
}
