import FluxJSON

/// A part of an app's state that is recorded as one store.
public struct StatePart<State>: Sendable {
  let name: String
  let type: String
  let isFeature: Bool
  /// Encodes the part; nil if it is absent.
  let encode: @Sendable (State) throws -> JSON?
  /// Decodes the part into a state; nil for an absent part.
  let decode: @Sendable (inout State, JSON?) throws -> Void

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - name: The name under which the part is recorded.
  ///   - path: The path to the part; `\.self` for the whole state. An optional part can be absent.
  public init<Part: Codable & SendableMetatype>(
    _ name: String, _ path: any WritableKeyPath<State, Part> & Sendable
  ) {
    self.name = name
    type = String(describing: Part.self)
    isFeature = Part.self is any ExpressibleByNilLiteral.Type
    encode = { state in
      let json = try LogEncoder().encode(state[keyPath: path])
      return json.isNull ? nil : json
    }
    decode = { state, json in
      state[keyPath: path] = try LogDecoder.replaying.decode(Part.self, from: json ?? .null)
    }
  }
}
