package import FluxJSON

extension JSON {
  /// Returns the member or element with a name or index.
  package func child(_ token: String) -> JSON? {
    kind == .array ? Int(token).flatMap { self[$0] } : self[token]
  }

  /// Returns the value with other members or elements; nil if `replacement` returns nil for all.
  package func replacingChildren(
    _ replacement: (_ name: String, _ child: JSON) throws -> JSON?
  ) throws -> JSON? {
    var isChanged = false
    var writer = JSONWriter()
    try writer.rewrite(self) { part, writer in
      let new = try replacement(part.step.token, part.value)
      if new != nil { isChanged = true }
      writer.raw(new ?? part.value)
    }
    return isChanged ? try writer.json() : nil
  }
}
