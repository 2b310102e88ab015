package import FluxCore

extension Dispatcher {
  /// Waits until no effect runs and nothing is queued; reports the effects that still run after `timeout`.
  nonisolated(nonsending) package func settled(
    except names: Set<String>, timeout: Duration, at place: TestPlace, report: Reporter
  ) async {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while true {
      let running = runningEffects.filter { !names.contains($0.name) }
      if running.isEmpty, isIdle { return }
      guard ContinuousClock.now < deadline else {
        let list = running.map(\.description).sorted().joined(separator: ", ")
        report("not settled: still running: \(list)", place)
        return
      }
      await DispatcherExpectation.pause()
    }
  }
}
