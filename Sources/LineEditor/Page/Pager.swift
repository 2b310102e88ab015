internal import CLibEdit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Shows text on a terminal: as it is where it fits on the screen, else through a pager.
///
/// While the pager runs, Ctrl-C is the pager's, and a user who leaves it early is not an error.
package final class Pager {
  private let command: PagerCommand?
  private let output: Int32
  private let environment: [String: String]
  private let size: TerminalSize
  private var rows: ScreenRows
  /// What has come so far and may still fit.
  private var held = ""
  private var running: (process: pid_t, input: Int32)?
  private var isAbandoned = false

  /// Makes a pager for one text.
  ///
  /// - Parameters:
  ///   - command: the program; without one the text goes to the output as it comes.
  ///   - size: the size of the screen.
  ///   - output: the terminal's descriptor.
  ///   - environment: the environment of the program.
  package init(
    command: PagerCommand?, size: TerminalSize, output: Int32 = 1, environment: [String: String]
  ) {
    self.command = command
    self.size = size
    self.output = output
    self.environment = environment
    rows = ScreenRows(columns: size.columns)
  }

  /// Shows a piece of the text.
  ///
  /// - Parameter text: goes to the terminal as it is.
  /// - Returns: false where nobody looks any more, and the rest need not be made.
  /// - Throws: ``FileError`` where the program cannot be run or the terminal not written to.
  @discardableResult
  package func write(_ text: String) throws(FileError) -> Bool {
    guard !isAbandoned else { return false }
    if let running { return try send(text, to: running.input) }
    guard let command else { return try send(text, to: output) }
    rows.feed(text)
    held += text
    guard rows.count >= size.rows - 1 else { return true }
    let input = try start(command)
    defer { held = "" }
    return try send(held, to: input)
  }

  /// Ends the text, and waits for the user to leave the pager.
  ///
  /// - Throws: ``FileError`` where the terminal cannot be written to.
  package func finish() throws(FileError) {
    guard let (process, input) = running else {
      defer { held = "" }
      try send(held, to: output)
      return
    }
    running = nil
    isAbandoned = true
    systemClose(input)
    guard cle_wait(process) >= 0 else { throw .last("wait for", name) }
  }

  deinit {
    if let (process, input) = running {
      systemClose(input)
      _ = cle_wait(process)
    }
  }

  private var name: String { command?.arguments.last ?? "pager" }

  private func start(_ command: PagerCommand) throws(FileError) -> Int32 {
    Interruption.watch()
    var ends: [Int32] = [-1, -1]
    // The array has the two elements that the call fills.
    guard unsafe cle_pipe(&ends) else { throw .last("run", name) }
    let variables = environment.merging(command.additions) { $1 }.map { "\($0)=\($1)" }
    let process = unsafe withCStrings(command.arguments) { arguments in
      unsafe withCStrings(variables) { variables in
        unsafe cle_spawn(arguments, variables, ends[0], output)
      }
    }
    let error = FileError.last("run", name)
    systemClose(ends[0])
    guard process > 0 else {
      systemClose(ends[1])
      throw error
    }
    running = (process, ends[1])
    return ends[1]
  }

  /// Writes everything; false where the reader has left.
  @discardableResult
  private func send(_ text: String, to descriptor: Int32) throws(FileError) -> Bool {
    let wasIgnored = cle_ignore_broken_pipes()
    defer { if !wasIgnored { cle_heed_broken_pipes() } }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // The system reads no more than the slice has.
      let count = FileAccess.retrying {
        unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0) }
      }
      if count < 0, errno == EPIPE {
        isAbandoned = true
        return false
      }
      guard count >= 0 else { throw .last("write", running == nil ? "standard output" : name) }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
