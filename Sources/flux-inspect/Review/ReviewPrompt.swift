import FluxCommands
import FluxCorpus
import FluxHost
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSubcommands
import FluxSystem
import FluxTerminal
import LineEditor

/// The questions of a review at a terminal, answered by single keys.
struct ReviewPrompt {
  let editor: LineEditor
  let printer: Printer
  let output: OutputOptions
  let replay: ReplayOptions

  /// The reason why the keys are not read for a while.
  private enum Pause { case ended, interrupted, session, differences }

  /// Asks about each log of each group; returns `false` if the review was interrupted.
  ///
  /// - Throws: `LostOutput` if the terminal cannot be written to.
  func run(_ review: inout Review) throws -> Bool {
    try show(review)
    while true {
      switch try readKeys(&review) {
      case .ended: return true
      case .interrupted: return false
      case .session: try open(review)
      case .differences: try showDifferences(review)
      }
    }
  }

  /// Decides by keys until one of them needs the terminal for something else.
  ///
  /// The terminal stays in one mode meanwhile, so that no Ctrl-C is lost between two keys.
  private func readKeys(_ review: inout Review) throws -> Pause {
    var pause = Pause.interrupted
    var failure: (any Error)?
    var current = review
    try printer.write(Array(current.question.printable.utf8))
    editor.readKeys { pressed in
      let isEnd = pressed == .control("c") || pressed == .control("d")
      var key: Unicode.Scalar?
      if case .character(let scalar) = pressed.name, pressed.modifiers.isEmpty { key = scalar }
      guard isEnd || key != nil else { return true }
      do {
        guard let found = try take(isEnd ? nil : key, &current) else { return true }
        pause = found
      } catch {
        failure = error
      }
      return false
    }
    review = current
    if let failure { throw failure }
    printer.command.begin()
    return pause
  }

  /// Takes a key, nil for Ctrl-C; returns nil to go on.
  private func take(_ key: Unicode.Scalar?, _ review: inout Review) throws -> Pause? {
    guard let key else {
      try printer.write(Array("^C\n".utf8))
      return .interrupted
    }
    try printer.write(Array("\(String(key).printable)\n".utf8))
    switch key {
    case "q": return .ended
    case "o": return .session
    case "d": return .differences
    case "?": try printer.write(Array(Review.keys.utf8))
    default: try decide(key, &review)
    }
    try printer.write(Array(review.question.printable.utf8))
    return nil
  }

  // MARK: Keys

  private func decide(_ key: Unicode.Scalar, _ review: inout Review) throws {
    let decisions: [Unicode.Scalar: Review.Decision] = [
      "a": .accepted, "r": .rejected, "s": .skipped,
    ]
    switch key {
    case "n", "p", "N", "P":
      let direction: Review.Direction = key == "n" || key == "N" ? .next : .previous
      let moved =
        key == "N" || key == "P" ? review.moveGroup(direction) : review.move(direction)
      guard moved else {
        return try printer.tell(
          direction == .next ? "this is the last one" : "this is the first one")
      }
    default:
      if let decision = decisions[key] {
        review.decide(decision)
      } else if let decision = decisions[Unicode.Scalar(key.value | 0x20) ?? key] {
        review.decideGroup(decision)
      } else {
        return try printer.tell("? lists the keys")
      }
      guard !review.isComplete else {
        return try printer.tell("\(review.summary); q ends the review")
      }
    }
    try show(review)
  }

  private func show(_ review: Review) throws {
    try printer.text(settings) { try review.write(to: &$0) }
  }

  /// Shows all differences of the log, in a pager if they are longer than the screen.
  private func showDifferences(_ review: Review) throws {
    let app = app
    var bytes: [UInt8] = []
    var output = TextOutput(
      ByteSink { bytes += $0 }, palette: printer.palette(of: .output, settings))
    do {
      let timeline = Timeline(
        try LogInput(Services(printer.command)).open(review.member.log))
      try timeline.log.waitForIndex()
      try review.writeDifferences(to: &output) { divergence in
        try timeline.differingStates(at: divergence, in: app)
      }
    } catch {
      // Whatever was found before is shown.
      try printer.complain("error", "\((error as? LogError)?.message ?? "\(error)")")
    }
    try output.flush()
    printer.command.clear()
    let pager = Pager(
      command: settings.usesPager ? PagerCommand(environment: printer.environment) : nil,
      size: TerminalSize(descriptor: 1, environment: printer.environment),
      environment: printer.environment)
    do {
      try pager.write(String(decoding: bytes, as: UTF8.self))
      try pager.finish()
    } catch {
      try printer.complain("error", error.description)
    }
  }

  /// Opens the log in a session at the step that diverged.
  private func open(_ review: Review) throws {
    var session: TerminalSession
    do {
      session = try TerminalSession(review.member.log, settings, printer)
    } catch let error as LostOutput {
      throw error
    } catch {
      return try printer.complain("error", CommandError(opening: error))
    }
    session.console.session.services.app = app
    try session.runInitFile(before: output)
    let divergence = review.member.divergences.first
    let position = divergence.map { $0.kind == .initial ? "start" : "\($0.step)" } ?? "start"
    guard try session.begin(at: position) == nil else { return }
    _ = try InteractiveShell(session, editor).run(follows: false)
    try show(review)
  }

  private var settings: Settings { output.settings }

  private var app: HostApp {
    let command = printer.command
    return replay.hostApp { command.isInterruptedWaiting }
  }
}
