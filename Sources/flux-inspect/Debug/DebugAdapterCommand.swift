import ArgumentParser
import FluxCommands
import FluxEditor
import FluxHost
import FluxInspector
import FluxLog
import FluxSubcommands
import FluxSystem
import Foundation

/// `flux-inspect dap`: a recording in the debugger of an editor.
struct DebugAdapterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dap", abstract: "Serve an editor's debugger, which steps through a recording",
    discussion: """
      An editor starts this command, and speaks the Debug Adapter Protocol on its standard input and output. The \
      launch names the log; the editor then shows the line that dispatched each action. With --socket or --port, \
      editors connect instead, and the command ends with the last session. Any user of the machine can connect to a \
      port, so a launch there needs the token. docs/editors.md shows the setup for VS Code, Neovim, Vim, Emacs and Helix.
      """)

  @Option(
    help: ArgumentHelp(
      "Listen for editors on this local port; 0 picks one. Prints the port, and the token that a launch needs",
      valueName: "number"))
  var port: UInt16?

  @Option(
    help: ArgumentHelp(
      "With --port, keep the token in this file instead of printing a new one each time",
      valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "Listen for your own editors on a Unix socket at this path", valueName: "path"),
    completion: .file())
  var socket: String?

  func validate() throws {
    guard port == nil || socket == nil else {
      throw ValidationError("--port and --socket exclude each other")
    }
    guard tokenFile == nil || port != nil else {
      throw ValidationError("--token-file needs --port; a socket needs no token")
    }
  }

  func run() throws { try run(serving: serve) }

  private func serve() throws(CommandError) -> Int32 {
    if let port { return try serve(port: port) }
    if let socket { return try serve(socket: socket) }
    return try serveStandardStreams()
  }

  private func serveStandardStreams() throws(CommandError) -> Int32 {
    let (input, output) = try Descriptor.standardStreams()
    switch DebugAdapter(ClientConnection(reading: input, writing: output), .program).run() {
    case .closed: return 0
    case .malformed(let message):
      throw CommandError(.file, "the client does not speak the protocol: \(message)")
    case .refused(let error): throw CommandError(error, at: "the client")
    }
  }

  private func serve(port: UInt16) throws(CommandError) -> Int32 {
    let token = try tokenFile.map { path throws(CommandError) in
      try TokenFile(path: path).token().value
    }
    let listener: NetworkListener
    do throws(SystemError) {
      listener = try NetworkListener(NetworkAddress(port: port))
    } catch {
      throw CommandError(error, "cannot listen on port \(port)")
    }
    complain("listening on \(listener.address)")
    let drawn = token ?? AccessToken(byteCount: 16)
    if token == nil { complain("token: \(drawn.text)") }
    return serve(listener, token: drawn)
  }

  private func serve(socket path: String) throws(CommandError) -> Int32 {
    let listener: LocalListener
    do throws(SystemError) {
      try checkFree(path)
      listener = try LocalListener(path: path)
    } catch {
      throw CommandError(error, "cannot listen at \(path)")
    }
    defer { listener.removeName() }
    complain("listening at \(path)")
    return serve(listener, token: nil)
  }

  /// Throws an error unless a path is free, or a socket to which nobody listens any more.
  private func checkFree(_ path: String) throws(SystemError) {
    guard let status = try FileStatus(path: path, followsLinks: false) else { return }
    guard status.isSocket else { throw SystemError("listen at", code: EEXIST) }
    do throws(SystemError) {
      _ = try Descriptor.connecting(toLocal: path)
    } catch {
      guard error.code != ECONNREFUSED else { return }
      throw error
    }
    throw SystemError("listen at", code: EADDRINUSE)
  }

  /// The number of editors at a time.
  private static let largestCount = 32

  /// Serves each client on its own threads, until the last one that launched or attached is gone.
  private func serve(_ listener: any ClientListener, token: AccessToken?) -> Int32 {
    let user = geteuid()
    let sessions = Monitor(DebugSessions())
    let server = ClientServer(listener, limit: Self.largestCount) { client in
      guard token != nil || client.stream.isPeer(of: user) else { return }
      let connection = ClientConnection(reading: client.stream, writing: client.stream)
      let hasBegun = Monitor(false)
      let adapter = DebugAdapter(connection, .program, token: token) {
        let isFirst = hasBegun.withLock { hasBegun in
          defer { hasBegun = true }
          return !hasBegun
        }
        guard isFirst else { return }
        client.setKnown()
        sessions.withLock { $0.begin() }
      }
      let end = adapter.run()
      switch end {
      case .closed: break
      case .malformed(let message):
        complain("note: a client does not speak the protocol: \(message)")
      case .refused(let error): complain("note: \(error.text(about: "a client"))")
      }
      if hasBegun.withLock({ $0 }) { sessions.withLock { $0.end(end, hadLog: adapter.hasLog) } }
    }
    while !sessions.withLock({ $0.areOver }) { server.acceptNext(milliseconds: 50) }
    return sessions.withLock { $0.exitCode }
  }
}

/// The sessions of a port or a socket.
///
/// A client that never launches or attaches counts as none. One that tries keeps the others from being the last, because
/// an attach may wait for its app.
private struct DebugSessions {
  private var count = 0
  private var hadAny = false
  private(set) var exitCode: Int32 = 0

  /// `true` once all are gone, and one of them had a log.
  var areOver: Bool { hadAny && count == 0 }

  mutating func begin() { count += 1 }

  mutating func end(_ end: DebugAdapter.End, hadLog: Bool) {
    count -= 1
    guard hadLog else { return }
    hadAny = true
    if end != .closed { exitCode = CommandError(.file, "").exitCode }
  }
}

extension AdapterWorld {
  /// The files and apps of this machine.
  fileprivate static var program: AdapterWorld {
    var world = AdapterWorld(
      open: { [input = LogInput()] path in
        // The client's requests may come from there.
        guard path != LogInput.standardInput else {
          throw CommandError(.usage, "dap reads no log from standard input; name a file")
        }
        return try input.open(path)
      },
      app: { executable, isCancelled in
        let app = HostApp(executable: executable, isCancelled: isCancelled)
        try app.checkExecutable()
        return app
      })
    world.attach = { address, tell, isCancelled in
      let app = try LiveConnection.attached(to: address, tell: tell, isCancelled: isCancelled)
      app.inspector?.closeToOthers()
      let log = try AttachedLog(of: app)
      for remark in log.remarks { tell("note: \(remark)") }
      return AttachedApp(app) { try log.close().map { "note: \($0)" } }
    }
    world.services.files = SystemFiles()
    return world
  }
}
