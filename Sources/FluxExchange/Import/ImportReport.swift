public import FluxInspector

/// A log that was imported: `{"log","steps","lost":[{"what","count","first"}]}`.
public struct ImportReport: CommandResult {
  private enum CodingKeys: CodingKey { case log, steps, lost }

  /// A kind of information that the log cannot represent.
  public struct Loss: Sendable, Encodable, Equatable {
    /// The kind.
    public let what: String
    /// The number of places.
    public internal(set) var count: Int
    /// The first place, as a path in the file.
    public let first: String

    /// The loss in words.
    package var sentence: String { "lost: \(what): \(count), first at \(first)" }
  }

  /// The path of the log.
  public let log: String
  /// The number of steps.
  public let steps: Int
  /// The parts of the file that are not in the log, by kind.
  public let lost: [Loss]
  /// Remarks about the file.
  public internal(set) var notes: [Note] = []
  /// `true` if a loss is a failure.
  package var isStrict = false

  /// 1 if something was lost and that is a failure.
  public var exitCode: Int32 { isStrict && !lost.isEmpty ? 1 : 0 }
}

/// The losses of an import, in the order in which they were found.
struct LossCount {
  private(set) var losses: [ImportReport.Loss] = []

  mutating func add(_ what: String, at place: @autoclosure () -> String) {
    if let index = losses.firstIndex(where: { $0.what == what }) {
      losses[index].count += 1
    } else {
      losses.append(ImportReport.Loss(what: what, count: 1, first: place()))
    }
  }
}
