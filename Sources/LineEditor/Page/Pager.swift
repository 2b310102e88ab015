internal import CTerminal
package import FluxTerminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Shows text on a terminal: directly if it fits on the screen, otherwise through a pager.
///
/// While the pager runs, it handles Ctrl-C. Leaving the pager early is not an error.
package final class Pager {
  private let command: PagerCommand?
  private let output: Int32
  private let environment: [String: String]
  private let size: TerminalSize
  private var rows: ScreenRows
  /// The text so far, while it may still fit on the screen.
  private var held = ""
  private var running: (process: pid_t, input: Int32)?
  private var isAbandoned = false

  /// Creates a pager for one text.
  ///
  /// - Parameters:
  ///   - command: The program; if nil, the text goes directly to the output.
  ///   - size: The size of the screen.
  ///   - output: The terminal's descriptor.
  ///   - environment: The environment of the program.
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
  /// - Parameter text: The text, which goes to the terminal unchanged.
  /// - Returns: `false` if the user has left the pager, so that no more text is needed.
  /// - Throws: ``FileError`` if the program cannot run or the terminal cannot be written to.
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

  /// Ends the text and waits until the user leaves the pager.
  ///
  /// - Throws: ``FileError`` if the terminal cannot be written to.
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
    // The call fills the two elements of the array.
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

  /// Writes a text; returns `false` if the reader has closed its end.
  @discardableResult
  private func send(_ text: String, to descriptor: Int32) throws(FileError) -> Bool {
    let wasIgnored = cle_ignore_broken_pipes()
    defer { if !wasIgnored { cle_heed_broken_pipes() } }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // The system reads at most the size of the slice.
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

/// Counts the rows of the screen that a text fills.
struct ScreenRows {
  private let columns: Int
  private(set) var count = 0
  private var column = 0
  private var isInSequence = false

  init(columns: Int) {
    self.columns = max(1, columns)
  }

  /// Adds a piece of the text; colour sequences take no columns.
  mutating func feed(_ text: String) {
    for character in text {
      switch character {
      case "\n", "\r\n":
        count += 1
        column = 0
      case "\u{1B}": isInSequence = true
      case _ where isInSequence: isInSequence = !character.isLetter
      default:
        column += ColumnWidth.of(character)
        guard column > columns else { continue }
        count += 1
        column = ColumnWidth.of(character)
      }
    }
  }
}
