public import FluxJSON
public import FluxLog

/// An app's stores, and the actions that they handle.
public struct AppDescription: Sendable, Equatable {
  /// One store of an app.
  public struct Store: Sendable, Equatable {
    /// The store's identifier.
    public var name: String
    /// The type of its state, or of the feature.
    public var type: String?
    /// `true` if it can be absent.
    public var isFeature: Bool

    /// Creates a description of a store.
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
  /// The stores, in the order in which they handle actions.
  public var stores: [Store]
  /// The kinds of actions that the stores handle: `todo` stands for `todo/add` and all other cases.
  public var actionTypes: [String]
  /// The current names of renamed stores, by their old names.
  public var storeAliases: StoreDictionary<String>
  /// The current kinds of renamed actions, by their old kinds.
  public var actionAliases: [String: String]
  /// The stores whose recorded states need upcasting, by their names in old logs.
  public var upcastStores: Set<String>

  /// Creates a description of an app.
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
  /// Returns the app's current name for a store of a log.
  public func storeName(for recorded: String) -> String {
    storeAliases[recorded] ?? recorded
  }

  /// Returns `true` if the app has the store that a log calls `recorded`.
  public func hasStore(_ recorded: String) -> Bool {
    let name = storeName(for: recorded)
    return stores.contains { $0.name.hasSameBytes(as: name) }
  }

  /// Returns `true` if the app handles actions of a type such as `todo/add`, under a current or an old name.
  ///
  /// Kinds and cases may contain slashes, so every prefix is looked up.
  public func takes(_ type: String) -> Bool {
    if isKind(type) { return true }
    return type.indices.contains { type[$0] == "/" && isKind(String(type[..<$0])) }
  }

  private func isKind(_ name: String) -> Bool {
    name == AppDescription.batch || actionTypes.contains(name) || actionAliases[name] != nil
  }

  /// The kind of a batch of actions in one step, which every app handles.
  static let batch = "batch"
}

extension AppDescription {
  /// The description as a message of the protocol.
  ///
  /// `{"name","version","stores":[{"name","type","feature"}],"actionTypes":[…], "storeAliases":{old:
  /// new},"actionAliases":{old: new},"upcastStores":[…]}`; empty members are omitted.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("name", name)
      writer.member("version", version)
      writer.name("stores")
      writer.beginArray()
      for store in stores { store.write(to: &writer) }
      writer.endArray()
      writer.name("actionTypes")
      writer.strings(actionTypes)
      writer.member("storeAliases", storeAliases.ordered)
      writer.member("actionAliases", actionAliases.sorted { $0.key < $1.key })
      if !upcastStores.isEmpty {
        writer.name("upcastStores")
        writer.strings(upcastStores.sorted())
      }
      writer.endObject()
    })
  }

  /// Reads a description from a message of the protocol.
  ///
  /// - Throws: ``MalformedMessage``, which names the member.
  public init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the description of the app")
    name = try message.optionalString("name")
    version = try message.optionalString("version")
    stores = []
    for store in try message.array("stores").elements {
      stores.append(try Store(Message(store, called: "a store of the description")))
    }
    actionTypes = try message.strings("actionTypes")
    storeAliases = StoreDictionary(
      try message.optionalStringsByName("storeAliases"), uniquingKeysWith: { $1 })
    actionAliases = Dictionary(
      try message.optionalStringsByName("actionAliases"), uniquingKeysWith: { $1 })
    upcastStores = Set(try message.optionalStrings("upcastStores"))
  }
}

extension AppDescription.Store {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    writer.member("type", type)
    if isFeature {
      writer.name("feature")
      writer.bool(true)
    }
    writer.endObject()
  }

  fileprivate init(_ message: Message) throws(MalformedMessage) {
    name = try message.string("name")
    type = try message.optionalString("type")
    isFeature = try message.optionalBool("feature") ?? false
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ strings: [(key: String, value: String)]) {
    guard !strings.isEmpty else { return }
    self.name(name)
    beginObject()
    for (key, value) in strings { member(key, value) }
    endObject()
  }
}
