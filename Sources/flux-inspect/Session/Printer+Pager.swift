import FluxCommands
import FluxInspector
import FluxJSON
import FluxSubcommands
import FluxSystem
import FluxTerminal
import LineEditor

extension Printer {
  /// Writes an output to the terminal, through a pager if it is longer than the screen.
  ///
  /// Diagnostics follow after the user has left the pager.
  func print(
    _ output: CommandOutput, as format: any OutputFormat, in command: PagerCommand
  ) throws -> CommandOutput {
    let pager = Pager(
      command: command, size: TerminalSize(descriptor: 1, environment: environment),
      environment: environment)
    var diagnostics: [UInt8] = []
    var text = WholeCharacters()
    var output = output
    do {
      output = try format.write(
        output,
        to: ByteSink { bytes in
          // From here on the screen may be the pager's.
          self.command.hide()
          guard try pager.write(text.take(bytes)) else { throw PagerLeft() }
        }, diagnostics: ByteSink { diagnostics += $0 })
    } catch is PagerLeft {
      // Nobody wants the rest.
    } catch {
      try pager.finish()
      throw error
    }
    try pager.finish()
    try warn(diagnostics)
    return output
  }
}

extension PagerCommand {
  /// The pager of this machine, as the user has chosen it.
  init?(environment: [String: String]) {
    // The path is a string that lives until the end of the call.
    self.init(environment: environment) { unsafe access($0, X_OK) == 0 }
  }
}

/// The user has left the pager.
private struct PagerLeft: Error {}

/// Cuts bytes of UTF-8 that come in pieces where no character is torn.
private struct WholeCharacters {
  private var rest: [UInt8] = []

  /// Takes a piece; returns the text up to the last character that is surely whole.
  mutating func take(_ bytes: [UInt8]) -> String {
    rest += bytes
    let end = rest.lastIndex { $0 < 0x80 }.map { $0 + 1 } ?? 0
    defer { rest.removeFirst(end) }
    return String(decoding: rest[..<end], as: UTF8.self)
  }
}
