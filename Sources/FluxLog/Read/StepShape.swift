/// Which stores a step writes, how, and whether it was rejected or had a cause.
///
/// Most steps of a log have one of a few shapes, so the index keeps each shape once and a small
/// number for each step.
public struct StepShape: Sendable, Hashable {
  /// One store that is written.
  public struct Write: Sendable, Hashable {
    /// The store.
    public let store: String
    /// How it is written.
    public let kind: WriteKind

    /// Says whether both write the same store, to the byte of its name, in the same way.
    public static func == (left: Write, right: Write) -> Bool {
      left.kind == right.kind && left.store.hasSameBytes(as: right.store)
    }

    /// Feeds the name's bytes and the kind.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ExactName(store))
      hasher.combine(kind)
    }
  }

  /// The stores that the step writes.
  public let writes: [Write]
  /// Whether the step did not commit.
  public let isRejected: Bool
  /// Whether an earlier step led to this one.
  public let hasCause: Bool

  /// How a step of this shape writes the store; nil where it does not.
  public func kind(of store: String) -> WriteKind? {
    writes.first { $0.store.hasSameBytes(as: store) }?.kind
  }
}

extension StepShape {
  init(_ step: LogStep) {
    let whole = step.states?.members.map { Write(store: $0.name, kind: .whole) } ?? []
    let patched = step.patches?.members.map { Write(store: $0.name, kind: .patch) } ?? []
    let removed = step.removed.map { Write(store: $0, kind: .removal) }
    self.init(
      writes: whole + patched + removed, isRejected: step.rejection != nil,
      hasCause: step.cause != nil)
  }
}
