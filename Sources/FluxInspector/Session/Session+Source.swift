extension Session {
  /// Files may run files; one that runs itself must end nevertheless.
  private static let deepestSource = 16

  /// Runs the commands of a file; each output is emitted as it comes.
  mutating func source(_ file: String) throws -> SourceAnswer {
    guard sourceDepth < Self.deepestSource else {
      throw CommandError(
        .file, "\(file): more than \(Self.deepestSource) files run each other",
        hint: "a file must not run itself")
    }
    let text = try services.files.read(file)
    sourceDepth += 1
    defer { sourceDepth -= 1 }
    var status = BatchStatus(keepsGoing: settings.keepsGoing)
    var count = 0
    var failure: CommandError?
    // By scalars: in characters, a carriage return and a line feed are one.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (offset, line) in lines.enumerated() {
      try checkInterruption()
      guard let output = run(String(line)) else { continue }
      count += 1
      try services.emit(output, settings)
      status.add(output)
      if let error = output.error, failure == nil {
        failure = error.located("\(file), line \(offset + 1)")
      }
      guard !status.isOver else { break }
    }
    notes = []
    if let failure { throw failure.exiting(with: status.exitCode) }
    return SourceAnswer(count: count, exitCode: status.exitCode)
  }
}

extension CommandError {
  /// The same, with the place of the command before the message.
  fileprivate func located(_ place: String) -> CommandError {
    CommandError(code, "\(place): \(message)", hint: hint, exitCode: exitCode)
  }

  fileprivate func exiting(with exitCode: Int32) -> CommandError {
    CommandError(code, message, hint: hint, exitCode: exitCode)
  }
}
