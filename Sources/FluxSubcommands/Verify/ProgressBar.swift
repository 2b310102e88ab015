import FluxSystem
import FluxTerminal

/// The share of the logs that are done, on the last line of a terminal.
package final class ProgressBar: Sendable {
  private static let width = 30

  private let total: Int
  private let isShown: Bool
  private let done = Monitor(0)

  package init(total: Int, _ environment: [String: String]) {
    self.total = total
    isShown = total > 1 && isatty(2) == 1 && environment.namesFullTerminal
    draw()
  }

  /// Makes way for a line of text.
  package func clear() {
    if isShown { StandardStream.error.show("\r\u{1B}[K") }
  }

  /// One more is done.
  package func advance() {
    done.withLock { $0 += 1 }
    draw()
  }

  private func draw() {
    let done = done.withLock { $0 }
    guard isShown, done < total else { return }
    let filled = done * Self.width / total
    let bar =
      String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
    StandardStream.error.show("\r\u{1B}[K[\(bar)] \(done)/\(total)")
  }
}
