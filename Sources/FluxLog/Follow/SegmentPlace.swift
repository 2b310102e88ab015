/// A place between two lines of a segment, which an app's file and a copy of it have in common.
package struct SegmentPlace: Sendable, Equatable, Encodable {
  /// The id in the header, the same in all segments of a recording.
  package var log: String
  /// The number of the segment's first step, from its header.
  package var first: UInt64
  /// The bytes of the segment before the place.
  package var offset: Int
  /// The CRC-32C of the line before the place, without its newline; 0 at the start of the segment.
  package var crc: UInt32

  package init(log: String, first: UInt64, offset: Int = 0, crc: UInt32 = 0) {
    (self.log, self.first, self.offset, self.crc) = (log, first, offset, crc)
  }

  /// Returns `true` if the place is at or before another one of the same recording.
  package func isReached(by other: SegmentPlace) -> Bool {
    log == other.log && (first, offset) <= (other.first, other.offset)
  }
}
