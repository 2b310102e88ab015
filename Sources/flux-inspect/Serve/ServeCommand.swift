import ArgumentParser
import FluxCommands
import FluxHost
import FluxInspector
import FluxLog
import FluxPage
import FluxReplay
import FluxSubcommands
import FluxSystem
import FluxTerminal
import Foundation

/// `flux-inspect serve LOG`: a log as a page, which follows the log while it grows.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Show logs in a browser, live while they grow",
    discussion: """
      Prints a local address with a secret token, and serves the page there until Ctrl-C. A folder means all \
      logs in it. Only this machine can connect, and only pages with the token can read the log. The page's \
      console cannot use files or a shell. With --attach, --listen or --connect, the page shows a running \
      app's log, and the app shows the step you go to.
      """)

  @Argument(
    help: "The log, or a folder of logs", completion: .log)
  var log: String?

  @Option(
    help: ArgumentHelp(
      "The running app to attach to, by its name or process ID", valueName: "app"))
  var attach: String?

  @OptionGroup(title: "The running app")
  var place: AppPlaceOptions

  @OptionGroup
  var app: AppOptions

  @Flag(help: "Open the page in the browser")
  var open = false

  @Option(help: ArgumentHelp("The port to listen on; 0 picks one that is free", valueName: "n"))
  var port: UInt16 = 0

  func validate() throws {
    try AppPlaceOptions.check(name: attach)
    guard attach == nil || !place.isNetwork else {
      throw ValidationError("--attach names an app of this machine; remove --listen or --connect")
    }
    guard place.container == nil || attach != nil else {
      throw ValidationError("--container needs --attach")
    }
    guard (log == nil) == (attach == nil && !place.isNetwork) else { return }
    throw ValidationError(
      log == nil
        ? "Missing expected argument '<log>'; or name a running app with --attach"
        : "--attach shows the log of the app; remove the other log")
  }

  func run() throws {
    Self.unblockEndings()
    let printer = Printer(RunningCommand())
    try printer.run { try serve(printer) }
  }

  private func serve(_ printer: Printer) throws -> Int32 {
    let live =
      attach == nil && !place.isNetwork
      ? nil
      : try LiveConnection.attached(
        to: place.address(attach), tell: printer.tellRaw,
        isCancelled: { [command = printer.command] in command.isInterruptedWaiting })
    printer.command.clear()
    live?.inspector?.closeToOthers()
    let attached = try live.map { app throws(CommandError) in
      try AttachedLog(of: app, container: place.container)
    }
    for remark in attached?.remarks ?? [] { try printer.complain("note", remark) }
    let log = attached?.path ?? log ?? ""
    let list = { @Sendable () throws(CommandError) in
      try live == nil ? LogCollection.paths([log]) : [log]
    }
    let input = LogInput(Services(printer.command))
    let (first, file) = try Self.firstOpened(of: list(), input)
    let opened = Monitor<LogFile?>(file)
    let token = AccessToken(byteCount: 32).text
    var services = Services()
    services.invocation = CommandLine.invocation
    services.app = try app.replayApp(printer, live) { HostApp(executable: $0) }
    services.live = live
    let server = PageServer(token: token, program: ProgramVersion.name, services: services) {
      () throws(CommandError) in
      try list().map { path in
        PageServer.Source(name: Self.name(of: path, in: log), path: path) {
          () throws(LogError) in
          if path.hasSameBytes(as: first), let file = opened.withLock({ $0.take() }) { return file }
          return try input.opened(path)
        }
      }
    }
    let listener: NetworkListener
    do throws(SystemError) {
      listener = try NetworkListener(NetworkAddress(port: port))
    } catch {
      throw CommandError(error, "cannot listen on port \(port)")
    }
    server.listen(on: listener.address.port)
    let clients = ClientServer(listener, limit: Self.largestCount) { client in
      PageConnection(client: client, server: server).run()
    }
    let address = "http://\(listener.address)/#token=\(token)"
    try printer.tell(address)
    let redirect = open ? try BrowserPage(address) : nil
    defer { redirect?.remove() }
    if let problem = redirect?.open() { try printer.complain("note", problem) }
    while !printer.command.isInterrupted { clients.acceptNext(milliseconds: 50) }
    if let failure = attached?.failure { try printer.complain("error", failure) }
    if let place = try attached?.close() { try printer.complain("note", place) }
    return 0
  }

  /// Opens the first log that can be opened.
  ///
  /// - Throws: `CommandError` if none can be, before there is a server.
  private static func firstOpened(
    of paths: [String], _ input: LogInput
  ) throws(CommandError) -> (path: String, file: LogFile) {
    var failure: CommandError?
    for path in paths {
      do {
        return (path, try input.open(path))
      } catch {
        let error = CommandError(opening: error)
        if error.code == .cancelled { throw error }
        failure = failure ?? error
      }
    }
    throw failure ?? CommandError(.file, "there is no log")
  }

  /// The number of connections at a time; a tab has up to seven.
  private static let largestCount = 128

  /// Lets Ctrl-C and a request to terminate end the server, also if the process that started it had blocked them.
  private static func unblockEndings() {
    var endings = sigset_t()
    // The set is a local that outlives the calls.
    unsafe sigemptyset(&endings)
    unsafe sigaddset(&endings, SIGINT)
    unsafe sigaddset(&endings, SIGTERM)
    unsafe pthread_sigmask(SIG_UNBLOCK, &endings, nil)
  }

  /// The name of a log: its path in the folder that is served, or its last component.
  private static func name(of path: String, in log: String) -> String {
    let folder = log.hasSuffix("/") ? log : log + "/"
    return path.hasPrefix(folder)
      ? String(path.dropFirst(folder.count)) : URL(filePath: path).lastPathComponent
  }
}
