import ArgumentParser
import FluxCorpus
import FluxHost
import FluxInspector
import FluxLog
import FluxReplay
import FluxSubcommands
import FluxSystem

/// `flux-inspect attach [APP]`: a session with a running app.
struct AttachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach", abstract: "Open a session with a running app",
    discussion: """
      The app has to start an AppHost, as debug builds of the examples do. The session follows the log that \
      the app records; 'show', 'pause', 'resume', 'restore' and 'dispatch' reach the app itself. Without an \
      app, attaches to the only running one. With --listen, apps in simulators and on devices connect over \
      TCP; with --connect, the app listens. A log that this machine cannot open is copied. \
      docs/app-protocol.md explains who can attach, and how to turn attaching off.
      """)

  @Argument(
    help: ArgumentHelp(
      "The app's name or process ID (default: the only running app)",
      valueName: "app"))
  var name: String?

  @Flag(help: "List the running apps, then exit")
  var list = false

  @Option(
    help: ArgumentHelp(
      "Keep a copy of the app's log in this file, and its segments next to it", valueName: "file"),
    completion: .file())
  var keep: String?

  @Flag(help: "With --listen, wait for one app only, not for its next start")
  var once = false

  @OptionGroup(title: "The app")
  var place: AppPlaceOptions

  @OptionGroup
  var app: AppOptions

  @OptionGroup
  var session: SessionArguments

  @OptionGroup(title: "Output")
  var output: OutputOptions

  func validate() throws {
    try AppPlaceOptions.check(name: name)
    guard name == nil || !place.isNetwork else {
      throw ValidationError("--listen and --connect take no name; the app that connects is the one")
    }
    guard !list || name == nil else {
      throw ValidationError("--list lists all running apps; remove the name")
    }
    guard !list || !place.isNetwork else {
      throw ValidationError("--list lists apps of this machine; remove --listen or --connect")
    }
    guard !once || place.listen != nil else { throw ValidationError("--once needs --listen") }
  }

  func run() throws {
    try list ? printList() : attach()
  }

  private func printList() throws {
    let printer = Printer(RunningCommand())
    let command = printer.command
    defer { command.clear() }
    try printer.run {
      let apps = try RunningApps(
        in: try LiveFolder.searched(place.container),
        isCancelled: { command.isInterruptedWaiting },
        tell: { try printer.complain("note", $0) })
      var results = printer.subcommandOutput(output.settings)
      let subcommand = Subcommand.runningApps(apps.all.map(\.running), problems: apps.problems)
      return try subcommand.run(with: Services(command), to: &results)
    }
  }

  private func attach() throws {
    let run = try SessionRun(session, app, output)
    defer { run.close() }
    let command = run.printer.command
    try run.printer.run {
      let first = try LiveConnection.attached(
        to: place.address(name), tell: run.printer.tellRaw,
        isCancelled: { command.isInterruptedWaiting })
      command.clear()
      let inspector = first.inspector
      if once { inspector?.closeToOthers() }
      var running: LiveConnection? = first
      var code: Int32 = 0
      var kept = keep
      // Another app, or the same one started again, may have connected during the session.
      while let current = running {
        let log: AttachedLog
        do throws(CommandError) {
          log = try AttachedLog(of: current, keeping: kept, container: place.container)
        } catch {
          guard let inspector, !once, current.ending == .gone else { throw error }
          try run.printer.complain(
            "note",
            "the connection to \(current.name) was lost before its log was here; waiting for the app"
          )
          inspector.forget(current)
          // The part that is here stays, as it may be all that there will be of that log.
          kept = keep.map { SystemFiles().exists($0) ? LogCopy.nextPath(beside: $0) : $0 }
          running = inspector.next(isCancelled: { command.isInterruptedWaiting }, refused: { _ in })
          guard running != nil else { throw CommandError.cancelled }
          continue
        }
        for remark in log.remarks { try run.printer.complain("note", remark) }
        code = try run.run(log.path, follows: true, live: current, attached: log)
        if let place = try log.close() { try run.printer.complain("note", place) }
        // Its log is another one.
        kept = keep.map(LogCopy.nextPath(beside:))
        running =
          inspector?.waiting == nil
          ? nil
          : inspector?.next(isCancelled: { command.isInterruptedWaiting }, refused: { _ in })
      }
      return code
    }
  }
}
