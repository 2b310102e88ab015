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
  /// The environment, in which colours are asked for or forbidden.
  let environment = ProcessInfo.processInfo.environment

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

  /// Writes a line to standard output that is no result: for a session with a prompt.
  func tell(_ message: String) throws {
    try FileDescriptor.standardOutput.writeAll("\(message.sanitised)\n".utf8)
  }

  /// Whether what goes to the terminal has colours.
  func usesColor(_ settings: Settings) -> Bool {
    usesColor(on: .standardOutput, settings)
  }

  private func palette(of stream: FileDescriptor, _ settings: Settings) -> Palette {
    usesColor(on: stream, settings) ? .ansi : .plain
  }

  private func usesColor(on stream: FileDescriptor, _ settings: Settings) -> Bool {
    let choice: ColorChoice =
      switch settings.color {
      case .auto: .auto
      case .always: .always
      case .never: .never
      }
    return choice.usesColor(
      environment: environment, isTerminal: isatty(stream.rawValue) == 1)
  }
}
