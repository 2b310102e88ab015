import ArgumentParser
import FluxCommands
import FluxInspector
import FluxSubcommands
import FluxSystem

// For commands that speak a protocol with a client: standard output belongs to it.
extension ParsableCommand {
  /// Serves a client, and tells on standard error why that is not possible.
  ///
  /// - Parameter serve: Serves until the client is gone, and returns the exit code.
  /// - Throws: `ExitCode`, unless that is 0.
  func run(serving serve: () throws(CommandError) -> Int32) throws {
    let code: Int32
    do throws(CommandError) {
      code = try serve()
    } catch {
      complain("error: \(error.message)")
      if let hint = error.advice { complain("hint: \(hint)") }
      code = error.exitCode
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// Writes a line to standard error.
  func complain(_ note: String) { StandardStream.error.show("\(note.printable)\n") }
}

extension Descriptor {
  /// Returns standard input and output, for a client.
  static func standardStreams() throws(CommandError) -> (input: Descriptor, output: Descriptor) {
    do throws(SystemError) {
      return (try Descriptor(duplicating: 0), try Descriptor(duplicating: 1))
    } catch {
      throw CommandError(.file, "cannot use the standard streams: \(systemMessage(error.code))")
    }
  }
}
