import FluxJSON

extension LogHeader {
  /// Reads a header line.
  ///
  /// Only `flux` is required, so logs can be written by hand. The members of a newer major version
  /// are not read, because they may have a different meaning.
  init(_ line: JSON) throws(LineFault) {
    let members = LineMembers(line)
    let version = try members.required("flux", "a version such as \"1.0\"") {
      $0.string.flatMap(FormatVersion.init)
    }
    self.init(version: version)
    guard version.major <= FormatVersion.current.major else { return }
    log = try members.optionalString("log")
    created = try members.optional("created", "a date and time with a time zone") {
      $0.string.flatMap(LogInstant.init)
    }
    seed = try members.optional("seed", "a string of 16 hex digits") { $0.string?.hexSeed }
    first = try members.optionalInteger("first") ?? 1
    app = try App(members)
    platform = try Platform(members)
    stores = try Store.all(members)
    redacted = try members.optionalStrings("redacted") ?? []
  }
}

extension LogHeader.App {
  fileprivate init?(_ line: LineMembers) throws(LineFault) {
    guard let object = try line.optionalObject("app") else { return nil }
    let members = LineMembers(object, prefix: "app")
    name = try members.string("name")
    version = try members.optionalString("version")
  }
}

extension LogHeader.Platform {
  fileprivate init?(_ line: LineMembers) throws(LineFault) {
    guard let object = try line.optionalObject("platform") else { return nil }
    let members = LineMembers(object, prefix: "platform")
    os = try members.string("os")
    swift = try members.optionalString("swift")
  }
}

extension LogHeader.Store {
  fileprivate static func all(_ line: LineMembers) throws(LineFault) -> [Self] {
    guard let object = try line.optionalObject("stores") else { return [] }
    let names = LineMembers(object, prefix: "stores")
    var stores: [Self] = []
    for member in object.members {
      guard member.value.kind == .object else { throw names.wrongType(member.name, "an object") }
      let members = LineMembers(member.value, prefix: "stores.\(member.name)")
      stores.append(
        Self(
          name: member.name, type: try members.optionalString("type"),
          isFeature: try members.optionalBool("feature") ?? false, initial: members["initial"]))
    }
    return stores
  }
}

extension String {
  /// The value of exactly 16 hex digits; `nil` for any other text.
  fileprivate var hexSeed: UInt64? {
    guard utf8.count == 16, first != "+", first != "-" else { return nil }
    return UInt64(self, radix: 16)
  }
}
