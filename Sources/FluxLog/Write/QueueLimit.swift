/// How many steps may wait to be written.
struct QueueLimit {
  /// However small their states are.
  let stepCount: Int
  /// Of all their states together, by their texts.
  let byteCount: Int

  init(_ options: LogWriter.Options) {
    stepCount = max(1, options.queueCapacity)
    byteCount = options.queueByteCount
  }

  /// How many steps may wait that each hold a state of so many bytes.
  ///
  /// Two where none has room: the thread that writes should find one when it is done with another.
  func capacity(stateByteCount: Int) -> Int {
    min(stepCount, max(2, byteCount / max(1, stateByteCount)))
  }
}
