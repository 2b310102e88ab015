public import FluxCore
import FluxLog
public import FluxRecorder
import Foundation

/// An app in a terminal: it reads one command per line, dispatches its actions, and shows the screen.
///
/// With `--record FILE`, it records to that file; the lines `:pause`, `:resume` and `:mark TEXT` then control
/// the recorder. A program with a view goes through its own past while it runs: `<` and `>` show the screen before
/// and after each step, and `!` continues from the one that is shown. In debug builds `flux-inspect attach` reaches a
/// program that records, and on a terminal its screen is drawn again whenever it changes.
public struct TerminalProgram: Sendable {
  /// The meaning of a line of input.
  public enum Command: Sendable {
    /// An action, and the source line that made the command.
    case action(any Action, file: StaticString, line: UInt)
    /// Another use of the dispatcher.
    case perform(@Sendable (Dispatcher) async -> Void)
    /// The line is not a command; the value shows the valid ones.
    case unknown(usage: String)

    /// Dispatches an action.
    ///
    /// The line of the caller is passed on, so a recording names it instead of a line of this program.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - file: The calling file; the compiler fills it in.
    ///   - line: The calling line; the compiler fills it in.
    /// - Returns: The command.
    public static func dispatch(
      _ action: any Action, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
      .action(action, file: file, line: line)
    }
  }

  private let dispatcher: Dispatcher
  private let app: AppDefinition<Never, Never>
  private let options: Recorder.Options
  private var name: String { options.app?.name ?? "" }
  private let read: @Sendable (String) throws -> Command
  private let view: @MainActor (Dispatcher) -> Screen
  private let hasHistory: Bool

  /// Draws the screen.
  public typealias Screen = @MainActor () -> String

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - app: The app, for the header of a log, and for an attached inspector that replays.
  ///   - stores: The app's stores.
  ///   - redaction: The values that a log must not contain.
  ///   - read: Interprets a line of input.
  ///   - screen: Draws the screen.
  public init(
    _ app: AppDefinition<Never, Never>, stores: [any Store], redaction: Redaction = Redaction(),
    read: @escaping @Sendable (String) throws -> Command,
    screen: @escaping @Sendable (Dispatcher) -> String
  ) {
    self.init(
      app, stores, redaction, read: read, view: { dispatcher in { screen(dispatcher) } },
      hasHistory: false)
  }

  /// Creates a program with a view, which can show old models.
  ///
  /// - Parameters:
  ///   - app: The app, for the header of a log, and for an attached inspector that replays.
  ///   - stores: The app's stores.
  ///   - redaction: The values that a log must not contain.
  ///   - read: Interprets a line of input.
  ///   - view: Observes the dispatcher for as long as the returned closure is kept, which draws the screen.
  public init(
    _ app: AppDefinition<Never, Never>, stores: [any Store], redaction: Redaction = Redaction(),
    read: @escaping @Sendable (String) throws -> Command,
    view: @escaping @MainActor (Dispatcher) -> Screen
  ) {
    self.init(app, stores, redaction, read: read, view: view, hasHistory: true)
  }

  private init(
    _ app: AppDefinition<Never, Never>, _ stores: [any Store], _ redaction: Redaction,
    read: @escaping @Sendable (String) throws -> Command,
    view: @escaping @MainActor (Dispatcher) -> Screen, hasHistory: Bool
  ) {
    dispatcher = Dispatcher(stores)
    var options = Recorder.Options(for: app)
    options.redaction = redaction
    // Also in release builds: the recordings of the examples are opened in editors.
    options.recordsSource = true
    (self.app, self.options) = (app, options)
    self.read = read
    self.view = view
    self.hasHistory = hasHistory
  }

  /// Runs until the input ends.
  ///
  /// - Parameter arguments: The arguments of the program, without its name.
  /// - Returns: The exit code: 0, 1 if a line or the recording failed, or 2 if the arguments are invalid.
  public func run(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) async -> Int32 {
    switch arguments.count {
    case 0: return await run(recorder: nil)
    case 2 where arguments[0] == "--record":
      let url = URL(fileURLWithPath: arguments[1])
      return await run(recorder: Recorder(to: url, options: options))
    default:
      complain("usage: \(name) [--record FILE]   (commands are read from standard input)")
      return 2
    }
  }

  private func run(recorder: Recorder?) async -> Int32 {
    if let recorder { dispatcher.use(recorder) }
    let history = hasHistory ? LiveHistory(dispatcher) : nil
    let draw = await view(dispatcher)
    #if DEBUG
      let host = recorder.map { AppHost($0, app: app, dispatcher: dispatcher) }
      defer { host?.stop() }
      let redrawing = hasHistory && host != nil ? await LiveScreen.onTerminal(draw) : nil
      defer { withExtendedLifetime(redrawing) {} }
    #endif
    var isFine = true
    while let line = readLine() {
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      if control(recorder, line) { continue }
      if let history, travel(line, history) {
        print(await draw())
      } else {
        isFine = await perform(line) && isFine
      }
    }
    print(await draw())
    do {
      try recorder?.close()
    } catch {
      complain(error.message)
      isFine = false
    }
    return isFine ? 0 : 1
  }

  /// Returns `true` if the line was for the recorder.
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

  /// Returns `true` if the line was a key that moves through the past.
  private func travel(_ line: String, _ history: LiveHistory) -> Bool {
    switch line {
    case "<": history.back()
    case ">": history.forward()
    case "!":
      do {
        try history.resumeHere()
      } catch {
        complain("\(error)")
      }
    default: return false
    }
    return true
  }

  /// Returns `true` if the line was a command, even if a store rejected its action.
  private func perform(_ line: String) async -> Bool {
    do {
      switch try read(line) {
      case .action(let action, let file, let number):
        let outcome = await run(action, file, number)
        if let rejection = outcome.rejection { print("\(line): \(rejection.message)") }
        if outcome.result == .ignored {
          print("\(line): ignored, because an inspector has paused the app")
        }
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

  private func run(_ action: some Action, _ file: StaticString, _ line: UInt) async -> Outcome {
    await dispatcher.run(action, file: file, line: line)
  }

  private func complain(_ problem: String) {
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
  }
}

/// A line of input, read word by word.
public struct Words: Sendable {
  private var rest: Substring

  /// Creates the words of a line.
  ///
  /// - Parameter line: The line.
  public init(_ line: String) {
    rest = Substring(line)
  }

  /// Returns the next word; empty if there is none.
  public mutating func next() -> String {
    rest = rest.drop { $0.isWhitespace }
    let word = rest.prefix { !$0.isWhitespace }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  /// Returns the next word as a number; nil if it is not one.
  public mutating func number() -> Int? { Int(next()) }

  /// Returns the rest of the line without leading blanks.
  public mutating func remainder() -> String {
    defer { rest = "" }
    return String(rest.dropFirst())
  }
}
