import FuzzInput

// The layout is that of InFlightRecord, written down a second time: a reader that has it wrong is not believed.

private let headerCount = 16
private let magics = ["flxa", "flxb"].map { Array($0.utf8) }

/// Sets the checksum of every record that has one, and of the ring's beginning where that is wanted.
func setChecksums(in ring: inout [UInt8], ofRing: Bool) {
  guard ring.count >= headerCount else { return }
  if ofRing { ring.put(UInt64(checksum(ring[..<8])), at: 8, count: 4) }
  for place in stride(from: headerCount, to: ring.count - 39, by: 8) {
    guard let kind = magics.firstIndex(of: Array(ring[place..<place + 4])),
      let text = ring.number(at: place + 24, count: 4),
      let origin = ring.number(at: place + 36, count: 4)
    else { continue }
    let count = Int(text) + (kind == 1 ? Int(origin) : 0)
    guard count <= ring.count - place - 40 else { continue }
    let summed =
      Array(ring[place + 8..<place + 32]) + ring[place + (kind == 1 ? 36 : 40)..<place + 40 + count]
    ring.put(UInt64(checksum(summed)), at: place + 4, count: 4)
  }
}
