package import FluxCommands
package import FluxInspector
package import FluxJSON
package import FluxLog

/// The work of a subcommand for scripts and CI: it reads logs and writes its findings, without a console.
package struct Subcommand: Sendable {
  /// Does the work, for which it uses interruption and progress and no other service; returns the exit code.
  ///
  /// It throws `CommandError`, and errors of the log and of the output.
  let perform: @Sendable (_ services: Services, _ output: inout SubcommandOutput) throws -> Int32

  /// Does the work, and writes the error that prevents it; returns the exit code.
  ///
  /// - Throws: Errors of the output.
  package func run(with services: Services, to output: inout SubcommandOutput) throws -> Int32 {
    let code: Int32
    do {
      code = try perform(services, &output)
    } catch let failure as SinkFailure {
      throw failure.cause
    } catch let error as CommandError {
      code = try output.fail(error)
    } catch let error as LogError {
      code = try output.fail(CommandError(.unreadable, error.message))
    } catch let error as QueryError {
      code = try output.fail(CommandError(.usage, error))
    }
    try SinkFailure.unwrapping { try output.flush() }
    return code
  }
}

extension Session {
  /// Opens a log for a subcommand, and waits for its index.
  static func opened(_ path: String, with services: Services) throws -> Session {
    let session = Session(try services.open(path), services: services)
    try session.waitForIndex()
    return session
  }

  /// `true` if the index knows of a damaged line.
  var isDamaged: Bool {
    log.findings.contains { $0.problem.isDamage } || log.hasPatchAfterGap()
  }
}

/// The output of a subcommand: results, and everything else.
package struct SubcommandOutput {
  let format: OutputFormatName
  /// `true` if results go to a terminal, which obeys control characters.
  let isTerminal: Bool
  private let palette: Palette
  private var results: ByteSink
  private var diagnostics: TextOutput

  package init(
    _ format: OutputFormatName, results: ByteSink, diagnostics: ByteSink,
    isTerminal: Bool = false, palette: Palette = .plain, diagnosticsPalette: Palette = .plain
  ) {
    self.format = format
    self.isTerminal = isTerminal
    self.palette = palette
    self.results = results
    self.diagnostics = TextOutput(diagnostics, palette: diagnosticsPalette)
  }

  /// Writes one result, as text or one JSON value; returns its exit code.
  ///
  /// - Throws: The error that ended the rows of the result, and errors of the output.
  @discardableResult
  mutating func write(_ reply: Reply, _ work: Work = Work()) throws -> Int32 {
    // The reply writes to a copy of the sink.
    try results.flush()
    let end: ReplyEnd
    switch format {
    case .text:
      var text = TextOutput(results, palette: palette)
      end = try reply.writeText(work, &text)
      try text.flush()
    case .json, .ndjson:
      var json = JSONOutput(results, format == .json ? .pretty : .line)
      end = try reply.writeJSON(work, &json)
      try json.finish()
    }
    if let error = end.error { throw error }
    return end.exitCode
  }

  /// Writes one line as it is.
  mutating func write(line: [UInt8]) throws {
    results.append(line)
    results.append(UInt8(ascii: "\n"))
    try results.drain()
  }

  mutating func note(_ text: String) throws {
    diagnostics.write("note: ", .heading)
    try diagnostics.line(text)
  }

  /// Writes a remark if the end of a log is truncated.
  mutating func note(ofTornEnd log: LogFile) throws {
    if let sentence = log.tornEnd { try note(sentence) }
  }

  mutating func fail(_ error: CommandError) throws -> Int32 {
    try diagnostics.diagnose(notes: [], error: error)
    return error.exitCode
  }

  mutating func flush() throws {
    try results.flush()
    try diagnostics.flush()
  }
}

extension LogFile {
  /// A remark on a truncated last line; nil if there is none, as far as the log is indexed.
  package var tornEnd: String? {
    isTorn ? "\(path): the last line is truncated, and left out" : nil
  }
}
