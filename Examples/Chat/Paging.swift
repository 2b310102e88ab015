public import FluxCore

/// A part of a long list.
public struct Page<Item: Codable & Equatable & Sendable>: StateValue {
  /// The elements.
  public let items: [Item]
  /// The place at which the next page begins; nil if this is the last one.
  public let next: String?

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: The elements.
  ///   - next: The place at which the next page begins; nil if this is the last one.
  public init(items: [Item], next: String?) {
    self.items = items
    self.next = next
  }
}

/// The progress of a list that is fetched page by page.
public struct Paging: StateValue {
  /// The states of fetching.
  public enum Status: StateValue {
    /// Nothing is being fetched.
    case idle
    /// A page is being fetched.
    case loading
    /// The page is fetched when the session has a new token.
    case waiting
    /// The last page could not be fetched.
    case failed(reason: String)
    /// There are no more pages.
    case complete
  }

  /// The state of fetching.
  public internal(set) var status = Status.idle
  /// The place at which the next page begins; nil for the first page.
  public internal(set) var cursor: String?

  /// Creates the progress of a list of which nothing has been fetched.
  public init() {}

  mutating func begin() throws {
    switch status {
    case .loading, .waiting: throw Rejection("a page is on its way")
    case .complete: throw Rejection("there are no more pages")
    case .idle, .failed: status = .loading
    }
  }

  mutating func end(_ next: String?) {
    cursor = next
    status = next == nil ? .complete : .idle
  }

  mutating func fail(_ failure: ChatFailure) {
    status = failure == .unauthorized ? .waiting : .failed(reason: "\(failure)")
  }

  /// Begins again after a new token; returns `false` if no page waited for it.
  mutating func resume() -> Bool {
    guard status == .waiting else { return false }
    status = .loading
    return true
  }
}
