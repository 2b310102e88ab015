/// The first line of a log.
///
/// LOG-FORMAT, "Header".
public struct LogHeader: Sendable, Equatable {
  /// The app that was recorded.
  public struct App: Sendable, Equatable {
    /// The app's name.
    public var name: String
    /// The app's version.
    public var version: String?

    /// Makes a description of an app.
    public init(name: String, version: String? = nil) {
      self.name = name
      self.version = version
    }
  }

  /// Where the app ran.
  public struct Platform: Sendable, Equatable {
    /// The operating system.
    public var os: String
    /// The version of Swift.
    public var swift: String?

    /// Makes a description of a platform.
    public init(os: String, swift: String? = nil) {
      self.os = os
      self.swift = swift
    }
  }

  /// One store of the app.
  public struct Store: Sendable, Equatable {
    /// The store's identifier.
    public var name: String
    /// The type of its state.
    public var type: String?
    /// Whether its state is optional: absent at times.
    public var isFeature: Bool
    /// Its state before the first step; nil for a feature that is absent then.
    public var initial: JSON?

    /// Makes a description of a store.
    public init(name: String, type: String? = nil, isFeature: Bool = false, initial: JSON? = nil) {
      self.name = name
      self.type = type
      self.isFeature = isFeature
      self.initial = initial
    }
  }

  /// The version of the format.
  public var version: FormatVersion
  /// The log's identity, the same in all segments of one recording.
  public var log: String?
  /// When recording began: the zero of all times.
  public var created: LogInstant?
  /// What the random generators of all steps are seeded with.
  public var seed: UInt64?
  /// The number of the first step.
  public var first: UInt64
  /// The app that was recorded.
  public var app: App?
  /// Where it ran.
  public var platform: Platform?
  /// The app's stores.
  public var stores: [Store]
  /// JSON Pointers to the values that were replaced by tokens.
  public var redacted: [String]

  /// Makes a header.
  public init(
    version: FormatVersion = .current, log: String? = nil, created: LogInstant? = nil,
    seed: UInt64? = nil, first: UInt64 = 1, app: App? = nil, platform: Platform? = nil,
    stores: [Store] = [], redacted: [String] = []
  ) {
    self.version = version
    self.log = log
    self.created = created
    self.seed = seed
    self.first = first
    self.app = app
    self.platform = platform
    self.stores = stores
    self.redacted = redacted
  }
}
