package import FluxJSON

/// The way in which a step writes a store.
public enum WriteKind: UInt8, Sendable, Hashable {
  /// The step contains the whole state.
  case whole
  /// The step contains a patch to the previous state.
  case patch
  /// The step removes the feature.
  case removal
  /// The step changed the store, and its new state is not in the log.
  case unwritten

  /// `true` if the step alone tells the state after it.
  package var isBase: Bool { self == .whole || self == .removal }
}

/// The stores that a step writes, how it writes them, and whether it was rejected or had a cause.
///
/// Most steps of a log have one of a few shapes. The index holds each shape once, and a small
/// number for each step.
public struct StepShape: Sendable, Hashable {
  /// A write of one store.
  public struct Write: Sendable, Hashable {
    private let name: BytewiseName
    /// The way in which it is written.
    public let kind: WriteKind

    init(store: String, kind: WriteKind) {
      (name, self.kind) = (BytewiseName(store), kind)
    }

    /// The store.
    public var store: String { name.text }
  }

  /// The stores that the step writes.
  public let writes: [Write]
  /// `true` if the step did not commit.
  public let isRejected: Bool
  /// `true` if an earlier step led to this one.
  public let hasCause: Bool
  /// The kinds by store, if there are too many to search one by one.
  private let kinds: StoreDictionary<WriteKind>?

  init(writes: [Write], isRejected: Bool, hasCause: Bool) {
    self.writes = writes
    self.isRejected = isRejected
    self.hasCause = hasCause
    kinds =
      writes.count <= 16
      ? nil
      : StoreDictionary(
        writes.lazy.map { ($0.store, $0.kind) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns how a step of this shape writes a store; `nil` if it does not.
  public func kind(of store: String) -> WriteKind? {
    if let kinds { return kinds[store] }
    return writes.first { $0.store.hasSameBytes(as: store) }?.kind
  }

  /// Returns `true` if a step of this shape alone tells the state of a store after it.
  func isBase(of store: String) -> Bool { kind(of: store)?.isBase ?? false }

  /// Returns `true` if a step of this shape writes a store, and the log has its new state.
  func hasState(of store: String) -> Bool { kind(of: store).map { $0 != .unwritten } ?? false }
}

extension StepShape {
  init(_ step: LogStep) {
    self.init(
      writes: step.writes.map { Write(store: $0.store, kind: $0.kind) },
      isRejected: step.rejection != nil, hasCause: step.cause != nil)
  }
}

extension LogStep {
  /// The stores that the step writes, with the states and the patches.
  package var writes: [(store: String, kind: WriteKind, value: JSON?)] {
    var writes: [(store: String, kind: WriteKind, value: JSON?)] = []
    // Not a list of the two, which a walk over a log would allocate for each step.
    func add(_ changes: JSON?, _ kind: WriteKind) {
      guard let changes else { return }
      for member in changes.members { writes.append((member.name, kind, member.value)) }
    }
    add(states, .whole)
    add(patches, .patch)
    for store in removed { writes.append((store, .removal, nil)) }
    for store in unwritten { writes.append((store, .unwritten, nil)) }
    return writes
  }
}
