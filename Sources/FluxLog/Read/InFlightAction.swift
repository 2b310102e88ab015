public import FluxJSON
import FluxSystem

/// An action whose step is not in the log: the recorder crashed before it wrote the line, or has
/// not written it yet.
///
/// See docs/log-format.md, "Life cycle".
public struct InFlightAction: Sendable, Equatable {
  /// The number of the step.
  public let number: UInt64
  /// When the action was dispatched.
  public let time: LogTime
  /// The type of the action; `nil` if it is unknown.
  public let type: String?
  /// The action; `nil` if it was too large to be kept completely.
  public let action: JSON?
  /// `true` if the step committed, so that replay can rebuild its states.
  ///
  /// Otherwise it was being reduced.
  public let isCommitted: Bool
  /// The origin of the action.
  public internal(set) var origin = ActionOrigin()
}

extension LogFile {
  /// Returns the actions in flight after the last step of the log, in order, as of now.
  ///
  /// Empty if there are none, or if the in-flight file belongs to another log. Call this once the
  /// index is complete: before that, the result includes actions whose lines are not indexed yet.
  ///
  /// - Throws: ``LogError`` if the in-flight file exists but cannot be read, or has an unknown
  ///   layout.
  public func inFlight() throws(LogError) -> [InFlightAction] {
    let file: OpenFile
    do throws(LogError) {
      file = try OpenFile(reading: LogLocation.inFlightPath(of: path))
    } catch {
      guard case .system("open", ENOENT) = error.reason else { throw error }
      return []
    }
    let bytes = try file.bytes(at: 0, count: try file.status().size)
    // A recorder creates the file empty.
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
