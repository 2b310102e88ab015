/// A value of any kind in a `Codable` type, read and written as it stands.
package struct VerbatimJSON: Codable, Sendable, Equatable {
  package let json: JSON

  package init(_ json: JSON) { self.json = json }

  /// Takes the value that ``LogDecoder`` is at; other decoders have none.
  package init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ValueDecoder else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "only LogDecoder reads values of any kind"))
    }
    json = JSON(document: decoder.session.document, place: decoder.place)
  }

  /// Writes the value; ``LogEncoder`` copies its text.
  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
