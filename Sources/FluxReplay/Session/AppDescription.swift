public import FluxLog

/// What an app has: its stores, and the actions that they take.
public struct AppDescription: Sendable, Equatable {
  /// One store of an app.
  public struct Store: Sendable, Equatable {
    /// The store's identifier.
    public var name: String
    /// The type of its state, or of the feature.
    public var type: String?
    /// Whether it can be absent.
    public var isFeature: Bool

    /// Makes a description of a store.
    public init(name: String, type: String? = nil, isFeature: Bool = false) {
      self.name = name
      self.type = type
      self.isFeature = isFeature
    }
  }

  /// The app's name.
  public var name: String?
  /// The app's version.
  public var version: String?
  /// The stores, in the order in which they take actions.
  public var stores: [Store]
  /// The kinds of actions that are taken: `todo` stands for `todo/add` and all other cases.
  public var actionTypes: [String]
  /// Today's names of stores that were called otherwise, by their old names.
  public var storeAliases: StoreDictionary<String>
  /// Today's kinds of actions that were called otherwise, by their old kinds.
  public var actionAliases: [String: String]
  /// The stores, by their names in old logs, whose states are to be brought into today's form.
  public var upcastStores: Set<String>

  /// Makes a description of an app.
  public init(
    name: String? = nil, version: String? = nil, stores: [Store] = [], actionTypes: [String] = [],
    storeAliases: StoreDictionary<String> = [:], actionAliases: [String: String] = [:],
    upcastStores: Set<String> = []
  ) {
    self.name = name
    self.version = version
    self.stores = stores
    self.actionTypes = actionTypes
    self.storeAliases = storeAliases
    self.actionAliases = actionAliases
    self.upcastStores = upcastStores
  }
}

extension AppDescription {
  /// The name that the app has today for a store of a log.
  public func storeName(for recorded: String) -> String {
    storeAliases[recorded] ?? recorded
  }

  /// Tells whether the app has a store that a log calls so.
  public func hasStore(_ recorded: String) -> Bool {
    let name = storeName(for: recorded)
    return stores.contains { $0.name.hasSameBytes(as: name) }
  }

  /// Tells whether the app takes actions of a type, `todo/add` for instance, under its name of today
  /// or an old one.
  ///
  /// A kind may have slashes of its own, and so may a case: each beginning is looked for.
  public func takes(_ type: String) -> Bool {
    if isKind(type) { return true }
    return type.indices.contains { type[$0] == "/" && isKind(String(type[..<$0])) }
  }

  private func isKind(_ name: String) -> Bool {
    name == AppDescription.batch || actionTypes.contains(name) || actionAliases[name] != nil
  }

  /// The kind of many actions as one step, which every app takes.
  static let batch = "batch"
}
