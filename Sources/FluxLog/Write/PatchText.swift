import FluxJSON

/// A patch as it is written in a log: an array of operations.
struct PatchText {
  let bytes: [UInt8]

  /// The patch that changes nothing.
  static let empty = PatchText(bytes: Array("[]".utf8))

  /// Takes a text that is a patch.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ patch: Patch) {
    var writer = JSONWriter()
    patch.write(into: &writer)
    bytes = writer.bytes
  }

  /// Whether the patch changes nothing.
  var isEmpty: Bool { bytes.count <= 2 }
}
