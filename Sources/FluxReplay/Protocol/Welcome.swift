package import FluxJSON

/// `initialize`: `{"protocol","client"?}`.
package struct Greeting: Equatable, Encodable {
  private enum CodingKeys: String, CodingKey { case version = "protocol", client }

  package var version: String
  package var client: String?

  package init(client: String? = "flux-inspect", version: String = AppProtocol.version) {
    (self.client, self.version) = (client, version)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the greeting")
    version = try message.required("protocol", .string)
    client = try message.optional("client", .string)
  }
}

/// The answer to `initialize`: `{"protocol","parts"?:[part],"app":{…},"capabilities"?:{"verify"?,"tells"?:[part]}}`.
///
/// A running app adds `{"process","log"?,"recording"?,"problem"?,"allows":[…]}`.
package struct Welcome: Sendable, Equatable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case version = "protocol", parts, app, capabilities, process, log, recording, problem, allows
  }

  private struct Capabilities: Encodable {
    var verify: Bool?
    var tells: [String]?
  }

  package var version = AppProtocol.version
  /// The names of the parts that the app serves, among them those of later versions; a host of version 1 serves `replay`.
  package var parts = [AppProtocol.Part.replay.rawValue]
  /// The app; without `replay`, its name and version.
  package var app: AppDescription
  /// `true` if the host can verify a log itself, and compares all that this version compares.
  package var verifies: Bool
  /// The number of the process of a running app.
  package var process: UInt64?
  /// The file that a running app records; nil if it records none.
  package var log: String?
  /// The id of that log, by which a file at the path is known as the same.
  package var recording: String?
  /// The reason why there is no log, or no more of it.
  package var problem: String?
  /// The names of the permissions that a running app gives; others than ``AppProtocol/Permission`` are of later versions.
  package var allows: [String] = []

  package init(app: AppDescription, verifies: Bool = false) {
    (self.app, self.verifies) = (app, verifies)
  }

  package init(
    _ app: AppDescription, process: UInt64, parts: [AppProtocol.Part], log: String?,
    problem: String? = nil,
    allows: [AppProtocol.Permission] = AppProtocol.Permission.allCases
  ) {
    self.init(app: app)
    self.parts = parts.map(\.rawValue)
    (self.process, self.log, self.problem) = (process, log, problem)
    self.allows = allows.map(\.rawValue)
  }

  /// The reason why this version does not understand the app; nil if it does.
  package var incompatibility: String? {
    guard !AppProtocol.isCompatible(version) else { return nil }
    return "it uses version \(version) of the protocol, and this program \(AppProtocol.version); "
      + "build both with the same version of the package"
  }

  package func serves(_ part: AppProtocol.Part) -> Bool { parts.contains(part.rawValue) }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to initialize")
    version = try message.required("protocol", .string)
    guard AppProtocol.isCompatible(version) else {
      // The form of the rest is unknown.
      (app, parts, verifies) = (AppDescription(), [], false)
      return
    }
    parts = try message.optional("parts", .strings) ?? parts
    app = try AppDescription(try message.required("app", .object))
    let capabilities = try Message(
      try message.optional("capabilities", .object) ?? [:], called: "the capabilities")
    // Parts that only a later version knows are none that this one compares.
    app.tells = Set(
      (try capabilities.optional("tells", .strings) ?? []).compactMap(AppDescription.Telling.init))
    verifies =
      try capabilities.optional("verify", .bool) ?? false
      && app.tells.isSuperset(of: AppDescription.Telling.allCases)
    process = try message.optional("process", .integer)
    log = try message.optional("log", .string)
    recording = try message.optional("recording", .string)
    problem = try message.optional("problem", .string)
    allows = try message.optional("allows", .strings) ?? []
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(version, forKey: .version)
    try members.encode(parts, forKey: .parts)
    try members.encode(app, forKey: .app)
    if serves(.replay) {
      let tells = AppDescription.Telling.allCases.filter(app.tells.contains).map(\.rawValue)
      let capabilities = Capabilities(
        verify: verifies ? true : nil, tells: tells.isEmpty ? nil : tells)
      try members.encode(capabilities, forKey: .capabilities)
    }
    guard let process else { return }
    try members.encode(process, forKey: .process)
    try members.encodeIfPresent(log, forKey: .log)
    try members.encodeIfPresent(recording, forKey: .recording)
    try members.encodeIfPresent(problem, forKey: .problem)
    try members.encode(allows, forKey: .allows)
  }
}
