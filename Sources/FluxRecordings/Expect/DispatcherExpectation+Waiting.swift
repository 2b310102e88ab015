package import FluxCore

extension DispatcherExpectation {
  /// Advances the dispatcher's test clock; effects fall asleep before, and whenever one has been woken.
  ///
  /// A duration of nil advances until no effect sleeps. Steps that happen on the way are received afterwards. It is a
  /// problem if the dispatcher has another clock.
  nonisolated(nonsending) public func advance(
    by duration: Duration?, file: StaticString = #filePath, line: UInt = #line
  ) async {
    let place: TestPlace = (file, line)
    guard let clock = dispatcher.clock as? TestClock else {
      report("the dispatcher has no TestClock: pass one as its clock", place)
      return
    }
    let target = duration.map { clock.now.advanced(by: $0) }
    await clock.advance(to: target) { await wait { false } }
  }

  /// Waits until `isDone`, or until nothing can happen any more: no effect runs, or all of them sleep on the clock.
  ///
  /// With `forExceptions`, it waits for the excepted effects, too. Otherwise it gives them the time to fall asleep on a test
  /// clock, which they may never do.
  nonisolated(nonsending) func wait(
    forExceptions: Bool = false, _ isDone: () -> Bool
  ) async {
    var time = WaitingTime(left: timeout)
    var quietRounds = 0
    while !isDone(), quietRounds < 20, !time.isOver {
      let effects = dispatcher.runningEffects
      let awaited = effects.filter { forExceptions || !exceptions.contains($0.name) }
      let clock = dispatcher.clock as? TestClock
      let sleeping = clock?.sleepingEffects ?? []
      guard dispatcher.isIdle, sleeping.isSuperset(of: awaited.compactMap(\.task)) else {
        quietRounds = 0
        await time.pause()
        continue
      }
      if (clock == nil ? awaited : effects).allSatisfy({ $0.task == nil }) { return }
      // An effect with child tasks may sleep in one and work in another.
      quietRounds += 1
      await time.pause()
    }
  }
}

extension Dispatcher {
  /// Waits until no effect runs and nothing is queued; reports the effects that still run after `timeout`.
  nonisolated(nonsending) package func settled(
    except names: Set<EffectName>, timeout: Duration, at place: TestPlace, report: Reporter
  ) async {
    var time = WaitingTime(left: timeout)
    let exceptions = Set(names.map(\.rawValue))
    while true {
      let running = runningEffects.filter { !exceptions.contains($0.name) }
      if running.isEmpty, isIdle { return }
      guard !time.isOver else {
        let list = running.map(\.description).sorted().joined(separator: ", ")
        report("not settled: still running: \(list)", place)
        return
      }
      await time.pause()
    }
  }
}
