import FluxLog

/// What a host needs of the other side while it answers a request.
protocol HostChannel: AnyObject {
  /// Sends a line, its end included.
  func send(_ line: [UInt8])

  /// Looks whether the other side has cancelled a request in the meantime.
  func isCancelled(_ request: JSON) -> Bool
}
