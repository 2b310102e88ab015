package import FluxCore
package import FluxLog
package import FluxRecorder
package import Foundation
package import Harness

/// A user who ticks todos off and renames them, recorded.
package struct TodoSession {
  /// How many todos there are: 142 bytes of state each.
  package var todos: Int
  package var seed: UInt64
  package var durability: LogWriter.Options.Durability
  private let now: @Sendable () -> Date

  package init(
    todos: Int, seed: UInt64, durability: LogWriter.Options.Durability = .buffered,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.todos = todos
    self.seed = seed
    self.durability = durability
    self.now = now
  }

  /// Stores as they are before the first step.
  package func stores() -> [any Store] { [TodoStore(count: todos, seed: seed)] }

  /// The actions: every second one renames, the others tick off.
  package func actions(_ steps: Int) -> TodoActions {
    TodoActions(steps: steps, todos: todos, random: SeededGenerator(seed: seed))
  }

  /// A dispatcher that is recorded, and what records it.
  package func recorded(to url: URL) -> (dispatcher: Dispatcher, recorder: Recorder) {
    var options = Recorder.Options()
    options.log.durability = durability
    options.log.existing = .replace
    // Every state is to be written, however fast the actions come.
    options.log.overflow = .block
    let dispatcher = Dispatcher(stores(), seed: seed, now: now)
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    return (dispatcher, recorder)
  }

  /// Records a session as a log.
  ///
  /// - Parameters:
  ///   - url: Where to.
  ///   - steps: How many actions are dispatched.
  /// - Returns: What it took from the first dispatch until all is in the file.
  /// - Throws: What writing the log throws.
  @discardableResult
  package func record(to url: URL, steps: Int) throws -> Lap {
    let actions = actions(steps)
    let (dispatcher, recorder) = recorded(to: url)
    return try Stopwatch.lap {
      for action in actions { dispatcher.dispatch(action) }
      try recorder.close()
    }
  }
}
