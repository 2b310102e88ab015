import FluxInspector
import Foundation
import LineEditor
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes outputs: results to standard output, all the rest to standard error.
struct Printer: Sendable {
  private let environment = ProcessInfo.processInfo.environment

  /// Writes the output of a command.
  ///
  /// - Throws: `Errno` where a stream takes no more, and what the reading of a log throws.
  func print(_ output: CommandOutput, _ settings: Settings) throws {
    let format = settings.format.format(
      palette: palette(of: .standardOutput, settings),
      diagnostics: palette(of: .standardError, settings))
    try format.write(
      output, to: ByteSink { _ = try FileDescriptor.standardOutput.writeAll($0) },
      diagnostics: ByteSink { _ = try FileDescriptor.standardError.writeAll($0) })
  }

  /// Writes a line to standard error, in front of which the program's name is not needed.
  func complain(_ kind: String, _ message: String) throws {
    try FileDescriptor.standardError.writeAll("\(kind): \(message.sanitised)\n".utf8)
  }

  private func palette(of stream: FileDescriptor, _ settings: Settings) -> Palette {
    let choice: ColorChoice =
      switch settings.color {
      case .auto: .auto
      case .always: .always
      case .never: .never
      }
    let isTerminal = isatty(stream.rawValue) == 1
    return choice.usesColor(environment: environment, isTerminal: isTerminal) ? .ansi : .plain
  }
}
