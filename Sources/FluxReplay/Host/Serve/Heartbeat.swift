import FluxLog

/// Tells the other side from time to time how far a request has come.
struct Heartbeat {
  /// How long there is silence: short for whoever waits, long for the machine.
  private static let interval = Duration.milliseconds(200)

  private let request: JSON
  private var next = ContinuousClock.now + interval

  init(request: JSON) { self.request = request }

  /// Tells how far it has come, where it is time to; returns whether it was.
  @discardableResult
  mutating func beat(
    step: UInt64, of last: UInt64? = nil, _ channel: some HostChannel
  ) -> Bool {
    let now = ContinuousClock.now
    guard now >= next else { return false }
    next = now + Self.interval
    channel.send(
      RPCLine.notification(.progress, Progress(request: request, step: step, last: last).write))
    return true
  }
}
