import ArgumentParser
package import FluxCommands
package import FluxCorpus
package import FluxInspector
package import FluxJSON
import FluxSystem
import FluxTerminal
import Foundation

/// Writes outputs: results to standard output, all the rest to standard error.
package struct Printer: Sendable {
  /// The environment, in which colours are asked for or forbidden.
  package let environment = ProcessInfo.processInfo.environment
  /// The running command, whose progress is cleared before each write.
  package let command: RunningCommand
  /// Writes an output through a pager; `nil` if nobody reads at a terminal.
  package var page: (@Sendable (Printer, CommandOutput, any OutputFormat) throws -> CommandOutput)?

  package init(_ command: RunningCommand) {
    self.command = command
  }

  /// Runs a command, which returns the code to end with, and complains about its error.
  ///
  /// - Throws: `ExitCode` unless the code is 0, and every error of `body` other than `CommandError`.
  package func run(_ body: () throws -> Int32) throws {
    let code: Int32
    do {
      code = try body()
    } catch let error as CommandError {
      try complain("error", error)
      code = error.exitCode
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// Writes the output of a command.
  ///
  /// Rows are computed while they are written. The output that is returned has an error if that failed on the way.
  ///
  /// - Throws: ``LostOutput`` if a stream cannot be written to, and the error of a pager that cannot run.
  @discardableResult
  package func print(_ output: CommandOutput, _ settings: Settings) throws -> CommandOutput {
    let format = settings.format.format(
      palette: palette(of: .output, settings),
      diagnostics: palette(of: .error, settings), screen: screen,
      diagnosticsScreen: StandardStream.error.isTerminal ? screen : nil)
    if settings.usesPager, let page { return try page(self, output, format) }
    return try format.write(
      output, to: ByteSink { try write($0) }, diagnostics: ByteSink { try warn($0) })
  }

  /// Writes a remark on one line to standard error.
  package func complain(_ kind: String, _ message: String) throws {
    try warn(Array("\(kind): \(message.printable)\n".utf8))
  }

  /// Writes an error to standard error, with its hint on a separate line.
  package func complain(_ kind: String, _ error: CommandError) throws {
    let hint = error.advice.map { "hint: \($0.printable)\n" } ?? ""
    try warn(Array("\(kind): \(error.message.printableLines())\n\(hint)".utf8))
  }

  /// Writes a line to standard output that is not a result, for a session with a prompt.
  package func tell(_ message: String) throws {
    var text = TextOutput(ByteSink { try write($0) }, screen: screen)
    try SinkFailure.unwrapping {
      try text.wrapped(message.printable)
      try text.flush()
    }
  }

  package func subcommandOutput(_ settings: Settings) -> SubcommandOutput {
    SubcommandOutput(
      settings.format, results: ByteSink { try write($0) }, diagnostics: ByteSink { try warn($0) },
      isTerminal: StandardStream.output.isTerminal,
      palette: palette(of: .output, settings),
      diagnosticsPalette: palette(of: .error, settings))
  }

  /// The terminal that results are written to; nil if they go elsewhere, or to one that can only print.
  private var screen: TextScreen? {
    guard StandardStream.output.isTerminal, environment.namesFullTerminal else { return nil }
    let size = TerminalSize(descriptor: 1, environment: environment)
    return TextScreen(columns: size.columns, rows: size.rows) { ColumnWidth.of($0) }
  }

  /// Writes bytes that are safe for a terminal to standard output.
  package func write(_ bytes: [UInt8]) throws {
    command.clear()
    try StandardStream.output.write(bytes)
  }

  /// Writes bytes that are safe for a terminal to standard error.
  package func warn(_ bytes: [UInt8]) throws {
    command.clear()
    try StandardStream.error.write(bytes)
  }

  package func palette(of stream: StandardStream, _ settings: Settings) -> Palette {
    usesColor(settings, on: stream) ? .ansi : .plain
  }

  package func usesColor(_ settings: Settings, on stream: StandardStream = .output) -> Bool {
    settings.color.isUsed(environment: environment, isTerminal: stream.isTerminal)
  }

  /// Appends to the file that GitHub Actions names and has created; elsewhere there is none.
  ///
  /// - Throws: `CommandError` if it cannot be written.
  func appendSummary(_ summary: String) throws(CommandError) {
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    do throws(SystemError) {
      let file = try Descriptor(openingOrCreating: path, O_WRONLY | O_APPEND)
      if let failure = file.write(Array(summary.utf8)).failure { throw failure }
    } catch {
      throw CommandError(error, "cannot write the step summary \(path)")
    }
  }
}

extension JSON {
  /// The value on several lines, each with its end, safe for a terminal.
  package var printedLines: String { (pretty() + "\n").printableLines(as: .json) }

  /// The value on a line with its end, safe for a terminal.
  package var printedLine: String { description.printable(as: .json) + "\n" }
}
