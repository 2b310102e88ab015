/// Many actions as one step: all of them commit or none, and observers see one event.
///
/// The actions run in order, each on what the one before it left. A batch inside a batch counts as its
/// actions. Reducers and reactions never see the batch itself, only what is in it.
public struct Batch: Action {
  /// What the batch is for, in the log and in messages.
  public let label: String?
  /// The actions, in the order in which they run.
  public let actions: [any Action]

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - label: What the batch is for, in the log and in messages.
  ///   - actions: The actions, in the order in which they run.
  public init(_ label: String? = nil, _ actions: [any Action]) {
    self.label = label
    self.actions = actions
  }

  /// `batch`.
  public static var kind: String { "batch" }
}

extension Batch {
  private enum CodingKeys: String, CodingKey { case label, actions }
  private enum EntryKeys: String, CodingKey { case type, payload }

  /// Writes the label and, for each action, its kind as `type` and the action as `payload`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(label, forKey: .label)
    var entries = container.nestedUnkeyedContainer(forKey: .actions)
    for action in actions {
      var entry = entries.nestedContainer(keyedBy: EntryKeys.self)
      try entry.encode(type(of: action).kind, forKey: .type)
      try action.encode(to: entry.superEncoder(forKey: .payload))
    }
  }

  /// Reads a batch; which type a kind stands for is asked of `Decoder.userInfo[.actionTypes]`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` where a kind is not among the action types, and whatever the
  ///   decoding of an action throws.
  public init(from decoder: any Decoder) throws {
    let types = decoder.userInfo[.actionTypes] as? [String: any Action.Type] ?? [:]
    let container = try decoder.container(keyedBy: CodingKeys.self)
    label = try container.decodeIfPresent(String.self, forKey: .label)
    var entries = try container.nestedUnkeyedContainer(forKey: .actions)
    var actions: [any Action] = []
    while !entries.isAtEnd {
      let entry = try entries.nestedContainer(keyedBy: EntryKeys.self)
      let kind = try entry.decode(String.self, forKey: .type)
      guard let type = types[kind] else {
        throw DecodingError.dataCorruptedError(
          forKey: .type, in: entry,
          debugDescription: """
            no action type is called "\(kind)"; known are \(types.keys.sorted().joined(separator: ", ")). \
            Decode with userInfo[.actionTypes] set to the dispatcher's actionTypes.
            """)
      }
      actions.append(try type.init(from: entry.superDecoder(forKey: .payload)))
    }
    self.actions = actions
  }
}

extension CodingUserInfoKey {
  /// The key under which a decoder carries `Dispatcher.actionTypes`, so that a `Batch` can be decoded.
  public static let actionTypes: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "FluxCore.actionTypes") else {
      preconditionFailure("a user info key can be made of any text")
    }
    return key
  }()
}
