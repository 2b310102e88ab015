public import FluxCore
public import Testing

extension Dispatcher {
  /// Waits until no effect runs and nothing is queued.
  ///
  /// - Parameters:
  ///   - names: The effects that may keep running, such as one that polls.
  ///   - timeout: The time after which effects that still run are an issue.
  ///   - sourceLocation: The location of the issue.
  nonisolated(nonsending) public func settled(
    except names: Set<String> = [], timeout: Duration = .seconds(10),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while true {
      let running = runningEffects.filter { !names.contains($0.name) }
      if running.isEmpty, isIdle { return }
      guard ContinuousClock.now < deadline else {
        let list = running.map(\.description).sorted().joined(separator: ", ")
        Issue.record("not settled: still running: \(list)", sourceLocation: sourceLocation)
        return
      }
      await Expectation.pause()
    }
  }
}
