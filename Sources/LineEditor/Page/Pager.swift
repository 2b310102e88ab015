internal import CTerminal
import FluxSystem
package import FluxTerminal

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
  private var running: (process: ForegroundProcess, input: Descriptor)?
  private var isAbandoned = false

  /// Creates a pager for one text; without a program, the text goes directly to the terminal.
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
  /// - Returns: `false` if the user has left the pager, so that no more text is needed.
  /// - Throws: ``FileError`` if the program cannot run or the terminal cannot be written to.
  @discardableResult
  package func write(_ text: String) throws(FileError) -> Bool {
    guard !isAbandoned else { return false }
    if let running { return try send(text, to: running.input) }
    guard let command else { return try send(text, to: try screen()) }
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
    guard let process = running?.process else {
      defer { held = "" }
      try send(held, to: try screen())
      return
    }
    // The last reference to its input, which ends the text.
    running = nil
    isAbandoned = true
    do throws(SystemError) { _ = try process.wait() } catch { throw FileError(name, error) }
  }

  deinit {
    let process = running?.process
    running = nil
    // Nobody is left to be told of a failure.
    do throws(SystemError) { _ = try process?.wait() } catch {}
  }

  private var name: String { command?.arguments.last ?? "pager" }

  private func start(_ command: PagerCommand) throws(FileError) -> Descriptor {
    Interruption.watch()
    do throws(SystemError) {
      let (reading, writing) = try Descriptor.pipe(isWrittenHere: true)
      let process = try ForegroundProcess(
        command.arguments, environment: environment.merging(command.additions) { $1 },
        input: reading, output: try Descriptor(duplicating: output), waitsForDescendants: true)
      running = (process, writing)
      return writing
    } catch {
      throw FileError(path: name, operation: "run", code: error.code)
    }
  }

  private func screen() throws(FileError) -> Descriptor {
    do throws(SystemError) {
      return try Descriptor(duplicating: output)
    } catch {
      throw FileError(path: "standard output", operation: "write", code: error.code)
    }
  }

  /// Writes a text; returns `false` if the reader has closed its end.
  @discardableResult
  private func send(_ text: String, to descriptor: Descriptor) throws(FileError) -> Bool {
    let wasIgnored = cle_ignore_broken_pipes()
    defer { if !wasIgnored { cle_heed_broken_pipes() } }
    guard let failure = descriptor.write(Array(text.utf8)).failure else { return true }
    guard failure.code == EPIPE else {
      throw FileError(
        path: running == nil ? "standard output" : name, operation: "write", code: failure.code)
    }
    isAbandoned = true
    return false
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

/// The program that shows long text page by page.
package struct PagerCommand: Equatable, Sendable {
  package var arguments: [String]
  /// The variables to add to the environment.
  package var additions: [String: String]

  /// Chooses `$PAGER` or `less`; nil if neither exists, or if `PAGER` is empty or `cat`.
  package init?(environment: [String: String], isExecutable: (String) -> Bool) {
    // Keep the text on the screen, pass colours, and quit at once if the text fits.
    additions = environment["LESS"] == nil ? ["LESS": "FRX"] : [:]
    guard let setting = environment["PAGER"] else {
      guard let less = environment.program("less", isExecutable: isExecutable) else { return nil }
      arguments = [less]
      return
    }
    guard let program = setting.split(separator: " ").first, program != "cat",
      environment.program(String(program), isExecutable: isExecutable) != nil
    else { return nil }
    arguments = ["/bin/sh", "-c", setting]
  }
}
