import FluxJSON

/// Writes the actions in flight of a log on another machine next to the copy of that log.
package enum InFlightCopy {
  /// Writes the actions next to the last segment of the copy, where ``LogFile/inFlight()`` finds them.
  package static func write(_ actions: [InFlightAction], beside path: String) throws(LogError) {
    let header = try LogFile.header(of: LogPlace(path))
    var bytes = InFlightRecord.ringHeader(identity: header.identity)
    bytes += [UInt8](repeating: 0, count: InFlightRecord.reserved.count)
    for action in actions { bytes += record(of: action) }
    let file = try ReplacementFile(
      for: LogFileNames.inFlightPath(of: path), permissions: 0o600, replacesExisting: true)
    try file.write(bytes)
    try file.commit(isDurable: false)
  }

  private static func record(of action: InFlightAction) -> [UInt8] {
    let origin = action.origin.text
    // Only the type of a large action is known, which a reader finds in the beginning of its text.
    var text = action.action.map { Array($0.text.utf8) } ?? []
    if action.action == nil, let type = action.type {
      text = Array("{\"type\":\(JSON(stringLiteral: type).text)".utf8)
    }
    let flag: UInt32 =
      action.isDropped
      ? InFlightRecord.dropped : action.isCommitted ? InFlightRecord.committed : 0
    return InFlightRecord.record(
      number: action.number, time: action.time, origin: origin, text: text[...],
      fullCount: action.action == nil ? text.count + 1 : text.count, flag: flag)
  }
}
