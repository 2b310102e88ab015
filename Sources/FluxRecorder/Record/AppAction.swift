import FluxCore
import FluxLog

/// An action that an app records itself.
enum AppAction {
  /// The thread that writes the log may encode it.
  case sent(any Encodable & Sendable)
  /// It is read during the call, on the calling thread.
  case read(Any)

  var value: Any {
    switch self {
    case .sent(let action): action
    case .read(let action): action
    }
  }

  /// A name for people; the action's type in the log takes longer to find.
  var name: String {
    (value as? NamedAction)?.type ?? ReflectedType.of(Swift.type(of: value)).name
  }

  /// Returns the action for the log, and `true` if it is read by reflection.
  func logged(_ reflected: ReflectedStates) -> (value: LogValue, isReflected: Bool) {
    switch self {
    case .sent(let action): return (LogValue(action: action), false)
    case .read(let action):
      let encodable = action as? any Encodable
      do throws(EncodingFailure) {
        guard let encodable else { return (try reflected.action(action), true) }
        let text = try EncodingFailure.wrapping(nil) { try ActionText.bytes(of: encodable) }
        return (LogValue(text: text), false)
      } catch {
        return (LogValue(encoding: { throw error }), encodable == nil)
      }
    }
  }
}

extension LogValue {
  /// Wraps an action, which is encoded on demand by the rules of ``ActionCoder``.
  init(action: any Encodable & Sendable) { self.init(action: PlainAction(action: action)) }
}

/// An action without an envelope.
private final class PlainAction: ActionSource {
  private let action: any Encodable & Sendable

  init(action: any Encodable & Sendable) { self.action = action }

  func actionText() throws -> [UInt8] { try ActionText.bytes(of: action) }

  var actionType: String { (action as? any Action).map(describe) ?? AppAction.sent(action).name }
}
