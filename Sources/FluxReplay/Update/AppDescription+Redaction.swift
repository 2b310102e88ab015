import FluxLog

extension AppDescription {
  /// The places that a recording does not show, by the app's names for its stores.
  ///
  /// - Throws: `PointerError` where the header has one that is none.
  func redactedPlaces(of header: LogHeader) throws(PointerError) -> [String] {
    var places: [String] = []
    for text in header.redacted {
      let tokens = try Pointer(text).tokens
      guard let store = tokens.first, storeName(for: store) != store else {
        places.append(text)
        continue
      }
      places.append(Pointer(tokens: [storeName(for: store)] + tokens.dropFirst()).description)
    }
    return places
  }
}
