import FluxLog

/// One request and what has come of it so far.
struct HostExchange {
  let id: UInt64
  let method: HostProtocol.Method
  /// What the host has not taken yet.
  var unsent: ArraySlice<UInt8>
  /// How many seconds the host may be silent; nil for as long as it likes.
  let limit: Double?
  /// When they are over.
  private(set) var deadline: ContinuousClock.Instant?
  /// The last step that it has told of.
  var step: UInt64?
  private(set) var isCancelled = false

  init(id: UInt64, method: HostProtocol.Method, unsent: ArraySlice<UInt8>, limit: Double?) {
    self.id = id
    self.method = method
    self.unsent = unsent
    self.limit = limit
    restart()
  }

  /// Gives the host its time anew.
  mutating func restart() {
    // A limit that is longer than anybody waits is none, and would not fit into a duration.
    guard !isCancelled else { return }
    deadline = limit.flatMap { $0 < 1e9 ? ContinuousClock.now + .seconds(max($0, 0)) : nil }
  }

  /// Lets the host know that its answer is not needed any more.
  mutating func cancel(after grace: Duration) {
    isCancelled = true
    deadline = ContinuousClock.now + grace
    unsent += RPCLine.notification(.cancel) { writer in
      writer.beginObject()
      writer.member("request", id)
      writer.endObject()
    }
  }
}
