public import FluxJSON
import FluxSystem

/// The first line of a log.
///
/// See docs/log-format.md, "Header".
public struct LogHeader: Sendable, Equatable {
  /// The app that was recorded.
  public struct App: Sendable, Equatable {
    /// The app's name.
    public var name: String
    /// The app's version.
    public var version: String?

    /// Makes an app description.
    public init(name: String, version: String? = nil) {
      self.name = name
      self.version = version
    }
  }

  /// The platform that the app ran on.
  public struct Platform: Sendable, Equatable {
    /// The operating system.
    public var os: String
    /// The Swift version.
    public var swift: String?

    /// Makes a platform description.
    public init(os: String, swift: String? = nil) {
      self.os = os
      self.swift = swift
    }
  }

  /// A store of the app.
  public struct Store: Sendable, Equatable {
    /// The store's identifier.
    public var name: String
    /// The type of its state.
    public var type: String?
    /// `true` if the store is a feature, which can be absent.
    public var isFeature: Bool
    /// The state before the first step; `nil` for a feature that is absent at the start.
    public var initial: JSON?
    /// `true` if the states come from reflection, so they cannot be decoded.
    public var isReflected = false

    /// Makes a store description.
    public init(name: String, type: String? = nil, isFeature: Bool = false, initial: JSON? = nil) {
      self.name = name
      self.type = type
      self.isFeature = isFeature
      self.initial = initial
    }
  }

  /// The format version.
  public var version: FormatVersion
  /// The identifier of the log, the same in all segments of a recording.
  public var log: String?
  /// The start of the recording; all times count from here.
  public var created: LogInstant?
  /// The seed of the random numbers of all steps.
  public var seed: UInt64?
  /// The number of the first step.
  public var first: UInt64
  /// `true` if every step lists all effects that it asked for.
  ///
  /// Then a step without ``LogStep/effects`` asked for none. Otherwise its effects are unknown.
  public var recordsEffects: Bool
  /// `true` if actions and states have the form of jsan, the serializer of Redux DevTools, from which they were imported.
  ///
  /// Then an object with the single member `$jsan` stands for a value that JSON does not have, such as a date.
  public var isJSAN = false
  /// The app that was recorded.
  public var app: App?
  /// The platform that the app ran on.
  public var platform: Platform?
  /// The values that were constant throughout the recording, such as flags and the locale, by name.
  public var circumstances: [String: JSON]
  /// The stores of the app.
  public var stores: [Store]
  /// JSON Pointers to the values that were replaced by tokens.
  public var redacted: [String]
  /// JSON Pointers to the only values that were not replaced by tokens; `nil` if there is no such
  /// list.
  ///
  /// ``redacted`` applies inside them, too.
  public var only: [String]?

  /// `true` if tokens may replace values.
  public var isRedacted: Bool { !redacted.isEmpty || only != nil }

  /// Makes a header.
  public init(
    version: FormatVersion = .plain, log: String? = nil, created: LogInstant? = nil,
    seed: UInt64? = nil, first: UInt64 = 1, recordsEffects: Bool = false, app: App? = nil,
    platform: Platform? = nil, circumstances: [String: JSON] = [:], stores: [Store] = [],
    redacted: [String] = [], only: [String]? = nil
  ) {
    self.version = version
    self.log = log
    self.created = created
    self.seed = seed
    self.first = first
    self.recordsEffects = recordsEffects
    self.app = app
    self.platform = platform
    self.circumstances = circumstances
    self.stores = stores
    self.redacted = redacted
    self.only = only
  }
}

extension LogHeader {
  static var fields: [LineField<LogHeader>] {
    [
      .required("flux", \.version), .optional("log", \.log), .optional("created", \.created),
      LineField(name: "seed") { (header, line) throws(LineFault) in
        header.seed = try line.optional("seed", "a string of 16 hex digits") { $0.string?.hexSeed }
      } write: {
        $2.member("seed", ifPresent: $0.seed?.hexDigits)
      },
      .optional("first", \.first, or: 1, isOmitted: false),
      .optional("effects", \.recordsEffects, or: false), .optional("jsan", \.isJSAN, or: false),
      .object(
        "app", \.app, App(name: ""),
        [.required("name", \.name), .optional("version", \.version)]),
      .object(
        "platform", \.platform, Platform(os: ""),
        [.required("os", \.os), .optional("swift", \.swift)]),
      LineField(name: "circumstances") { (header, line) throws(LineFault) in
        let constants = try line.object("circumstances")?.object.members.map { ($0.name, $0.value) }
        header.circumstances = Dictionary(constants ?? [], uniquingKeysWith: { $1 })
      } write: { header, _, line in
        guard !header.circumstances.isEmpty else { return }
        line.object("circumstances") { object in
          for (name, value) in header.circumstances.sorted(by: { $0.key < $1.key }) {
            object.member(named: name, value.onOneLine)
          }
        }
      },
      LineField(name: "stores") { (header, line) throws(LineFault) in
        header.stores = try Store.all(line)
      } write: { header, old, line in
        line.object("stores") { object in
          for store in header.stores {
            object.object(named: store.name) {
              $0.members(of: store, Store.fields, over: old?[store.name])
            }
          }
        }
      },
      .optional("redacted", \.redacted, or: []), .optional("only", \.only),
    ]
  }

  /// Reads a header line.
  ///
  /// Only `flux` is required, so logs can be written by hand. The members of a newer major version
  /// are not read, because they may have a different meaning.
  init(_ line: JSON) throws(LineFault) {
    self.init()
    let members = LineMembers(line)
    for field in Self.fields where version.major <= FormatVersion.current.major {
      try field.read(&self, members)
    }
  }

  func write(to lines: inout LineBuffer) { lines.line(of: self, Self.fields) }

  /// The version that a log with this header says: the newest if it has reflected states, else the one before, which older
  /// readers read without a warning.
  package var versionToWrite: FormatVersion {
    stores.contains(where: \.isReflected) ? .current : .plain
  }
}

extension MemoryLimit {
  /// The number of stores that are read of one log.
  ///
  /// Each takes 640 bytes: its names, its state in an index and in a cache, and its line in a list.
  var storeCount: Int { byteCount / 640 }
}

extension LogHeader.Store {
  fileprivate static var fields: [LineField<Self>] {
    [
      .optional("type", \.type), .optional("feature", \.isFeature, or: false),
      .optional("reflected", \.isReflected, or: false),
      LineField(name: "initial") { (store, object) throws(LineFault) in
        store.initial = object["initial"]
      } write: {
        $2.member("initial", ifPresent: $0.initial)
      },
    ]
  }

  static func all(
    _ line: LineMembers, limit: MemoryLimit = .standard
  ) throws(LineFault) -> [Self] {
    guard let declared = try line.object("stores") else { return [] }
    let (found, limit) = (declared.object.count, limit.storeCount)
    guard found <= limit else {
      throw LineFault(
        problem: .tooManyStores(found: found, limit: limit), byte: declared.byteOffset)
    }
    var stores: [Self] = []
    for member in declared.object.members {
      let members = LineMembers(
        try declared.value(of: member), prefix: "stores.\(member.name)")
      stores.append(try members.read(fields, into: Self(name: member.name)))
    }
    return stores
  }
}

extension String {
  /// The seed that the text writes in 16 hex digits; nil if it is another text.
  package var hexSeed: UInt64? {
    guard utf8.count == 16, first != "+", first != "-" else { return nil }
    return UInt64(self, radix: 16)
  }
}

/// The version of the log format that a header names.
///
/// Readers accept a newer minor version with a warning and refuse a newer major version.
public struct FormatVersion: Sendable, Hashable, CustomStringConvertible {
  /// The number before the dot, raised for changes that older readers cannot understand.
  public let major: UInt32
  /// The number after the dot, raised for additions that older readers can skip.
  public let minor: UInt32

  /// The newest version that this library reads without a warning; logs with reflected states have it.
  public static let current = FormatVersion(major: 1, minor: 2)
  /// The version of all other logs, which older readers read without a warning.
  public static let plain = FormatVersion(major: 1, minor: 1)

  /// Makes a version from its two numbers.
  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  /// Parses `major.minor`; returns `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Self.number(parts[0]), let minor = Self.number(parts[1])
    else { return nil }
    self.init(major: major, minor: minor)
  }

  private static func number(_ text: Substring) -> UInt32? {
    // `UInt32` accepts a sign, a version does not.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(text)
  }

  /// The version as a header writes it.
  public var description: String { "\(major).\(minor)" }
}

extension FormatVersion: LineValue {
  static var lineType: String { #"a version such as "1.1""# }
  static func read(_ value: JSON) -> FormatVersion? { value.string.flatMap(FormatVersion.init) }
  func write(to line: inout ByteBuffer) { description.write(to: &line) }
}

extension LogInstant: LineValue {
  static var lineType: String { "a date and time with a time zone" }
  static func read(_ value: JSON) -> LogInstant? { value.string.flatMap(LogInstant.init) }
  func write(to line: inout ByteBuffer) { description.write(to: &line) }
}
