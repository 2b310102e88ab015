public import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

/// A session that is driven by command lines: a line goes in, an output comes out.
///
/// A value without a terminal. Whatever it needs of the world is among the `Services` of its session.
///
/// ```swift
/// var console = Console(Session(try LogFile.open("todo.jsonl")))
/// let output = console.run("goto 5")
/// ```
public struct Console: Sendable {
  /// The session that the commands work on.
  public var session: Session
  /// The settings, which `set` changes.
  public var settings = Settings() {
    didSet { (session.timeout, session.identities) = (settings.timeout, settings.identities) }
  }
  /// Writes the outputs of a command before it ends, with the settings, and returns what ``OutputFormat`` returns.
  ///
  /// These are the outputs of the commands of a sourced file, and the steps that `play` passes.
  public var emit: @Sendable (CommandOutput, Settings) throws -> CommandOutput = Console.discard {
    didSet { runsStopCommands = true }
  }

  /// Shows the session on the whole screen; nil without a terminal.
  public var browser: (any BrowseService)?

  /// `true` if the output of a command can go to a file or a shell command.
  package var redirects = true

  let registry: CommandRegistry
  var userAliases: [String: String] = [:]
  var notes: [String] = []
  var ending: Ending?
  /// The commands so far.
  private(set) var pastCommands = PastCommands()
  /// The files that are being sourced by each other.
  var sourcedFiles: [String] = []
  private var lastNavigation: String?
  /// `true` if the commands of stop points run: if their outputs go anywhere.
  private var runsStopCommands = false

  /// Begins with a session.
  public init(_ session: Session) { self.init(session, registry: .standard) }

  /// Begins with a session, and with commands other than the inspector's own.
  package init(_ session: Session, registry: CommandRegistry) {
    self.session = session
    self.registry = registry
    settings.timeout = session.timeout
  }

  /// Runs an output to its end, and shows nothing of it.
  public static let discard: @Sendable (CommandOutput, Settings) throws -> CommandOutput = {
    output, _ in
    try OutputFormatName.ndjson.format().write(
      output, to: ByteSink { _ in }, diagnostics: ByteSink { _ in })
  }

  // MARK: Running

  /// Runs one command line, and the commands of the stop points that it reaches.
  ///
  /// - Returns: The output of the last command, after all others were emitted; nil for a line that is empty or begins
  ///   with `#`.
  public mutating func run(_ line: String) -> CommandOutput? {
    guard let output = runAlone(line) else { return nil }
    guard runsStopCommands else { return output }
    let navigation = lastNavigation
    defer { lastNavigation = navigation }
    return runStopCommands(after: output)
  }

  /// Runs the commands of the stop points that a move has reached, up to the first one that moves or fails.
  ///
  /// A command that moves can reach stop points in turn.
  private mutating func runStopCommands(after output: CommandOutput) -> CommandOutput {
    var output = output
    var lines = output.stopCommands[...]
    while let line = lines.popFirst(), output.error == nil, output.ending == nil {
      do {
        output = try emit(output, settings)
        try session.checkInterruption()
      } catch {
        return output.failing(error)
      }
      guard let next = runAlone(line) else { continue }
      output = next
      if next.result is Move || next.result is FluxInspector.Bisection {
        lines = next.stopCommands[...]
      }
    }
    return output
  }

  /// Runs one command line of a batch.
  ///
  /// A test is not written after a search that found nothing: it would be about another step than the one that was meant.
  ///
  /// - Returns: As ``run(_:)``.
  public mutating func run(_ line: String, in status: BatchStatus) -> CommandOutput? {
    guard let search = status.failedSearch, !status.keepsGoing, isTest(line) else {
      return run(line)
    }
    let error = CommandError(
      .notFound, "test: nothing is written, because '\(search.printable)' found nothing",
      note: "--keep-going writes a test nevertheless", exitCode: 1)
    return output(of: CommandLine.trimmed(line), .failure(error))
  }

  private func isTest(_ line: String) -> Bool {
    do throws(CommandError) {
      let line = CommandLine.trimmed(line)
      return try CommandLine(line, registry.table, aliases: userAliases).command.name == "test"
    } catch {
      return false
    }
  }

  private mutating func runAlone(_ line: String) -> CommandOutput? {
    // Some editors write a byte order mark, which is a part of the first line of a file.
    let line = CommandLine.trimmed(String(line.unicodeScalars.drop { $0 == "\u{FEFF}" }))
    guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
    notes = []
    ending = nil
    lastNavigation = nil
    pastCommands.append(line)
    do throws(LogError) {
      try session.catchUp()
    } catch {
      // The log of a running app was cut off or cannot be read. 'quit' and 'resume' need none of it.
      notes.append(error.message)
    }
    let outcome: Result<Reply, CommandError>
    do {
      let position = session.position
      let reply = try reply(to: line)
      outcome = .success(reply.adding(try session.showMove(from: position).map(\.line)))
    } catch {
      outcome = .failure(CommandError(error, in: session))
    }
    return output(of: line, outcome, notes: notes, ending: ending)
  }

  /// Runs one command line at another position of the recording.
  ///
  /// The session stays where it is, unless the command moves.
  ///
  /// - Returns: As ``run(_:)``.
  public mutating func run(_ line: String, at position: Int) -> CommandOutput? {
    let jumps = session.jumps
    session.jumps = JumpHistory(start: position)
    let output = run(line)
    let end = session.position
    session.jumps = jumps
    if end != position { session.jumps.append(end) }
    return output
  }

  /// Returns `true` if a line has an open bracket, so that what is typed next continues it.
  public static func isOpen(_ line: String) -> Bool { CommandLine.isOpen(line) }

  /// Returns `true` if a line begins with the name of a command, an alias, or the only one that begins so.
  public func knowsCommand(of line: String) -> Bool {
    let name = CommandLine.name(in: CommandLine.trimmed(line))
    guard registry.table.exactly(name) == nil, userAliases[name] == nil else { return true }
    do throws(CommandError) {
      _ = try registry.table.command(named: name)
      return true
    } catch {
      return false
    }
  }

  /// Repeats the navigation that the last command was, as an empty line does at a prompt; nil if it was none.
  public mutating func repeatNavigation() -> CommandOutput? {
    lastNavigation.flatMap { run($0) }
  }

  private mutating func reply(to line: String) throws -> Reply {
    let commandLine = try parsed(line)
    let command = commandLine.command
    try checkTarget(of: commandLine)
    let reply = try registry.command(command).run(commandLine.arguments, &self)
    // A pipe that fails does not take back a move.
    if command.isNavigation { lastNavigation = line }
    guard let redirection = commandLine.redirection else { return reply }
    return try redirect(reply, of: line, to: redirection)
  }

  /// Takes a line apart; a path alone is an error that says how to show it.
  private func parsed(_ line: String) throws(CommandError) -> CommandLine {
    do throws(CommandError) {
      return try CommandLine(line, registry.table, aliases: userAliases)
    } catch {
      let name = CommandLine.name(in: line)
      guard error.code == .usage, error.message.hasPrefix("no command \(name)"),
        let path = pathMeant(by: name)
      else { throw error }
      throw CommandError(
        .usage, "no command \(name)", hint: "to show what a path selects: print \(path)")
    }
  }

  /// The path that a word stands for; nil if it does not look like one.
  ///
  /// Only what cannot be a mistyped command is looked for in the states.
  private func pathMeant(by word: String) -> String? {
    let path = Path.translated(word)
    let first = String(path.prefix { $0 != "." && $0 != "[" })
    if session.log.storeNames.contains(first) { return path }
    if first == "payload" { return "$.action.\(path)" }
    guard first != path, Path(ofCommand: path) != nil,
      let place = session.timeline.place(ofMember: first)
    else { return nil }
    return place + path.dropFirst(first.count)
  }

  private func output(
    of line: String, _ outcome: Result<Reply, CommandError>, notes: [String] = [],
    ending: Ending? = nil
  ) -> CommandOutput {
    CommandOutput(
      command: line, position: session.stepNumber, outcome, notes: notes, ending: ending,
      in: session)
  }

  /// Shows people a step that a command passes before it ends; programs get one document for each command.
  func emitPassed(_ move: Move, of command: String) throws {
    guard settings.format == .text else { return }
    let passed = CommandOutput(
      command: command, position: move.step.value, .success(.move(move)), in: session)
    _ = try emit(passed, settings)
  }

  // MARK: Redirections

  /// The size of redirected output: `{"file","bytes"}`; a note says so as text.
  private struct RedirectedOutput: CommandResult {
    let file: String
    let bytes: Int
  }

  /// Refuses a line before it runs: `> FILE` of a file that exists or without files, and what looks like it behind an
  /// expression.
  private func checkTarget(of line: CommandLine) throws(CommandError) {
    guard redirects || line.redirection == nil else {
      throw CommandError(
        .usage, "there are no files and no shell here, so '|' and '>' lead nowhere")
    }
    switch line.redirection {
    case .file(let path), .replacement(let path):
      try session.services.files.protect(session.log.path, from: path)
    case .pipe, nil: break
    }
    if case .file(let path) = line.redirection, session.services.files.exists(path) {
      throw CommandError(
        .exists, "\(path) already exists", hint: "to replace it: >! \(path)")
    }
    guard line.command.arguments == .expression, let name = line.arguments.comparedName,
      !session.log.storeNames.contains(name.store)
    else { return }
    // A relative path such as ./out begins with no name.
    let reason =
      name.store.isEmpty ? "\(name.text) is not a path" : "there is no store \(name.store)"
    throw CommandError(
      .usage, "here '>' compares, and \(reason)",
      hint: redirects ? "to write to a file: >! \(name.text), or | cat > \(name.text)" : nil)
  }

  /// Writes a reply to a file or to a shell command, without colors.
  private mutating func redirect(
    _ reply: Reply, of line: String, to redirection: Redirection
  ) throws -> Reply {
    let format = settings.format.format()
    var output = output(of: line, .success(reply))
    func write(_ bytes: @escaping ([UInt8]) throws -> Void) throws {
      output = try format.write(output, to: ByteSink(bytes), diagnostics: ByteSink { _ in })
      if let error = output.error { throw error }
    }
    switch redirection {
    case .file(let path), .replacement(let path):
      let replacesExisting = redirection == .replacement(path)
      var byteCount = 0
      try session.services.files.write(
        path, log: session.log.path, replacesExisting: replacesExisting
      ) { file in
        try write { bytes in
          byteCount += bytes.count
          try file(bytes)
        }
      }
      return Reply(RedirectedOutput(file: path, bytes: byteCount)) { _, _ in }
        .adding(
          output.notes + ["\(byteCount) bytes written to \(path)"], exitCode: output.exitCode)
    case .pipe(let command):
      let result = try session.services.shell.run(
        command, capturesOutput: settings.format != .text
      ) { try write($0) }
      try result.requireSuccess(of: command)
      return Reply(result) { _, _ in }.adding(output.notes, exitCode: output.exitCode)
    }
  }
}
