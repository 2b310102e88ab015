/// The encoder that `encode(to:)` of a value receives.
struct ValueEncoder: Encoder {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.session.path(place.level) }

  var userInfo: [CodingUserInfoKey: Any] { place.session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.object)
    return place.session.containers.container(of: type, at: place)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.array)
    return UnkeyedEncoding(place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueEncoding(place: place)
  }

  /// Makes the value an object or an array.
  ///
  /// This method cannot throw. It records a misuse, and the next value to be encoded throws it.
  private func open(_ kind: EncodingLevel.Kind) {
    do {
      try place.session.check(place.position)
    } catch {
      place.session.fail(codingPath, "a container was asked of an encoder that is not in use")
      return
    }
    place.session.checkDepth(place)
    if unsafe !place.session.state.open(kind) {
      place.session.fail(codingPath, "two kinds of container were asked of the same encoder")
    }
  }
}

extension EncodingSession {
  /// Returns a session for a nested container or a super-encoder in place of the value just begun.
  func makeChild(at place: EncodingPlace, key: LogKey) -> EncodingSession {
    let child = child(at: place, key: key)
    unsafe state.addChild(child)
    unsafe child.state.push(NestedValue.self)
    return child
  }

  /// Returns a session whose text is discarded, for use after a misuse was recorded.
  func makeOrphan(at place: EncodingPlace, key: LogKey) -> EncodingSession {
    let orphan = orphan(at: place, key: key)
    unsafe orphan.state.push(NestedValue.self)
    unsafe orphan.state.failure = state.failure
    return orphan
  }

  /// The placeholder type of a value whose type is unknown.
  private struct NestedValue: Encodable {}
}
