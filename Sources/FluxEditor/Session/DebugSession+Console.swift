import FluxCommands
import FluxInspector
import FluxJSON

// The console of the client: commands of the session, and values.
extension DebugSession {
  /// Runs a command, or evaluates a value.
  func evaluate(_ request: Request) throws {
    let arguments = try request.decoded(EvaluateArguments.self)
    let reader = try reader()
    guard arguments.context == "repl" else {
      return connection.respond(to: request, try reader.evaluate(arguments))
    }
    guard let console else { return }
    if !console.knowsCommand(of: arguments.expression) {
      do {
        return connection.respond(to: request, try reader.evaluate(arguments))
      } catch let error as RequestError where !error.isCancelled {
        guard let answer = try run(request, arguments, reader) else { throw error }
        return answer()
      }
    }
    guard let answer = try run(request, arguments, reader) else {
      return connection.respond(to: request, EvaluateBody(result: ""))
    }
    answer()
  }

  /// Runs a line in the console, where the frame is; returns what tells the client, or nil if there is no such
  /// command.
  private func run(
    _ request: Request, _ arguments: EvaluateArguments, _ reader: Reader
  ) throws -> (() -> Void)? {
    guard var console else { return nil }
    let position = console.session.position
    // A fork changes in place, so its steps are counted before.
    let counts = console.session.forks.forks.map { ($0.number, $0.stepCount) }
    let place = try reader.place(ofFrame: arguments.frameId)
    let output: CommandOutput?
    switch place {
    case .fork:
      console.session = try console.session.standing(at: place)
      output = console.run(arguments.expression)
    case .recording(let position):
      if console.session.currentFork != nil { _ = try console.session.switchToRecording() }
      output =
        position == console.session.position
        ? console.run(arguments.expression) : console.run(arguments.expression, at: position)
    }
    guard let output else { return nil }
    let isUnknown = output.error?.code == .usage && !console.knowsCommand(of: arguments.expression)
    guard !isUnknown else { return nil }
    let (text, end) = try output.text(console.settings)
    self.console = console
    return { [self] in
      if let error = end.error {
        connection.refuse(
          request, error.code == .cancelled ? .cancelled : RequestError(error.description))
      } else {
        connection.respond(to: request, EvaluateBody(result: text))
      }
      tellChanges(since: position, place, Dictionary(uniqueKeysWithValues: counts), end)
    }
  }

  /// Tells the client what a command has moved, made and ended.
  private func tellChanges(
    since position: Int, _ place: Place, _ old: [Int: Int], _ output: CommandOutput
  ) {
    guard let session = console?.session else { return }
    synchronize()
    for number in old.keys.sorted()
    where !session.forks.forks.contains(where: { $0.number == number }) {
      connection.tell(
        "thread", ThreadBody(reason: "exited", threadId: Place.thread(ofFork: number)))
    }
    for fork in session.forks.forks {
      guard let count = old[fork.number] else {
        // A fork that repeats steps stands at the first of them, to be stepped through.
        let isDispatched = output.result is Dispatched
        begin(
          fork.number, at: isDispatched ? fork.stepCount : min(1, fork.stepCount), reason: "entry")
        continue
      }
      guard count != fork.stepCount else { continue }
      let thread = Place.thread(ofFork: fork.number)
      published?.places[thread] = .fork(fork.number, fork.stepCount)
      stop(StoppedBody(reason: "step", threadId: thread))
    }
    if let move = output.result as? Move, move.fork == place.fork, session.place != place,
      place.fork != nil
    {
      published?.places[place.thread] = session.place
      report(move, place.thread)
    }
    if session.position != position {
      if let move = output.result as? Move {
        report(move, Place.recordingThread)
      } else {
        stop(StoppedBody(reason: "goto", threadId: Place.recordingThread))
      }
    }
    if output.ending != nil, phase.receive(.terminate) == .perform { terminate() }
  }

  /// Completes a line of the console.
  func complete(_ request: Request) throws {
    let arguments = try request.decoded(CompletionsArguments.self)
    let line = arguments.text
    // Columns count UTF-16 code units; candidates count Unicode scalars.
    let column = max(0, arguments.column &- format.firstColumn)
    let units = line.utf16
    let end = units.index(units.startIndex, offsetBy: column, limitedBy: units.endIndex)
    let before = line[..<(end ?? units.endIndex)]
    let cursor = before.unicodeScalars.count
    guard let found = console?.completions(ofValueOrCommand: line, cursor: cursor) else { return }
    let scalars = line.unicodeScalars
    let start = scalars.index(scalars.startIndex, offsetBy: min(found.start, cursor))
    let startColumn = units.distance(from: units.startIndex, to: start)
    connection.respond(
      to: request,
      CompletionsBody(
        targets: found.candidates.map { candidate in
          CompletionItem(
            label: candidate, start: startColumn + format.firstColumn,
            length: max(0, before.utf16.count - startColumn))
        }))
  }
}

extension Console {
  /// Returns the candidates at a place of a line that is a command, or else a value.
  fileprivate func completions(ofValueOrCommand line: String, cursor: Int) -> LineCompletions {
    let commands = completions(of: line, cursor: cursor)
    let written = line.unicodeScalars.prefix(cursor)
    guard !written.contains(" ") || !knowsCommand(of: line) else { return commands }
    let show = "print "
    let shown = completions(of: show + line, cursor: show.unicodeScalars.count + cursor)
    let values = LineCompletions(
      start: max(0, shown.start - show.unicodeScalars.count), candidates: shown.candidates)
    guard commands.start == values.start else {
      return commands.candidates.isEmpty ? values : commands
    }
    return LineCompletions(
      start: values.start, candidates: commands.candidates + values.candidates)
  }
}

extension CommandOutput {
  /// The output as text, cut off at the size of a large screen, and the output with its end.
  func text(_ settings: Settings) throws -> (String, CommandOutput) {
    let largest = 4 << 20
    var bytes: [UInt8] = []
    var isCut = false
    let sink = ByteSink { piece in
      if bytes.count + piece.count <= largest { bytes += piece } else { isCut = true }
    }
    let end = try settings.format.format().write(self, to: sink, diagnostics: sink)
    var text = String(decoding: bytes, as: UTF8.self)
    while text.hasSuffix("\n") { text.removeLast() }
    if isCut { text += "\n… the output is longer; write it to a file with > FILE" }
    return (text, end)
  }
}
