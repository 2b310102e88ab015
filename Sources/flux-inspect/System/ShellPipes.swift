import ScriptCommands
import SystemPackage

/// The pipes of a shell command: to its standard input, and from its standard output, where it has them.
struct ShellPipes {
  /// Two ends of a pipe.
  struct Pipe {
    let readEnd: FileDescriptor
    let writeEnd: FileDescriptor
  }

  let input: Pipe?
  let output: Pipe?

  /// Makes them; where one cannot be made, there is none.
  init(hasInput: Bool, hasOutput: Bool) throws(Errno) {
    let input = hasInput ? try Self.pipe() : nil
    do throws(Errno) {
      output = hasOutput ? try Self.pipe() : nil
    } catch {
      input?.readEnd.closeQuietly()
      input?.writeEnd.closeQuietly()
      throw error
    }
    self.input = input
  }

  /// Gives a process its ends, which are closed here then; where it cannot be started, all are.
  func connect<Process>(
    _ start: (FileActions) throws(Errno) -> Process
  ) throws(Errno) -> Process {
    var actions = FileActions()
    defer { actions.destroy() }
    if let input { actions.connect(input.readEnd, to: .standardInput, closing: input.writeEnd) }
    if let output { actions.connect(output.writeEnd, to: .standardOutput, closing: output.readEnd) }
    defer {
      input?.readEnd.closeQuietly()
      output?.writeEnd.closeQuietly()
    }
    do throws(Errno) {
      return try start(actions)
    } catch {
      input?.writeEnd.closeQuietly()
      output?.readEnd.closeQuietly()
      throw error
    }
  }

  private static func pipe() throws(Errno) -> Pipe {
    do {
      let (readEnd, writeEnd) = try FileDescriptor.pipe()
      return Pipe(readEnd: readEnd, writeEnd: writeEnd)
    } catch {
      // The library throws nothing else, and does not say so.
      throw error as? Errno ?? .ioError
    }
  }
}
