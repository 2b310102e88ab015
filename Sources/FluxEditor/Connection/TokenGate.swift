import FluxJSON
import FluxSystem

/// Keeps a client that has not shown the token from everything but the beginning and the end of a session.
struct TokenGate {
  /// The largest message of a client without the token; a launch has a few hundred bytes.
  static let longestMessage = 64 << 10

  private let token: AccessToken?
  /// `true` once the client may make every request.
  private(set) var isOpen: Bool

  /// Makes a gate, which is open if there is no token.
  init(_ token: AccessToken?) {
    self.token = token
    isOpen = token == nil
  }

  /// Examines a request; a launch with the token opens the gate.
  ///
  /// - Throws: ``RequestError`` for a request that needs the token.
  mutating func check(_ request: Request) throws(RequestError) {
    guard let token, !isOpen else { return }
    switch request.command {
    case "initialize", "disconnect": return
    case "launch", "attach":
      guard let shown = request.arguments["token"]?.string else {
        throw RequestError(
          #"\#(request.command): the token is missing; give the one that flux-inspect dap printed as "token""#
        )
      }
      guard token.isSame(as: shown) else {
        throw RequestError(
          "\(request.command): the token is not that of this adapter; take the one that flux-inspect dap printed"
        )
      }
      isOpen = true
    default:
      throw RequestError("\(request.command): launch or attach with the token first")
    }
  }
}
