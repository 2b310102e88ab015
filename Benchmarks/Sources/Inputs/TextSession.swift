package import FluxCore
import FluxLog
package import FluxRecorder
package import Foundation
import Harness

package enum TextAction: Action {
  case insert(text: String, line: Int)
  case shorten(line: Int)
  case split(line: Int)
}

/// The state of a text editor: lines of about 70 bytes, a cursor before them, and a short list after them.
package struct TextStore: Store {
  package struct Text: StateValue {
    var cursor: [Int] = [0, 0]
    package fileprivate(set) var lines: [String]
    var undo: [[Int]] = []
  }

  package let initialState: Text

  package init(lines: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    initialState = Text(
      lines: (0..<lines).map { line in
        "\(line) " + (0..<12).map { _ in "word\(random.next() % 10)" }.joined(separator: " ")
      })
  }

  package func reduce(_ text: inout Text, _ action: TextAction, _ step: inout Step) {
    switch action {
    case .insert(let inserted, let line):
      text.lines[line] += inserted
      text.cursor = [line, text.lines[line].utf8.count]
    case .shorten(let line):
      text.lines[line] = String(text.lines[line].dropLast())
      text.cursor = [line, text.lines[line].utf8.count]
    case .split(let line):
      text.lines.insert("", at: line + 1)
      text.cursor = [line + 1, 0]
    }
    text.undo.append(text.cursor)
    if text.undo.count > 50 { text.undo.removeFirst() }
  }
}

/// A user who writes in a text, recorded.
package struct TextSession {
  private let lines: Int
  private let seed: UInt64
  private let now: @Sendable () -> Date

  package init(lines: Int, seed: UInt64, now: @escaping @Sendable () -> Date = { Date() }) {
    (self.lines, self.seed, self.now) = (lines, seed, now)
  }

  /// Stores as they are before the first step.
  package func stores() -> [any Store] { [TextStore(lines: lines, seed: seed)] }

  /// The actions: a letter each, in bursts on one line.
  package func actions(_ steps: Int) -> [TextAction] {
    var random = SeededGenerator(seed: seed)
    var (line, count) = (0, lines)
    return (0..<steps).map { step in
      if step % 60 == 0 { line = Int.random(in: 0..<count, using: &random) }
      if step % 60 == 59 {
        count += 1
        return .split(line: line)
      }
      return step % 7 == 6 ? .shorten(line: line) : .insert(text: "a", line: line)
    }
  }

  /// A dispatcher that is recorded, and what records it.
  package func recorded(to url: URL) -> (dispatcher: Dispatcher, recorder: Recorder) {
    var options = Recorder.Options()
    options.log.durability = .buffered
    options.log.existing = .replace
    options.log.overflow = .block
    let dispatcher = Dispatcher(stores(), seed: seed, now: now)
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    return (dispatcher, recorder)
  }

  /// Records a session as a log.
  package func record(to url: URL, steps: Int) throws {
    let (dispatcher, recorder) = recorded(to: url)
    for action in actions(steps) { dispatcher.dispatch(action) }
    try recorder.close()
  }
}
