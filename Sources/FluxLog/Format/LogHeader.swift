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
  /// The app that was recorded.
  public var app: App?
  /// The platform that the app ran on.
  public var platform: Platform?
  /// The stores of the app.
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
