import ArgumentParser
import FluxSubcommands

/// `verify` as a program of its own.
///
/// The command plugin runs it: unlike `flux-inspect` it has no line editor, so that building it needs no headers of
/// libedit.
@main
enum FluxVerify {
  /// Runs the program, and never returns.
  static func main() {
    VerifyCommand.runProgram()
  }
}
