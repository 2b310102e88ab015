public import FluxCore
import Foundation

/// The actions of a search that asks for an answer with each letter.
public enum SearchAction: Action {
  case type(String)
  case found(query: String, words: [String])
  /// The number of words is read aloud.
  case announce(Int)
}

/// A search with a race: the answer to an earlier query may come last, and replace the later one.
public struct SearchStore: Store {
  /// The query, and the answer that the user sees.
  public struct State: StateValue {
    /// The text in the field.
    public var query = ""
    /// The query that the words answer.
    public var answered = ""
    /// The words that were found.
    public var words: [String] = []
    /// `true` once something was asked for.
    public var isSearching = false
  }

  /// Nothing was asked for.
  public let initialState = State()
  private let isFixed: Bool
  private let answer: @Sendable (String) async -> [String]

  /// Creates the search.
  ///
  /// - Parameters:
  ///   - isFixed: `true` to ignore answers to earlier queries.
  ///   - answer: Finds the words for a query.
  public init(isFixed: Bool, answer: @escaping @Sendable (String) async -> [String]) {
    (self.isFixed, self.answer) = (isFixed, answer)
  }

  /// Asks for an answer with each letter, and shows the answer that comes.
  public func reduce(_ search: inout State, _ action: SearchAction, _ step: inout Step) throws {
    switch action {
    case .type(let query):
      (search.query, search.isSearching) = (query, true)
      step.effect(
        "search-\(query)", then: { words in SearchAction.found(query: query, words: words) }
      ) { [answer] in await answer(query) }
    case .found(let query, let words):
      guard search.isSearching else { throw Rejection("nothing was asked for") }
      if isFixed, query != search.query { return }
      (search.answered, search.words) = (query, words)
      step.dispatch(SearchAction.announce(words.count))
    case .announce: break
    }
  }
}

/// Makes the store of the search, without its bug if `FIXED` is set.
public let makeSearchStores: @Sendable () -> [any Store] = {
  [SearchStore(isFixed: isFixed) { query in words.filter { $0.hasPrefix(query) } }]
}

/// The words that can be found.
public let words = ["flow", "flux", "fork"]

/// `true` if the apps run without their bugs.
let isFixed = ProcessInfo.processInfo.environment["FIXED"] != nil
