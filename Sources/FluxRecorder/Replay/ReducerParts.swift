import FluxCore
import FluxJSON

/// A part of the state of a ``ReducerApp``, as it is recorded: a store of the log.
public struct ReducerStore<State: Sendable>: Sendable {
  let name: String
  let type: String
  let isFeature: Bool
  /// Encodes the part; nil if it is absent.
  let encode: @Sendable (State) throws -> JSON?
  /// Decodes the part into a state; nil for an absent part.
  let decode: @Sendable (inout State, JSON?) throws -> Void

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - name: The name under which the part is recorded.
  ///   - part: The part; `\.self` for the whole state. An optional part can be absent.
  public init<Part: Codable & Sendable>(
    _ name: String, _ part: any WritableKeyPath<State, Part> & Sendable
  ) {
    self.name = name
    type = String(describing: Part.self)
    isFeature = Part.self is any ExpressibleByNilLiteral.Type
    encode = { state in
      let json = try LogEncoder().encode(state[keyPath: part])
      return json.isNull ? nil : json
    }
    decode = { state, json in
      state[keyPath: part] = try LogDecoder.replaying.decode(Part.self, from: json ?? .null)
    }
  }
}

/// A type of the actions of a ``ReducerApp``.
public struct ReducerAction<Action: Sendable>: Sendable {
  /// The name of the type in the log; cases follow it after a slash.
  let kind: String
  /// Decodes an action from its cases and its payload.
  let decode: @Sendable (_ caseName: String?, _ payload: JSON?) throws -> Action

  /// Creates a type of actions.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - kind: Its name in the log; nil for the one that ``RecordingSession`` derives from the type.
  ///   - convert: Converts an action of this type to the type of all actions.
  public init<Each: Decodable & Sendable>(
    _ type: Each.Type, kind: String? = nil, as convert: @escaping @Sendable (Each) -> Action
  ) {
    self.kind = kind ?? Self.kind(of: type)
    decode = { convert(try ActionCoder.decode(type, $0, $1, by: .replaying)) }
  }

  /// Creates the only type of actions.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - kind: Its name in the log; nil for the one that ``RecordingSession`` derives from the type.
  public init(_ type: Action.Type, kind: String? = nil) where Action: Decodable {
    self.init(type, kind: kind) { $0 }
  }

  private static func kind(of type: Any.Type) -> String {
    (type as? any FluxCore.Action.Type)?.kind ?? typeName(of: type, droppingSuffix: "Action")
  }
}
