package import FluxJSON

extension JSON {
  /// Returns the member or element with a name or index.
  func child(_ token: String) -> JSON? {
    kind == .array ? Int(token).flatMap { self[$0] } : self[token]
  }

  /// Returns the value with other members or elements; nil if `replacement` returns nil for all.
  package func replacingChildren(
    _ replacement: (_ name: String, _ child: JSON) throws -> JSON?
  ) throws -> JSON? {
    var isChanged = false
    func child(_ name: String, _ value: JSON) throws -> JSON {
      guard let new = try replacement(name, value) else { return value }
      isChanged = true
      return new
    }
    var writer = JSONWriter()
    switch kind {
    case .object:
      writer.beginObject()
      for member in members { writer.member(member.name, try child(member.name, member.value)) }
      writer.endObject()
    case .array:
      writer.beginArray()
      for (index, element) in elements.enumerated() {
        writer.raw(try child(String(index), element))
      }
      writer.endArray()
    case .null, .bool, .number, .string: return nil
    }
    return isChanged ? try writer.json() : nil
  }
}
