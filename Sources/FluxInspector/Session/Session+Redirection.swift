import FluxLog

extension Session {
  /// Sends what a command answers to a file or to a shell command: what would have been written
  /// otherwise, without colours.
  ///
  /// - Returns: What is said instead.
  mutating func redirect(
    _ answer: any Answer, of line: String, to redirection: Redirection
  ) throws -> any Answer {
    let output = CommandOutput(
      command: line, position: stepNumber, outcome: .success(answer))
    let format = settings.format.format()
    switch redirection {
    case .file(let path):
      let byteCount = try write(output, as: format, to: path)
      notes.append("\(byteCount) bytes written to \(path)")
      return FileAnswer(path: path, byteCount: byteCount, exitCode: answer.exitCode)
    case .pipe(let command):
      let result = try services.shell.run(command, capturesOutput: settings.format != .text) {
        try format.write(output, to: ByteSink($0), diagnostics: ByteSink { _ in })
      }
      try result.requireSuccess(of: command)
      return ShellAnswer(result: result, exitCode: answer.exitCode)
    }
  }

  private func write(
    _ output: CommandOutput, as format: any OutputFormat, to path: String
  ) throws -> Int {
    guard path != log.path else {
      throw CommandError(.file, "\(path) is the log itself, which is never written")
    }
    var byteCount = 0
    try services.files.write(path, log: log.path, replacesExisting: true) { write in
      let sink = ByteSink { bytes in
        byteCount += bytes.count
        try write(bytes)
      }
      try format.write(output, to: sink, diagnostics: ByteSink { _ in })
    }
    return byteCount
  }
}

extension ShellResult {
  /// A shell command that fails is a command that fails.
  func requireSuccess(of command: String) throws(CommandError) {
    guard status != 0 else { return }
    throw CommandError(.shell, "the shell command ended with status \(status): \(command)")
  }
}
