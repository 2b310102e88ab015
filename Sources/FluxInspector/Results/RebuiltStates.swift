import FluxReplay

/// The origin of states that are not in the log: `{"stores","from","differs"?}`.
///
/// The recorder was behind and did not write them, or the file that was imported had none. The app dispatched the recorded
/// actions again.
public struct RebuiltStates: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey { case stores, base = "from", divergence = "differs" }

  /// The stores whose states are rebuilt.
  public let stores: [String]
  /// The number of the step after which the replay began.
  public let base: UInt64
  /// The first step at which the replay differs from the recording, otherwise nil.
  public let divergence: UInt64?

  /// `true` if the file that was imported had no states; not encoded.
  private let isImported: Bool

  init(_ model: RebuiltModel, of stores: [String], from base: UInt64, isImported: Bool) {
    (self.stores, self.base, divergence) = (stores, base, model.divergence)
    self.isImported = isImported
  }

  /// The origin in a sentence.
  public var sentence: String {
    let names = stores.joined(separator: ", ")
    let difference = divergence.map {
      "; the replay differs from the recording at step \($0), so the app may have changed since"
    }
    let reason =
      isImported ? "the file that was imported had no states" : "the recorder was behind"
    return "\(names): rebuilt by replay from step \(base), because \(reason)\(difference ?? "")"
  }
}
