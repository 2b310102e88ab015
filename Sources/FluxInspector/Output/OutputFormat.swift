/// How the output of commands is written: for people, or for programs.
public protocol OutputFormat: Sendable {
  /// Writes what a command gives.
  ///
  /// - Parameters:
  ///   - output: The output of one command.
  ///   - results: Gets results, and nothing else: standard output, a file or a pipe.
  ///   - diagnostics: Gets all the rest: standard error.
  /// - Throws: What a sink or the reading of a log throws.
  func write(_ output: CommandOutput, to results: ByteSink, diagnostics: ByteSink) throws
}

/// The formats by their names.
public enum OutputFormatName: String, Sendable, CaseIterable {
  /// Text for people.
  case text
  /// A JSON document of several lines for each command.
  case json
  /// A JSON document on one line for each command.
  case ndjson

  /// The format.
  ///
  /// - Parameters:
  ///   - palette: How results look as text.
  ///   - diagnostics: How all the rest looks.
  /// - Returns: What writes outputs.
  public func format(
    palette: Palette = .plain, diagnostics: Palette = .plain
  ) -> any OutputFormat {
    switch self {
    case .text: TextFormat(palette: palette, diagnosticsPalette: diagnostics)
    case .json: JSONFormat(style: .pretty, diagnosticsPalette: diagnostics)
    case .ndjson: JSONFormat(style: .line, diagnosticsPalette: diagnostics)
    }
  }
}
