import Foundation

/// A list that tests fill from any thread.
final class Recorded<Element: Sendable>: @unchecked Sendable {
  // Sendable: `lock` guards the variable.
  private let lock = NSLock()
  private var elements: [Element] = []

  func append(_ element: Element) {
    lock.withLock { elements.append(element) }
  }

  var all: [Element] { lock.withLock { elements } }
  var count: Int { lock.withLock { elements.count } }
}
