public import FluxLog

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
