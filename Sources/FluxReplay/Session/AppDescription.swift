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

extension AppDescription {
  /// The description as a message has it.
  ///
  /// `{"name","version","stores":[{"name","type","feature"}],"actionTypes":[…],
  /// "storeAliases":{old: new},"actionAliases":{old: new},"upcastStores":[…]}`; what is empty is left
  /// out.
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

  /// Reads a description from a message.
  ///
  /// - Throws: ``MalformedMessage`` that names the member.
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
