package import ArgumentParser
import FluxHost
import FluxSystem
import FluxTerminal
import Foundation

extension ParsableCommand {
  /// Runs the command that the program's arguments name, and ends the process with its exit code.
  ///
  /// - Parameter answer: Returns the text that arguments about the program itself ask for, or `nil` for all others.
  package static func runProgram(
    answer: ([String]) throws -> String? = { _ in nil }
  ) -> Never {
    StandardStreams.reserve()
    // A closed pipe and a file at its size limit are then errors of the write, and do not end the program.
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    // If the parent ignores it, the system keeps no exit codes of the programs that this one starts.
    _ = signal(SIGCHLD, SIG_DFL)
    Interruption.endAtOnceOnQuit()
    Termination.beforeBySignal {
      TemporaryLog.removeAll()
      HostApp.killHosts()
    }
    let code = run(Array(CommandLine.arguments.dropFirst()), answer)
    TemporaryLog.removeAll()
    end(code)
  }

  private static func run(
    _ arguments: [String], _ answer: ([String]) throws -> String?
  ) -> Int32 {
    do {
      do {
        if let text = try answer(arguments) {
          return try report(text, to: .output, code: 0)
        }
        var command = try parseAsRoot(arguments)
        try command.run()
        return 0
      } catch let code as ExitCode {
        return code.rawValue
      } catch let error as LostOutput {
        throw error
      } catch {
        return try report(error)
      }
    } catch let error as LostOutput where error.isClosedPipe {
      // As a shell would say of a program that SIGPIPE ended.
      return 128 + SIGPIPE
    } catch {
      return reportLost(error)
    }
  }

  /// Gives help texts at least 40 columns from now on; called before a text is made, at the end of the program.
  ///
  /// The argument parser indents descriptions by 26 columns or more. On a narrower screen it traps in debug builds, and
  /// leaves the descriptions out in release builds. It takes the width from COLUMNS in most of its functions.
  package static func widenHelp() {
    let environment = ProcessInfo.processInfo.environment
    let asked = environment["COLUMNS"].flatMap { Int($0) }
    let columns =
      asked ?? TerminalSize(descriptor: STDOUT_FILENO, environment: environment).columns
    // No other thread reads the environment by then.
    if columns < 40 { unsafe setenv("COLUMNS", "40", 1) }
  }

  /// Reports what is wrong with the arguments, or the help they ask for; returns the exit code.
  private static func report(_ error: any Error) throws(LostOutput) -> Int32 {
    widenHelp()
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    guard !code.isSuccess else { return try report(message, to: .output, code: 0) }
    return try report(
      message.printableLines(), to: .error,
      code: code == .validationFailure ? 2 : code.rawValue)
  }

  /// Writes a text and returns the code, or that of the failure if it cannot be written.
  private static func report(
    _ text: String, to stream: StandardStream, code: Int32
  ) throws(LostOutput) -> Int32 {
    try stream.write(text + "\n")
    return code
  }

  /// Reports a text that could not be written; returns the exit code.
  private static func reportLost(_ error: any Error) -> Int32 {
    let reason = (error as? LostOutput).map { systemMessage($0.code) } ?? "\(error)"
    do throws(LostOutput) {
      return try report("error: cannot write: \(reason)", to: .error, code: 3)
    } catch {
      // Standard error cannot be written to, either; the exit code still says so.
      return 3
    }
  }
}

/// Ends the process; inside a command `exit` is another function.
private func end(_ code: Int32) -> Never { exit(code) }
