import ArgumentParser
import FluxLog
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The program: takes its arguments apart and ends with the code of what they ask for.
@main
struct FluxInspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flux-inspect",
    abstract: "Walks through recordings of Flux-style apps, step by step, in both directions.",
    discussion: """
      A recording is a log in JSON Lines of every action and the state that it led to. Without a \
      subcommand it is opened: in a terminal for a session with a prompt, otherwise for the \
      commands of -e, -x or standard input.

      Exit codes: 0 fine; 1 a difference, or nothing that matches; 2 usage; 3 a command failed; \
      4 the log cannot be read or is damaged; 5 replay could not run; 130 interrupted.
      """,
    subcommands: [
      OpenCommand.self, VerifyCommand.self, CatCommand.self, CheckCommand.self, RepairCommand.self,
      StatsCommand.self, DiffCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)

  /// Runs the program, and never returns.
  static func main() {
    // A reader that has gone, and a file that may not become longer, are errors of the write and not the
    // end of the program.
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    let code = run(CommandLine.arguments.dropFirst())
    LogFile.waitForSaves()
    end(code)
  }

  private static func run(_ arguments: some Sequence<String>) -> Int32 {
    do {
      var command = try parseAsRoot(Array(arguments))
      try command.run()
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch Errno.brokenPipe {
      // As a shell would say of a program that SIGPIPE ended.
      return 128 + SIGPIPE
    } catch let error as Errno {
      return report("error: cannot write: \(error.description)", to: .standardError, code: 3)
    } catch {
      return report(error)
    }
  }

  /// Says what is wrong with the arguments, or helps; returns the code to end with.
  private static func report(_ error: any Error) -> Int32 {
    let code = exitCode(for: error)
    return report(
      fullMessage(for: error), to: code.isSuccess ? .standardOutput : .standardError,
      code: code == .validationFailure ? 2 : code.rawValue)
  }

  /// Writes a text and returns the code, or another where that cannot be done.
  private static func report(_ text: String, to stream: FileDescriptor, code: Int32) -> Int32 {
    do {
      try stream.writeAll((text + "\n").utf8)
      return code
    } catch {
      return 3
    }
  }
}

/// Ends the process; inside a command `exit` is another function.
private func end(_ code: Int32) -> Never { exit(code) }
