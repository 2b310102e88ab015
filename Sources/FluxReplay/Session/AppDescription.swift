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

  /// A part of a step that an app may not tell; what it does not tell is not compared.
  public enum Telling: String, Sendable, CaseIterable {
    /// The names of the effects that the step starts.
    case effects
    /// The names of the effects that the step cancels.
    case cancels
    /// The messages with which reducers refuse actions.
    case messages
  }

  /// The interface of an app's reducers.
  public enum Reducers: String, Sendable, CaseIterable {
    /// Reducers of FluxCore stores: a `Step` gives them their inputs, and takes their follow-ups and effects.
    case steps
    /// Other reducers: functions of a state and an action, whose follow-ups are unknown.
    case plain
  }

  /// The app's name.
  public var name: String?
  /// The app's version.
  public var version: String?
  /// The stores, in the order in which they handle actions.
  public var stores: [Store]
  /// The kinds of actions that the stores handle: `todo` stands for `todo/add` and all other cases, `*` for all.
  public var actionTypes: [String]
  /// The current names of renamed stores, by their old names.
  public var storeAliases: StoreDictionary<String>
  /// The current kinds of renamed actions, by their old kinds.
  public var actionAliases: [String: String]
  /// The stores whose recorded states need upcasting, by their names in old logs.
  public var upcastStores: Set<String>
  /// The stores that old logs have and the app dropped.
  public var droppedStores: Set<String>
  /// The kinds and types of actions that old logs have and the app dropped.
  public var droppedActions: Set<String>
  /// The values that are constant while the app runs, such as flags and the locale, by name.
  ///
  /// Empty if the app does not tell them.
  public var circumstances: [String: JSON]
  /// The parts of a step that the app reports, in addition to its outcome, states and follow-ups.
  public var tells: Set<Telling>
  /// The interface of the app's reducers.
  ///
  /// For ``Reducers/plain``, reports give advice that does not need a `Step`, and follow-ups are not compared.
  public var reducers: Reducers

  /// Creates a description of an app.
  public init(
    name: String? = nil, version: String? = nil, stores: [Store] = [], actionTypes: [String] = [],
    storeAliases: StoreDictionary<String> = [:], actionAliases: [String: String] = [:],
    upcastStores: Set<String> = [], droppedStores: Set<String> = [],
    droppedActions: Set<String> = [], circumstances: [String: JSON] = [:],
    tells: Set<Telling> = [],
    reducers: Reducers = .steps
  ) {
    self.name = name
    self.version = version
    self.stores = stores
    self.actionTypes = actionTypes
    self.storeAliases = storeAliases
    self.actionAliases = actionAliases
    self.upcastStores = upcastStores
    self.droppedStores = droppedStores
    self.droppedActions = droppedActions
    self.circumstances = circumstances
    self.tells = tells
    self.reducers = reducers
  }
}

extension AppDescription {
  /// `true` if the app tells the starts and cancellations of effects, by store.
  var tellsAllEffects: Bool { tells.isSuperset(of: [.effects, .cancels]) }

  /// Returns the names of a log's stores, by the app's names, where they differ.
  func recordedNames(of log: LogFile) -> StoreDictionary<String> {
    var names: StoreDictionary<String> = [:]
    for store in log.storeNames where !storeName(for: store).hasSameBytes(as: store) {
      names[storeName(for: store)] = store
    }
    return names
  }

  /// `true` if recorded states get another form, or their stores another name, before the app takes them.
  var convertsStates: Bool { !upcastStores.isEmpty || !storeAliases.isEmpty }

  /// Returns the app's current name for a store of a log.
  package func storeName(for recorded: String) -> String {
    storeAliases[recorded] ?? recorded
  }

  /// Returns `true` if the app has the store that a log calls `recorded`.
  package func hasStore(_ recorded: String) -> Bool {
    let name = storeName(for: recorded)
    return stores.contains { $0.name.hasSameBytes(as: name) }
  }

  /// Returns `true` if the app dropped the store that a log calls `recorded`.
  ///
  /// A store that the app has is not dropped.
  package func drops(store recorded: String) -> Bool {
    !droppedStores.isEmpty && droppedStores.contains(exactly: recorded)
      && !hasStore(recorded)
  }

  /// Returns `true` if the states of the store that a log calls `recorded` get another form or another name, or none.
  package func converts(store recorded: String) -> Bool {
    upcastStores.contains(exactly: recorded) || drops(store: recorded)
      || !storeName(for: recorded).hasSameBytes(as: recorded)
  }

  /// Returns `true` if the app dropped the actions of a type such as `todo/add`, or of its kind.
  package func drops(action type: String) -> Bool {
    !droppedActions.isEmpty && Self.isNamed(type) { droppedActions.contains($0) }
  }

  /// Returns `true` if a recorded step can run again.
  ///
  /// It cannot if a middleware rejected it, or if it needs what the app dropped: its action, the store
  /// that it is addressed to, or the store that rejected it.
  func canReplay(_ step: LogStep) -> Bool {
    step.rejection?.cannotRunAgain != true && !needsDropped(step)
  }

  /// Returns `true` if a step needs an action or a store that the app dropped.
  func needsDropped(_ step: LogStep) -> Bool {
    guard !droppedActions.isEmpty || !droppedStores.isEmpty else { return false }
    return drops(action: step.type) || step.target.map(drops(store:)) ?? false
      || step.rejection?.store.map(drops(store:)) ?? false
  }

  /// Returns `true` if the app handles actions of a type such as `todo/add`, under a current or an old name.
  package func takes(_ type: String) -> Bool {
    Self.isNamed(type) { name in
      name == AppDescription.batch || actionTypes.contains(name) || actionAliases[name] != nil
        || actionTypes.contains(AppDescription.anyAction)
    }
  }

  /// Returns `true` if the app converts actions of a type to a current form, or drops some of them from batches.
  func converts(action type: String) -> Bool {
    if type == AppDescription.batch { return !actionAliases.isEmpty || !droppedActions.isEmpty }
    return Self.isNamed(type) { actionAliases[$0] != nil }
  }

  /// Returns `true` if `isName` holds for a type or for its kind.
  ///
  /// Kinds and cases may contain slashes, so every prefix is looked up. A slash is one also before a combining mark.
  package static func isNamed(_ type: String, _ isName: (String) -> Bool) -> Bool {
    isName(type)
      || type.unicodeScalars.indices.contains {
        type.unicodeScalars[$0] == "/" && isName(String(type[..<$0]))
      }
  }

  /// The kind that stands for every action: the reducers ignore those that they do not know, as Redux reducers do.
  static let anyAction = "*"

  /// The kind of a batch of actions in one step, which every app handles.
  static let batch = "batch"
}

extension AppDescription: Encodable {
  private enum CodingKeys: CodingKey {
    case name, version, stores, actionTypes, storeAliases, actionAliases, upcastStores
    case droppedStores, droppedActions, circumstances, reducers
  }

  /// Encodes the description as a message of the protocol.
  ///
  /// `{"name","version","stores":[{"name","type","feature"}],"actionTypes":[…], "storeAliases":{old:
  /// new},"actionAliases":{old: new},"upcastStores":[…],"droppedStores":[…],"droppedActions":[…],
  /// "circumstances":{name: value},"reducers":"plain"}`; empty members are omitted, and so is
  /// `reducers` for a FluxCore app. ``tells`` is one of the host's
  /// capabilities instead.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(name, forKey: .name)
    try members.encodeIfPresent(version, forKey: .version)
    try members.encode(stores, forKey: .stores)
    try members.encode(actionTypes, forKey: .actionTypes)
    if !storeAliases.isEmpty { try members.encode(storeAliases.ordered, forKey: .storeAliases) }
    if !actionAliases.isEmpty {
      try members.encode(actionAliases.sorted { $0.key < $1.key }, forKey: .actionAliases)
    }
    try members.encode(nonEmpty: upcastStores.sorted(), forKey: .upcastStores)
    try members.encode(nonEmpty: droppedStores.sorted(), forKey: .droppedStores)
    try members.encode(nonEmpty: droppedActions.sorted(), forKey: .droppedActions)
    if !circumstances.isEmpty {
      try members.encode(circumstances.sorted { $0.key < $1.key }, forKey: .circumstances)
    }
    if reducers != .steps { try members.encode(reducers.rawValue, forKey: .reducers) }
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the description of the app")
    name = try message.optional("name", .string)
    version = try message.optional("version", .string)
    stores = try message.list("stores", Store.init)
    actionTypes = try message.required("actionTypes", .strings)
    storeAliases = StoreDictionary(
      try message.optional("storeAliases", .stringsByName) ?? [], uniquingKeysWith: { $1 })
    actionAliases = Dictionary(
      try message.optional("actionAliases", .stringsByName) ?? [], uniquingKeysWith: { $1 })
    upcastStores = Set(try message.optional("upcastStores", .strings) ?? [])
    droppedStores = Set(try message.optional("droppedStores", .strings) ?? [])
    droppedActions = Set(try message.optional("droppedActions", .strings) ?? [])
    circumstances = Dictionary(
      try message.optional("circumstances", .object)?.members.map { ($0.name, $0.value) } ?? [],
      uniquingKeysWith: { $1 })
    tells = []
    // An interface that only a later version knows is not that of FluxCore.
    reducers =
      try message.optional("reducers", .string).map { Reducers(rawValue: $0) ?? .plain } ?? .steps
  }
}

extension AppDescription.Store: Encodable {
  private enum CodingKeys: CodingKey { case name, type, feature }

  /// Encodes the store as a message of the protocol.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(name, forKey: .name)
    try members.encodeIfPresent(type, forKey: .type)
    if isFeature { try members.encode(true, forKey: .feature) }
  }

  fileprivate init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "a store of the description")
    name = try message.required("name", .string)
    type = try message.optional("type", .string)
    isFeature = try message.optional("feature", .bool) ?? false
  }
}
