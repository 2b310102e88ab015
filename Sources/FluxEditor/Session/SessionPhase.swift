/// The life of a session: each request leads to an action, and perhaps to another phase.
///
/// Clients configure a session before or after they launch it, so it begins as soon as both are done.
enum SessionPhase: Equatable {
  /// The client has not said who it is.
  case created
  /// The client may launch and configure.
  case initialized(isOpen: Bool, isConfigured: Bool)
  /// The threads stand, or search.
  case begun
  /// The debuggee is over; the client will disconnect.
  case terminated

  /// A request that can change the phase.
  enum Event: Equatable {
    case initialize
    /// A log is to be opened.
    case open
    /// It was.
    case opened
    case configured
    case terminate
    /// Breakpoints are to be set, with or without a log.
    case breakpoints
    /// Any request that needs a log.
    case use
  }

  /// The answer to a request.
  enum Action: Equatable {
    /// Do what it asks for.
    case perform
    /// Do it, then take the first position and tell the client.
    case begin
    case refuse(String)
  }

  /// Takes a request.
  mutating func receive(_ event: Event) -> Action {
    switch (self, event) {
    case (.created, .initialize):
      self = .initialized(isOpen: false, isConfigured: false)
      return .perform
    case (.created, _): return .refuse("the first request must be initialize")
    case (_, .initialize): return .refuse("initialize was sent before")
    case (.terminated, .terminate): return .perform
    case (.terminated, _): return .refuse("the session has ended")
    case (_, .breakpoints): return .perform
    case (_, .terminate):
      self = .terminated
      return .perform
    case (.initialized(isOpen: false, _), .open): return .perform
    case (_, .open): return .refuse("the session has a log")
    case (.initialized(_, let isConfigured), .opened):
      return advance(isOpen: true, isConfigured: isConfigured)
    case (.initialized(let isOpen, _), .configured):
      return advance(isOpen: isOpen, isConfigured: true)
    case (.initialized(isOpen: false, _), .use):
      return .refuse("there is no log: launch or attach first")
    case (.begun, .opened), (.begun, .configured), (_, .use): return .perform
    }
  }

  private mutating func advance(isOpen: Bool, isConfigured: Bool) -> Action {
    guard isOpen, isConfigured else {
      self = .initialized(isOpen: isOpen, isConfigured: isConfigured)
      return .perform
    }
    self = .begun
    return .begin
  }
}
