extension InFlightRecord {
  /// A layout of the ring, known by the magic numbers in front of the ring and in front of each record.
  ///
  /// Rings outlive the program that wrote them, so that a reader knows every layout that there was.
  struct Layout {
    let ringMagic: UInt32
    /// No record's text can be taken for one without its checksum.
    let recordMagic: UInt32
    /// Whether a record has a text of where its action came from.
    ///
    /// Without one, what is its count today is zero, and no part of the checksum.
    let hasOrigin: Bool

    /// "FLXS" and "flxb": what is written.
    static let current = Layout(
      ringMagic: 0x5358_4C46, recordMagic: 0x6278_6C66, hasOrigin: true)
    /// "FLXR" and "flxa".
    static let withoutOrigin = Layout(
      ringMagic: 0x5258_4C46, recordMagic: 0x6178_6C66, hasOrigin: false)

    private init(ringMagic: UInt32, recordMagic: UInt32, hasOrigin: Bool) {
      self.ringMagic = ringMagic
      self.recordMagic = recordMagic
      self.hasOrigin = hasOrigin
    }

    /// The layout of a ring by its first bytes; nil where they are those of none.
    init?(ofRing ring: [UInt8]) {
      let known = [Layout.current, .withoutOrigin]
      guard
        let layout = known.first(where: { layout in
          unsafe withUnsafeBytes(of: layout.ringMagic.littleEndian) { unsafe ring.starts(with: $0) }
        })
      else { return nil }
      self = layout
    }
  }
}
