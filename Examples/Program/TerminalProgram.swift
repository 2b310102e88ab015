public import FluxCore
import FluxLog
public import FluxRecorder
import Foundation

/// An app in a terminal: it reads commands, one a line, dispatches what they mean, and shows its screen.
///
/// With `--record FILE` everything that happens is recorded there; the lines `:pause`, `:resume` and
/// `:mark TEXT` are then for the recorder.
public struct TerminalProgram: Sendable {
  /// What a line of input means to the app.
  public enum Command: Sendable {
    case dispatch(any Action)
    /// Something else that is done with the dispatcher.
    case perform(@Sendable (Dispatcher) async -> Void)
    /// The line is none of the app's commands: what would be one.
    case unknown(usage: String)
  }

  private let name: String
  private let dispatcher: Dispatcher
  private let redaction: Redaction
  private let read: @Sendable (String) throws -> Command
  private let screen: @Sendable (Dispatcher) -> String

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - name: What the app is called in logs.
  ///   - stores: The app's stores.
  ///   - redaction: What a log must not contain.
  ///   - read: Understands a line of input.
  ///   - screen: Draws the screen.
  public init(
    name: String, stores: [any Store], redaction: Redaction = Redaction(),
    read: @escaping @Sendable (String) throws -> Command,
    screen: @escaping @Sendable (Dispatcher) -> String
  ) {
    self.name = name
    dispatcher = Dispatcher(stores)
    self.redaction = redaction
    self.read = read
    self.screen = screen
  }

  /// Runs until the input ends.
  ///
  /// - Parameter arguments: The arguments of the program, without its name.
  /// - Returns: The exit code: 0, 1 where a line or the recording failed, or 2 where the arguments make no
  ///   sense.
  public func run(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) async -> Int32 {
    switch arguments.count {
    case 0: return await run(recorder: nil)
    case 2 where arguments[0] == "--record":
      return await run(recorder: makeRecorder(URL(fileURLWithPath: arguments[1])))
    default:
      complain("usage: \(name) [--record FILE]   (commands are read from standard input)")
      return 2
    }
  }

  private func makeRecorder(_ url: URL) -> Recorder {
    var options = Recorder.Options()
    options.app = .init(name: name, version: "1.0")
    options.redaction = redaction
    options.notesSource = true
    return Recorder(to: url, options: options)
  }

  private func run(recorder: Recorder?) async -> Int32 {
    if let recorder { dispatcher.use(recorder) }
    var isFine = true
    while let line = readLine() {
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      if control(recorder, line) { continue }
      isFine = await perform(line) && isFine
    }
    print(screen(dispatcher))
    do {
      try recorder?.close()
    } catch {
      complain(error.message)
      isFine = false
    }
    return isFine ? 0 : 1
  }

  /// Whether the line was for the recorder.
  private func control(_ recorder: Recorder?, _ line: String) -> Bool {
    var words = Words(line)
    switch words.next() {
    case ":pause": recorder?.pause()
    case ":resume": recorder?.resume()
    case ":mark": recorder?.mark(words.remainder())
    default: return false
    }
    return true
  }

  /// Whether the line was a command; a rejection is an answer like any other.
  private func perform(_ line: String) async -> Bool {
    do {
      switch try read(line) {
      case .dispatch(let action):
        let outcome = await run(action)
        if let rejection = outcome.rejection { print("\(line): \(rejection.message)") }
        return true
      case .perform(let work):
        await work(dispatcher)
        return true
      case .unknown(let usage):
        complain("\"\(line)\" is no command of \(name); there are \(usage)")
      }
    } catch {
      complain("\"\(line)\": \(error)")
    }
    return false
  }

  private func run(_ action: some Action) async -> Outcome {
    await dispatcher.run(action)
  }

  private func complain(_ problem: String) {
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
  }
}
