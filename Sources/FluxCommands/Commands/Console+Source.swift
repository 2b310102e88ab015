import FluxInspector
import FluxSystem

extension Console {
  /// Files may source files; one that sources itself by other paths must end nevertheless.
  private static let deepestSource = 16

  /// Runs the commands of a file; emits the output of each.
  ///
  /// - Returns: The number of commands, and the exit code of the last ones.
  mutating func source(_ file: String) throws -> (count: Int, exitCode: Int32) {
    guard !sourcedFiles.contains(file) else {
      throw CommandError(
        .file, "\(file.printable) is already being sourced",
        hint: "a file must not source itself, nor a file that sources it")
    }
    guard sourcedFiles.count < Self.deepestSource else {
      throw CommandError(
        .file, "\(file): more than \(Self.deepestSource) files source each other",
        hint: "a file must not source itself")
    }
    let text = try session.services.files.read(file)
    sourcedFiles.append(file)
    defer { sourcedFiles.removeLast() }
    var status = BatchStatus(keepsGoing: settings.keepsGoing)
    var count = 0
    var failure: CommandError?
    // By scalars: in characters, a carriage return and a line feed are one.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (offset, line) in lines.enumerated() {
      try session.checkInterruption()
      guard var output = run(String(line), in: status) else { continue }
      count += 1
      if output.error != nil, settings.format == .text, !settings.keepsGoing {
        // People read the error once, with its place: as that of 'source'.
        var silent = output
        silent.error = nil
        _ = try emit(silent, settings)
      } else {
        output.saysErrors = settings.format != .text || settings.keepsGoing
        output = try emit(output, settings)
      }
      status.add(output)
      if let error = output.error, failure == nil {
        failure = error.placed(in: file, line: offset + 1)
      }
      guard !status.isOver else { break }
    }
    notes = []
    if let failure {
      throw CommandError(
        failure.code, lines: failure.message, note: failure.note, exitCode: status.exitCode)
    }
    return (count, status.exitCode)
  }
}

/// The exit code of a batch of commands, and whether it is over.
public struct BatchStatus: Sendable {
  /// `true` if the batch continues after a command that failed.
  public let keepsGoing: Bool
  /// The exit code so far.
  public private(set) var exitCode: Int32 = 0
  /// `true` if a command failed, or ended the session.
  public private(set) var isOver = false
  /// The first command that found nothing: a search, or a move to something.
  public private(set) var failedSearch: String?

  /// Begins a batch.
  public init(keepsGoing: Bool) { self.keepsGoing = keepsGoing }

  /// Adds the output of a command, as it was written.
  ///
  /// A batch stops at the first command that fails, and exits with its code; one that keeps going exits with the
  /// largest code. No match is a code, not a failure.
  public mutating func add(_ output: CommandOutput) {
    if case .code(let code) = output.ending {
      (exitCode, isOver) = (code, true)
      return
    }
    let isFailure = output.error != nil
    if output.foundNothing, failedSearch == nil { failedSearch = output.command }
    isOver =
      isOver || output.ending != nil || (isFailure && !keepsGoing)
      || output.error?.code == .cancelled
    if keepsGoing {
      exitCode = max(exitCode, output.exitCode)
    } else if isFailure || exitCode == 0 {
      exitCode = output.exitCode
    }
  }
}
