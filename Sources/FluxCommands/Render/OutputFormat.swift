public import FluxInspector
public import FluxJSON
import FluxLog

/// The output of one command line.
public struct CommandOutput: Sendable {
  /// The command line, without blanks around it.
  public let command: String
  /// The number of the current step afterwards; nil before a step 0.
  public let position: UInt64?
  /// Remarks that are no result.
  public internal(set) var notes: [String]
  /// The way in which the command ends the session; nil if the session goes on.
  public internal(set) var ending: Ending?
  /// The reason why the command failed; nil if it did not.
  public internal(set) var error: CommandError?
  /// The exit code of a batch of this one command.
  ///
  /// Rows are computed while they are written, so it is final in the output that
  /// ``OutputFormat/write(_:to:diagnostics:)`` returns.
  public internal(set) var exitCode: Int32

  /// `true` if the command looked for a step, and there is none.
  var foundNothing: Bool {
    guard error == nil, exitCode == 1 else { return false }
    // Rows are those of 'find'; a comparison that found a difference found what it looked for.
    return result == nil || result is Move || result is Shrunk || result is Bisection
  }

  /// The value that the command returned; nil for an error, and for rows.
  public var result: (any CommandResult)? { error == nil ? reply?.result : nil }

  let reply: Reply?
  let work: Work
  private let timeline: Timeline
  private let hasApp: Bool
  /// The line of a batch file that holds the command, which errors name.
  private var place: (file: String, line: Int)?
  /// `false` if the text leaves out an error that occurs while rows are written, because a later output says it.
  var saysErrors = true

  init(
    command: String, position: UInt64?, _ outcome: Result<Reply, CommandError>,
    notes: [String] = [], ending: Ending? = nil, in session: Session
  ) {
    (self.command, self.position, self.ending) = (command, position, ending)
    (work, timeline) = (session.work, session.timeline)
    hasApp = session.services.app != nil
    switch outcome {
    case .success(let reply):
      (self.reply, error) = (reply, nil)
      self.notes = notes + reply.notes
      exitCode = reply.exitCode
    case .failure(let error):
      (reply, self.error) = (nil, error)
      self.notes = notes
      exitCode = error.exitCode
    }
    if case .code(let code) = ending { exitCode = code }
  }

  /// Takes in what became known while the reply was written.
  mutating func finish(_ end: ReplyEnd) {
    notes += end.notes
    guard let error = end.error else {
      if case .code = ending { return }
      // The output of a redirected command has the exit code of that command.
      exitCode = max(exitCode, end.exitCode)
      return
    }
    fail(error)
  }

  mutating func fail(_ error: any Error) {
    var error = CommandError(error, in: timeline, hasApp: hasApp)
    if let place { error = error.placed(in: place.file, line: place.line) }
    self.error = error
    exitCode = error.exitCode
  }

  /// Returns the output of a line of a file: its error names that line, also one that occurs while rows are written.
  package func placed(in file: String, line: Int) -> CommandOutput {
    var output = self
    output.place = (file, line)
    if let error { output.fail(error) }
    return output
  }

  /// The commands of the stop points that a move has reached.
  var stopCommands: [String] { (result as? Move)?.hits.flatMap(\.point.commands) ?? [] }

  /// Writes the reply as lines of text with their roles, for a front end that draws.
  ///
  /// `pass` receives the lines in pieces. The output is returned as by ``OutputFormat/write(_:to:diagnostics:)``.
  package func writeLines(_ pass: @escaping ([StyledLine]) throws -> Void) throws -> CommandOutput {
    try SinkFailure.unwrapping {
      var text = TextOutput(LineCollector(pass))
      return try writeReply(to: &text)
    }
  }

  /// Writes the reply as text; the output that is returned has what became known on the way.
  func writeReply(to text: inout TextOutput) throws -> CommandOutput {
    guard error == nil, let reply else { return self }
    var output = self
    do {
      output.finish(try reply.writeText(work, &text))
    } catch let failure as SinkFailure {
      throw failure
    } catch {
      output.fail(error)
      if !text.hasBegun { text.discard() }
    }
    try text.flush()
    return output
  }

  /// Returns the output of a command whose reply could not be shown.
  package func failing(_ error: any Error) -> CommandOutput {
    var output = self
    output.fail(error)
    return output
  }
}

/// The way in which a command ends the session.
public enum Ending: Sendable, Equatable {
  /// With the exit code of the commands so far.
  case plain
  /// With this exit code.
  case code(Int32)
}

/// A way to write the output of commands: for people, or for programs.
public protocol OutputFormat: Sendable {
  /// Writes the output of a command.
  ///
  /// - Parameters:
  ///   - output: The output of one command.
  ///   - results: Receives results, and nothing else: standard output, a file or a pipe.
  ///   - diagnostics: Receives everything else: standard error.
  /// - Returns: The output with its final exit code. It has an error if computing the rows failed on the way; the
  ///   error was written then.
  /// - Throws: The errors of the sinks.
  @discardableResult
  func write(
    _ output: CommandOutput, to results: ByteSink, diagnostics: ByteSink
  ) throws -> CommandOutput
}

/// The formats by name.
public enum OutputFormatName: String, Sendable, CaseIterable {
  /// Text for people.
  case text
  /// A JSON document of several lines for each command.
  case json
  /// A JSON document on one line for each command.
  case ndjson

  /// Returns the format.
  ///
  /// - Parameters:
  ///   - palette: The look of results as text.
  ///   - diagnostics: The look of everything else.
  ///   - screen: The terminal that text has to fit; nil for whole text.
  ///   - diagnosticsScreen: The terminal that messages have to fit; nil for whole messages.
  /// - Returns: The format.
  public func format(
    palette: Palette = .plain, diagnostics: Palette = .plain, screen: TextScreen? = nil,
    diagnosticsScreen: TextScreen? = nil
  ) -> any OutputFormat {
    switch self {
    case .text:
      TextFormat(
        palette: palette, diagnosticsPalette: diagnostics, screen: screen,
        diagnosticsScreen: diagnosticsScreen)
    case .json: JSONFormat(style: .pretty, diagnosticsPalette: diagnostics)
    case .ndjson: JSONFormat(style: .line, diagnosticsPalette: diagnostics)
    }
  }
}

/// Text for people: replies are results, notes and errors are diagnostics.
private struct TextFormat: OutputFormat {
  let palette: Palette
  let diagnosticsPalette: Palette
  let screen: TextScreen?
  let diagnosticsScreen: TextScreen?

  func write(
    _ output: CommandOutput, to results: ByteSink, diagnostics: ByteSink
  ) throws -> CommandOutput {
    try SinkFailure.unwrapping {
      var text = TextOutput(results, palette: palette, screen: screen)
      let output = try output.writeReply(to: &text)
      var remarks = TextOutput(
        diagnostics, palette: diagnosticsPalette, screen: diagnosticsScreen)
      try remarks.diagnose(
        notes: output.notes, error: output.saysErrors ? output.error : nil)
      try remarks.flush()
      return output
    }
  }
}

/// One JSON document for each command, in the envelope that programs expect:
/// `{"command","ok","position","result"}`, or `"error"` with `"code"`, `"message"` and `"hint"`.
private struct JSONFormat: OutputFormat {
  private struct Head: Encodable {
    let command: String
    let ok: Bool
    let position: StepNumber
  }

  let style: JSONStreamLayout.Style
  let diagnosticsPalette: Palette

  func write(
    _ output: CommandOutput, to results: ByteSink, diagnostics: ByteSink
  ) throws -> CommandOutput {
    try SinkFailure.unwrapping {
      var output = output
      var json = JSONOutput(results, style)
      do {
        try begin(output, &json)
        if output.error == nil, let reply = output.reply {
          try json.raw(",\"result\":")
          output.finish(try reply.writeJSON(output.work, &json))
        }
      } catch let failure as SinkFailure {
        throw failure
      } catch {
        output.fail(error)
        guard json.restart() else { throw error }
        try begin(output, &json)
      }
      if let error = output.error {
        try json.raw(",\"error\":")
        try json.value(CommandError.Members(error))
      }
      try json.raw("}")
      try json.finish()
      var text = TextOutput(diagnostics, palette: diagnosticsPalette)
      for note in output.notes { try text.line("note: \(note)") }
      try text.flush()
      return output
    }
  }

  private func begin(_ output: CommandOutput, _ json: inout JSONOutput) throws {
    try json.raw("{")
    _ = try json.members(
      of: Head(
        command: output.command, ok: output.error == nil, position: StepNumber(output.position)))
  }
}
