/// One decoding, which all its decoders and containers read from.
final class DecodingSession {
  let document: JSONDocument
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// The place at which coding paths start, and the path to that place.
  private let root: Int
  private let rootPath: [any CodingKey]

  init(
    _ json: JSON, userInfo: [CodingUserInfoKey: any Sendable], rootPath: [any CodingKey] = []
  ) {
    document = json.document
    root = json.place
    self.userInfo = userInfo
    self.rootPath = rootPath
  }

  /// Returns a decoder that reads `null`, for a super-decoder whose member is missing.
  func null(_ path: [any CodingKey]) -> ValueDecoder {
    let json = JSON.null
    return ValueDecoder(
      session: DecodingSession(json, userInfo: userInfo, rootPath: path), place: json.place)
  }

  func kind(at place: Int) -> JSON.Kind { document.withTape { $0[place].kind } }

  // MARK: Errors

  /// Returns the coding path to a value.
  ///
  /// It walks down from the root each time, because only errors and a few types need a path.
  func path(to target: Int) -> [any CodingKey] {
    document.withTape { tape in
      var path = rootPath
      var place = root
      while place != target {
        let isObject = tape[place].kind == .object
        var child = place + (isObject ? 2 : 1)
        var index = 0
        // Places follow the order of the text. This finds the last child not after the target.
        while Int(tape[child].next) <= target {
          child = Int(tape[child].next) + (isObject ? 1 : 0)
          index += 1
        }
        path.append(isObject ? tape.key(at: child - 1) : LogKey(intValue: index))
        place = child
      }
      return path
    }
  }

  private func context(_ place: Int, _ message: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: path(to: place), debugDescription: message)
  }

  func corrupted(_ place: Int, _ message: String) -> DecodingError {
    .dataCorrupted(context(place, message))
  }

  func mismatch(_ place: Int, _ type: Any.Type, expected: String) -> DecodingError {
    let kind = kind(at: place)
    if kind == .null {
      return .valueNotFound(type, context(place, "expected \(expected), found null"))
    }
    return .typeMismatch(type, context(place, "expected \(expected), found \(kind)"))
  }

  func missing(_ key: some CodingKey, in place: Int) -> DecodingError {
    .keyNotFound(key, context(place, "there is no member \"\(key.stringValue)\""))
  }
}

extension JSONTape {
  func key(at name: Int) -> LogKey {
    let escaped = self[name].has(JSONNode.escaped)
    return LogKey(stringValue: unsafe JSONString.decoded(content(name), escaped: escaped))
  }
}
