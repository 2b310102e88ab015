public import FluxCore

/// A search: present while its screen is shown.
public struct Search: Feature {
  /// The phases of a search.
  public enum Phase: StateValue {
    case preparing
    case inProgress(keyword: String)
    case finished(keyword: String, results: [String])
    case failed(keyword: String, reason: String)
  }

  /// The actions of a search.
  public enum Action: FluxCore.Action, Equatable {
    case setup
    case begin(keyword: String)
    case found([String])
    case failed(reason: String)
    /// Discards the result, so that the next search can begin.
    case discard
    case close
  }

  private let engine: any SearchEngine

  /// Creates the feature; it is absent until it is set up.
  ///
  /// - Parameter engine: The engine that runs the search.
  public init(engine: any SearchEngine) {
    self.engine = engine
  }

  /// Moves from phase to phase, and rejects everything that has no case.
  public func reduce(_ search: inout Phase?, _ action: Action, _ step: inout Step) throws {
    switch (search, action) {
    case (nil, .setup):
      search = .preparing
    case (.preparing, .begin(let keyword)):
      search = .inProgress(keyword: keyword)
      step.effect("search", then: Action.found, catch: { .failed(reason: "\($0)") }) {
        [engine] in try await engine.results(for: keyword)
      }
    case (.inProgress(let keyword), .found(let results)):
      search = .finished(keyword: keyword, results: results)
    case (.inProgress(let keyword), .failed(let reason)):
      search = .failed(keyword: keyword, reason: reason)
    case (.finished, .discard), (.failed, .discard):
      search = .preparing
    case (.some, .close):
      search = nil
      step.cancel("search")
    default:
      throw Rejection.impossible
    }
  }
}
