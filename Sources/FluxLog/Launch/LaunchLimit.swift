/// A limit for the logs of all launches together, in one folder.
///
/// The oldest logs are deleted when a recorder begins, and whenever it begins another segment. A
/// file that is being recorded is never deleted.
public enum LaunchLimit: Sendable, Hashable {
  /// The size of all files on disk, including the files of actions in flight.
  ///
  /// Each launch is split into segments, so the oldest steps of a long launch can be deleted while it
  /// continues. A launch that is being recorded takes less than half of the limit, so earlier launches
  /// keep a part. The limit holds for up to four processes that record at once, if their states have
  /// less than a fiftieth of it as text.
  case bytes(Int)
  /// The number of launches, including the one that is being recorded.
  case launches(Int)
  /// The time since a file was last written.
  ///
  /// Split a launch that runs for days into segments with ``bytes(_:)``; a single file is as new as
  /// its last step. A file that is dated in the future, because the clock was set back, is new until
  /// then; the other limits apply to it.
  case age(Duration)
}

extension [LaunchLimit] {
  /// 64 MB and 50 launches.
  public static let standard: [LaunchLimit] = [.bytes(64 << 20), .launches(50)]
}

/// The strictest of the limits.
struct LaunchLimits: Sendable, Equatable {
  /// The bytes of all files.
  private(set) var byteCount: Int?
  /// The number of launches.
  private(set) var count: Int?
  /// The age of a file, in nanoseconds.
  private(set) var age: Int64?

  init(_ limits: [LaunchLimit]) {
    for limit in limits {
      switch limit {
      case .bytes(let bytes): byteCount = min(byteCount ?? .max, max(0, bytes))
      case .launches(let number): count = min(count ?? .max, max(1, number))
      case .age(let duration): age = min(age ?? .max, Self.nanoseconds(duration))
      }
    }
  }

  /// The bytes to which old logs are deleted.
  ///
  /// Until the next deletion, each process adds at most a segment and its actions in flight, which are
  /// three parts in 32. The rest has room for four processes.
  var targetByteCount: Int? { byteCount.map { $0 / 32 * 20 } }

  /// Changes the options of a log so that its files can stay within the limits.
  func apply(to options: inout LogWriter.Options) {
    guard let byteCount else { return }
    if options.retention == nil {
      options.retention = .bytes(byteCount / 32 * 12)
      options.segmentByteCount = byteCount / 16
    }
    options.inFlightByteCount = min(options.inFlightByteCount, byteCount / 32)
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = max(.zero, duration).components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isGreater) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflows || isGreater ? .max : sum
  }
}
