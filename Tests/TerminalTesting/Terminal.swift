import CPTY

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program that runs at a pseudo-terminal, which is its controlling terminal.
///
/// A test sends keys and waits for the expected screen. Nothing sleeps: a wait ends with the first output that
/// brings the expected screen, and fails with the actual screen after the deadline.
package final class Terminal {
  /// The content of the terminal after the output that was read so far.
  package private(set) var screen: Screen
  private let descriptor: Int32
  private let process: pid_t
  private var isAtEnd = false
  private var status: Int32?
  private var undecoded: [UInt8] = []

  /// Long enough for a busy machine; only failing tests wait for it.
  private static let deadline = Duration.seconds(30)

  /// The end of a program: an exit code or a signal.
  package enum Ending: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The path of the program and its arguments.
  ///   - environment: The whole environment; the default of `TERM` is xterm-256color.
  ///   - columns: The width of the terminal.
  ///   - rows: The height of the terminal.
  /// - Throws: ``TerminalError`` if the system has no more terminals, or cannot run the program.
  package init(
    _ arguments: [String], environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws {
    var path = [CChar](repeating: 0, count: 256)
    // The call gets the size of the array.
    descriptor = unsafe cpty_open(Int32(columns), Int32(rows), &path, path.count)
    guard descriptor >= 0 else { throw TerminalError("no pseudo-terminal: errno \(errno)") }
    screen = Screen(columns: columns, rows: rows)
    let variables = environment.merging(["TERM": "xterm-256color"]) { given, _ in given }
    process = unsafe Self.withStrings(arguments) { arguments in
      unsafe Self.withStrings(variables.map { "\($0)=\($1)" }) { variables in
        unsafe cpty_spawn(path, arguments, variables)
      }
    }
    guard process > 0 else {
      close(descriptor)
      throw TerminalError("cannot run \(arguments): errno \(errno)")
    }
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      var ignored: Int32 = 0
      unsafe waitpid(process, &ignored, 0)
    }
    close(descriptor)
  }

  /// Calls `body` with strings as a null-terminated C array.
  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    var copies = unsafe strings.map { unsafe strdup($0) }
    unsafe copies.append(nil)
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    return unsafe body(copies)
  }

  /// Types text unchanged.
  package func type(_ text: String) throws {
    try type(bytes: Array(text.utf8))
  }

  /// Types bytes.
  package func type(bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw failure("cannot type: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Pastes text with the marks of bracketed paste.
  package func paste(_ text: String) throws {
    try type("\u{1B}[200~\(text)\u{1B}[201~")
  }

  /// Changes the size and notifies the program.
  package func resize(columns: Int, rows: Int) throws {
    screen.resize(columns: columns, rows: rows)
    guard cpty_resize(descriptor, Int32(columns), Int32(rows)) else {
      throw failure("cannot resize: errno \(errno)")
    }
  }

  /// Sends a signal to the program.
  package func signal(_ number: Int32) {
    kill(process, number)
  }

  /// `true` if the terminal is in the line mode that shells expect.
  package var isCooked: Bool { cpty_is_cooked(descriptor) }

  /// Waits until the screen meets a condition.
  @discardableResult
  package func wait(for what: String, until isSo: (Screen) -> Bool) throws -> Screen {
    let end = ContinuousClock.now + Self.deadline
    while !isSo(screen) {
      guard try readMore(until: end) else {
        throw failure(isAtEnd ? "ended before: \(what)" : "not within \(Self.deadline): \(what)")
      }
    }
    return screen
  }

  /// Waits until the screen contains a text.
  @discardableResult
  package func wait(for text: String) throws -> Screen {
    try wait(for: text) { $0.text.contains(text) }
  }

  /// Waits until the row of the cursor contains exactly this text.
  @discardableResult
  package func wait(forLine line: String) throws -> Screen {
    try wait(for: "the line \(line)") { screen in
      let typed = screen.line
      return typed == line || typed + " " == line
    }
  }

  /// Waits until something other than the screen is so: a mode of the terminal.
  ///
  /// The program's output meanwhile is what wakes the wait.
  package func waitUntilCooked(_ cooked: Bool = true) throws {
    let end = ContinuousClock.now + Self.deadline
    while isCooked != cooked, !isAtEnd {
      _ = try readMore(until: min(end, ContinuousClock.now + .milliseconds(5)))
      guard ContinuousClock.now < end else {
        throw failure("the terminal did not become \(cooked ? "cooked" : "raw")")
      }
    }
  }

  /// Waits until the program ends, and reads all its output.
  package func waitForEnd() throws -> Ending {
    let end = ContinuousClock.now + Self.deadline
    while !isAtEnd {
      guard try readMore(until: end) || isAtEnd else {
        throw failure("did not end within \(Self.deadline)")
      }
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw failure("cannot wait: errno \(errno)") }
    }
    self.status = status
    return status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  private func failure(_ problem: String) -> TerminalError {
    TerminalError(problem, screen: screen, cooked: isCooked)
  }

  /// Waits for output and reads it; returns `false` at the end of the output and at the deadline.
  private func readMore(until end: ContinuousClock.Instant) throws -> Bool {
    guard !isAtEnd else { return false }
    let rest = end - ContinuousClock.now
    guard rest > .zero else { return false }
    let milliseconds =
      rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000
    var polled = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    let ready = unsafe poll(&polled, 1, Int32(clamping: milliseconds + 1))
    guard ready > 0 else { return ready == 0 ? false : errno == EINTR }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe read(descriptor, $0.baseAddress, $0.count)
    }
    // Linux fails with EIO once no process has the other side open.
    guard count > 0 else {
      if count < 0, errno == EINTR || errno == EAGAIN { return true }
      isAtEnd = true
      return false
    }
    take(bytes.prefix(count))
    return true
  }

  /// Sends all complete characters to the screen.
  private func take(_ bytes: ArraySlice<UInt8>) {
    undecoded += bytes
    var whole = undecoded.count
    // An incomplete character has its lead byte among the last three.
    for back in 1...3 where back <= undecoded.count {
      let byte = undecoded[undecoded.count - back]
      if byte & 0xC0 == 0xC0 {
        let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        if length > back { whole = undecoded.count - back }
        break
      }
    }
    screen.feed(String(decoding: undecoded.prefix(whole), as: UTF8.self))
    undecoded.removeFirst(whole)
  }
}
