#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An action whose step is not in the log: the recorder noted it, and crashed or is still at work.
///
/// LOG-FORMAT, "Life cycle".
public struct InFlightAction: Sendable, Equatable {
  /// The number of its step.
  public let number: UInt64
  /// When it was dispatched.
  public let time: LogTime
  /// Its type; nil where even that is not known.
  public let type: String?
  /// The action; nil where it was too large to be noted whole.
  public let action: JSON?
  /// Whether its step committed.
  ///
  /// Replay can rebuild the states then. Otherwise it is the one that was being reduced.
  public let isCommitted: Bool
  /// Where it came from.
  public internal(set) var origin = ActionOrigin()
}

extension LogFile {
  /// The actions in flight after the last step of the log, in order, as they are at this moment.
  ///
  /// Empty where there are none, and where what is there does not belong to this log. To be asked once the
  /// index is complete: before that, actions whose lines are not indexed yet are among them.
  ///
  /// - Throws: ``LogError`` where the file of actions in flight is there, but cannot be read, or is of a
  ///   layout that this reader does not know.
  public func inFlight() throws(LogError) -> [InFlightAction] {
    let file: OpenFile
    do throws(LogError) {
      file = try OpenFile(reading: LogLocation.inFlightPath(of: path))
    } catch {
      guard case .system("open", ENOENT) = error.reason else { throw error }
      return []
    }
    let bytes = try file.bytes(at: 0, count: try file.status().size)
    // A recorder makes the file empty first.
    guard bytes.count >= InFlightRecord.ringHeaderCount else { return [] }
    guard InFlightRecord.Layout(ofRing: bytes) != nil else {
      throw LogError(
        path: file.path, reason: .unknownInFlightLayout(beginning: Array(bytes.prefix(4))))
    }
    let next = indexing.index.checker.expected
    var actions: [UInt64: InFlightAction] = [:]
    for action in InFlightRecord.actions(in: bytes, identity: header.identity)
    where action.number >= next {
      actions[action.number] = action
    }
    return actions.values.sorted { $0.number < $1.number }
  }
}
