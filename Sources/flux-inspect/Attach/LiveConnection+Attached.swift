import FluxCorpus
import FluxHost
import FluxInspector
import FluxReplay
import FluxSubcommands
import FluxSystem
import Foundation

/// The token of connections over TCP: of a file, of the environment, or a new one.
private struct NetworkToken {
  let value: AccessToken
  /// `true` if the app cannot have it yet.
  let isNew: Bool
  /// The place where the user finds it.
  let source: String

  init(_ file: String?) throws(CommandError) {
    let name = AppProtocol.tokenVariable
    if let file {
      (value, isNew) = try TokenFile(path: file).token()
      source = file
    } else if let known = ProcessInfo.processInfo.environment[name] {
      (value, isNew, source) = (AccessToken(known), false, "this environment")
    } else {
      (value, isNew, source) = (AccessToken(byteCount: Handshake.tokenSize), true, "")
    }
    do throws(Handshake.Failure) {
      _ = try Handshake(.inspector, value)
    } catch {
      throw CommandError(.usage, "\(name): \(error)")
    }
  }

  /// The variable to paste, with a new token, or with the place of one that the user has.
  var assignment: String {
    "\(AppProtocol.tokenVariable)=\(isNew ? value.text : "<the token in \(source)>")"
  }
}

extension Printer {
  /// Writes a line to standard error as it is, which the user may copy.
  func tellRaw(_ line: String) throws { try warn(Array("\(line.printable)\n".utf8)) }
}

extension LiveFolder {
  /// The folders to look for apps in, with that of a container.
  static func searched(_ container: String?) throws(CommandError) -> [LiveFolder] {
    guard let container else { return all() }
    guard let folder = ofContainer(container) else {
      throw CommandError(.usage, "\(container) is not the bundle identifier of an app")
    }
    return all() + [folder]
  }
}

extension LiveConnection {
  /// Attaches to a running app; `tell` receives remarks for the user, of which each is a line.
  ///
  /// `isCancelled` is called a few times a second; `true` interrupts a request.
  ///
  /// - Throws: ``CommandError`` if there is no such app, or more than one.
  static func attached(
    to address: AppAddress, tell: (String) throws -> Void,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> LiveConnection {
    switch address {
    case .local(let name, let container):
      return try attached(to: name, container: container, tell, isCancelled)
    case .listening(let address, let file):
      return try listening(on: address, file, tell, isCancelled)
    case .at(let address, let file):
      let token = try NetworkToken(file)
      if token.isNew { try tell("start the app with \(token.assignment)") }
      do throws(LiveFailure) {
        return try connect(to: address, token.value, isCancelled: isCancelled)
      } catch {
        throw CommandError(error)
      }
    }
  }

  private static func listening(
    on address: NetworkAddress, _ file: String?, _ tell: (String) throws -> Void,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> LiveConnection {
    let token = try NetworkToken(file)
    let inspector: ListeningInspector
    do throws(SystemError) {
      inspector = try ListeningInspector(address, token.value, isCancelled: isCancelled)
    } catch {
      throw CommandError(error, "cannot listen on \(address)")
    }
    let port = inspector.address.port
    let place = address.isOpenToAll ? "<address of this machine>:\(port)" : "\(inspector.address)"
    try tell("waiting for an app that is started with these variables:")
    try tell("\(AppProtocol.inspectorVariable)=\(place)")
    try tell(token.assignment)
    let app = try inspector.next(isCancelled: isCancelled) { failure in
      try tell("note: a program that connected was refused: \(failure)")
    }
    guard let app else { throw CommandError.cancelled }
    return app
  }

  private static func attached(
    to name: String?, container: String?, _ tell: (String) throws -> Void,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> LiveConnection {
    let apps = try RunningApps(
      in: try LiveFolder.searched(container), named: name, isCancelled: isCancelled,
      tell: { try tell("note: \($0)") })
    let found = name.map { apps.matching($0) } ?? apps.all
    if found.count == 1 { return found[0] }
    if isCancelled() { throw CommandError.cancelled }
    let problems = apps.problems.map { "; \($0)" }.joined()
    guard found.isEmpty else {
      let place = container.map { "--container \($0.shellWord) " } ?? ""
      throw CommandError(
        .usage,
        "\(found.count) running apps\(name.map { " named \($0)" } ?? ""): \(Self.list(found))",
        hint: "name one by its number: flux-inspect attach \(place)\(found[0].id)")
    }
    if let name, apps.isSilent(name) {
      throw CommandError(
        .appFailed, apps.problems.joined(separator: "; "),
        hint: "attach again when it runs; 'kill -CONT \(name)' continues a stopped process")
    }
    guard let name, !apps.all.isEmpty else {
      throw CommandError(
        .notFound, "no running app to attach to\(problems)",
        hint: "start an app that has an AppHost, as the same user; see docs/app-protocol.md")
    }
    throw CommandError(
      .notFound, "no running app is named \(name); running: \(Self.list(apps.all))\(problems)")
  }

  private static func list(_ apps: [LiveConnection]) -> String {
    apps.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
  }

  /// The log that the app records.
  ///
  /// - Throws: ``CommandError`` if it records none.
  func log() throws(CommandError) -> String {
    if let log = welcome.log {
      // The path is valid for the call.
      guard transport == .tcp, unsafe access(log, R_OK) != 0 else { return log }
      throw CommandError(
        .file, "the log of \(name) is not on this machine: \(log)",
        hint: "copy it from the device, and open the copy")
    }
    throw CommandError(
      .file, "\(name) has no log to follow: \(welcome.problem ?? "it records nothing")",
      hint: "a recorder with a file has one")
  }

  /// The app as a row of a list.
  var running: RunningAppList.App {
    RunningAppList.App(
      id: id, name: welcome.app.name, version: welcome.app.version, process: welcome.process,
      transport: transport.rawValue, parts: welcome.parts, log: welcome.log,
      problem: welcome.problem, allows: welcome.allows)
  }
}
