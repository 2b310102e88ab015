public import FluxCore

/// A search, from the moment its screen appears to the moment it goes away.
public struct Search: Feature {
  /// What a search can be doing.
  public enum Phase: StateValue {
    case preparing
    case inProgress(keyword: String)
    case finished(keyword: String, results: [String])
    case failed(keyword: String, reason: String)
  }

  /// What can happen to a search.
  public enum Action: FluxCore.Action, Equatable {
    case setup
    case begin(keyword: String)
    case found([String])
    case failed(reason: String)
    /// Forgets what a search has led to, so that the next one can begin.
    case discard
    case close
  }

  private let engine: any SearchEngine

  /// Creates the feature; it is absent until it is set up.
  ///
  /// - Parameter engine: What is searched.
  public init(engine: any SearchEngine) {
    self.engine = engine
  }

  /// Goes from phase to phase; what stands in no case is refused.
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
