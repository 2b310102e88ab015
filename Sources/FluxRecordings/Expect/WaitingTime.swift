/// The time for which a test waits for effects, without the time in which none of them could run.
///
/// A test and the effects it waits for share the few threads of Swift's pool. While other tests block those threads, or
/// while the process is stopped in a debugger, time goes by and no effect gets any further. So a pause counts as what
/// it is expected to take at most, even if it took longer.
struct WaitingTime {
  /// The most that one pause counts.
  private static let longestPause = Duration.milliseconds(50)

  private(set) var left: Duration

  var isOver: Bool { left <= .zero }

  /// Lets effects run for a moment, and counts it.
  nonisolated(nonsending) mutating func pause() async {
    let start = ContinuousClock.now
    await Task.yield()
    // Longer than a yield, because an effect may need another thread to end. Only a cancelled test ends it
    // early.
    do { try await Task.sleep(for: .microseconds(200)) } catch {}
    count(ContinuousClock.now - start)
  }

  mutating func count(_ duration: Duration) { left -= min(duration, Self.longestPause) }
}
