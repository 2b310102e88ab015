import FluxTerminal
import Foundation
import LineEditor

/// A program that uses all features of a line editor; tests run it at a terminal.
@main
struct LineEditorProgram {
  private let editor: LineEditor
  private var history: HistoryFile?
  private let counter = Counter()

  /// The number that the program's keys change and its prompt shows.
  final class Counter {
    var value = 0
  }

  static func main() throws {
    let environment = ProcessInfo.processInfo.environment
    do throws(LineEditorError) {
      var program = try LineEditorProgram(environment: environment)
      program.run()
    } catch {
      print("no editor: \(error)")
      exit(3)
    }
  }

  private init(environment: [String: String]) throws(LineEditorError) {
    editor = try LineEditor(name: "program", environment: environment)
    for problem in editor.settingProblems { print(problem) }
    if let path = environment["PROGRAM_HISTORY"] { history = HistoryFile(path: path, limit: 100) }
    editor.complete = Self.completions
    bindKeys()
    do throws(FileError) {
      for line in try history?.load() ?? [] { editor.remember(line) }
    } catch {
      print(error)
    }
  }

  private func bindKeys() {
    let counter = counter
    editor.bind(Key(.right, .alt)) { _ in
      counter.value += 1
      return .refreshPrompt
    }
    editor.bind(Key(.left), onEmptyLine: true) { _ in .accept("back") }
    editor.bind(.control("t")) { line in .replace(EditedLine("<\(line.text)>")) }
  }

  private static func completions(_ line: EditedLine) -> Completions {
    let start = line.beforeCursor.lastIndex(of: " ").map { line.text.index(after: $0) }
    let word = (start ?? line.text.startIndex)..<line.cursor
    let names = ["prev", "print", "quit", "日本語"].filter { $0.hasPrefix(line.text[word]) }
    return Completions(replacing: word, with: names.map { Completions.Candidate($0) })
  }

  private mutating func run() {
    while true {
      switch editor.readLine(prompt) {
      case .line(let line):
        guard perform(line) else { return }
      case .interrupted: print("interrupted")
      case .endOfInput:
        print("end")
        editor.close()
        return
      }
    }
  }

  private var prompt: () -> Prompt {
    { [counter] in
      Prompt([.init("(\(counter.value)", CellStyle(.green)), .init(")>")])
    }
  }

  /// Runs a command; returns `false` to end the program.
  private mutating func perform(_ line: String) -> Bool {
    do throws(FileError) {
      if try history?.append(line) ?? true { editor.remember(line) }
    } catch {
      print(error)
    }
    switch line {
    case "quit":
      editor.close()
      return false
    case "crash": fatalError("on purpose")
    case "exit":
      editor.close()
      exit(7)
    case "work": work()
    case "second": openAnother()
    case "overflow": print(Self.recurse(1))
    case "browse": browse()
    case "keys": readKeys()
    case "page": page()
    case _ where line.hasPrefix("follow "): follow(String(line.dropFirst(7)))
    case "width": print("\(TerminalSize(descriptor: 1, environment: [:]).columns) columns")
    default: print("got [\(line)]")
    }
    return true
  }

  /// Runs until it is interrupted.
  private func work() {
    let interruption = Interruption()
    print("working")
    while !interruption.isRequested { sched_yield() }
    print("stopped")
  }

  private func openAnother() {
    do throws(LineEditorError) {
      _ = try LineEditor(name: "second", environment: ["TERM": "xterm"])
    } catch {
      print(error)
    }
  }

  /// Overflows the stack.
  private static func recurse(_ depth: Int) -> Int {
    depth == 0 ? 0 : recurse(depth + 1) + recurse(depth + 2)
  }

  /// Prints each key, until q or the end.
  private func readKeys() {
    print("reading keys")
    editor.readKeys { key in
      print(key)
      return key != .character("q")
    }
  }

  /// Shows the last key in the middle of the whole screen, until q or the end.
  private func browse() {
    editor.withFullScreen { screen in
      var size = screen.size
      var text = "browsing"
      while true {
        var frame = Frame(size)
        frame.write(
          [StyledSpan(text), StyledSpan("!", .reversed)],
          at: Frame.Place(row: size.rows / 2, column: 2), limit: size.columns)
        screen.present(frame)
        switch screen.next() {
        case .key(.character("q")), .ended: return
        case .key(.character("x")): fatalError("on purpose")
        case .key(let key): text = "\(key.name)"
        case .resized(let new):
          size = new
          text = "\(size.columns) by \(size.rows)"
        case .woken: continue
        }
      }
    }
  }

  /// Shows the text from a pipe above the line; another thread reads the pipe.
  private func follow(_ path: String) {
    let notices = editor.notices
    Thread.detachNewThread {
      guard let pipe = FileHandle(forReadingAtPath: path) else {
        notices.printAbove("cannot read \(path)")
        return
      }
      while case let data = pipe.availableData, !data.isEmpty {
        notices.printAbove(String(decoding: data, as: UTF8.self))
      }
    }
  }

  /// Shows many rows through the user's pager.
  private func page() {
    let environment = ProcessInfo.processInfo.environment
    let command = PagerCommand(environment: environment) {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    let size = TerminalSize(descriptor: 1, environment: environment)
    let pager = Pager(command: command, size: size, environment: environment)
    do throws(FileError) {
      for number in 1...1_000_000 {
        guard try pager.write("row \(number)\n") else { break }
      }
      try pager.finish()
    } catch {
      print(error)
    }
    print("paged")
  }
}
