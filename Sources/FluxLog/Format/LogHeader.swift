public import FluxJSON

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
    version: FormatVersion = .current, log: String? = nil, created: LogInstant? = nil,
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

// MARK: Reading

extension LogHeader {
  /// Reads a header line.
  ///
  /// Only `flux` is required, so logs can be written by hand. The members of a newer major version
  /// are not read, because they may have a different meaning.
  init(_ line: JSON) throws(LineFault) {
    let members = LineMembers(line)
    let version = try members.required("flux", "a version such as \"1.1\"") {
      $0.string.flatMap(FormatVersion.init)
    }
    self.init(version: version)
    guard version.major <= FormatVersion.current.major else { return }
    log = try members.optional("log")
    created = try members.optional("created", "a date and time with a time zone") {
      $0.string.flatMap(LogInstant.init)
    }
    seed = try members.optional("seed", "a string of 16 hex digits") { $0.string?.hexSeed }
    first = try members.optional("first") ?? 1
    recordsEffects = try members.optional("effects") ?? false
    isJSAN = try members.optional("jsan") ?? false
    app = try App(members)
    platform = try Platform(members)
    let constants = try members.object("circumstances")?.object.members.map { ($0.name, $0.value) }
    circumstances = Dictionary(constants ?? [], uniquingKeysWith: { $1 })
    stores = try Store.all(members)
    redacted = try members.optional("redacted") ?? []
    only = try members.optional("only")
  }
}

extension LogHeader.App {
  fileprivate init?(_ line: LineMembers) throws(LineFault) {
    guard let members = try line.object("app") else { return nil }
    name = try members.required("name")
    version = try members.optional("version")
  }
}

extension LogHeader.Platform {
  fileprivate init?(_ line: LineMembers) throws(LineFault) {
    guard let members = try line.object("platform") else { return nil }
    os = try members.required("os")
    swift = try members.optional("swift")
  }
}

extension MemoryLimit {
  /// The number of stores that are read of one log.
  ///
  /// Each takes 640 bytes: its names, its state in an index and in a cache, and its line in a list.
  var storeCount: Int { byteCount / 640 }
}

extension LogHeader.Store {
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
      var store = Self(
        name: member.name, type: try members.optional("type"),
        isFeature: try members.optional("feature") ?? false, initial: members["initial"])
      store.isReflected = try members.optional("reflected") ?? false
      stores.append(store)
    }
    return stores
  }
}

extension String {
  fileprivate var hexSeed: UInt64? {
    guard utf8.count == 16, first != "+", first != "-" else { return nil }
    return UInt64(self, radix: 16)
  }
}

// MARK: Writing

extension LogHeader {
  func write(to lines: inout LineBuffer) {
    lines.line { line in
      line.member("flux", version.description)
      line.member("log", ifPresent: log)
      line.member("created", ifPresent: created?.description)
      line.member("seed", ifPresent: seed?.hexDigits)
      line.member("first", first)
      if recordsEffects { line.member("effects", true) }
      if isJSAN { line.member("jsan", true) }
      if let app {
        line.object("app") { object in
          object.member("name", app.name)
          object.member("version", ifPresent: app.version)
        }
      }
      if let platform {
        line.object("platform") { object in
          object.member("os", platform.os)
          object.member("swift", ifPresent: platform.swift)
        }
      }
      if !circumstances.isEmpty {
        line.object("circumstances") { object in
          for (name, value) in circumstances.sorted(by: { $0.key < $1.key }) {
            object.member(named: name, value)
          }
        }
      }
      line.object("stores") { object in
        for store in stores { store.write(to: &object) }
      }
      line.member("redacted", unlessEmpty: redacted)
      line.member("only", ifPresent: only)
    }
  }
}

extension LogHeader.Store {
  fileprivate func write(to stores: inout LineBuffer) {
    stores.object(named: name) { store in
      store.member("type", ifPresent: type)
      if isFeature { store.member("feature", true) }
      if isReflected { store.member("reflected", true) }
      store.member("initial", ifPresent: initial)
    }
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

  /// The version that this library writes, and the newest that it reads without a warning.
  public static let current = FormatVersion(major: 1, minor: 1)

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
