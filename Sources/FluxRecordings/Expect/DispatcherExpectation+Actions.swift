import FluxCore
import FluxRecorder

// The actions of steps in messages, and the values in them.
extension DispatcherExpectation {
  /// The action as in a log: `cart/add {"product":"tea"}`.
  static func text(of action: any Action) -> String {
    do {
      let json = try ActionCoder().encode(action)
      let payload = json["payload"].map { " \($0)" } ?? ""
      return (json["type"]?.string ?? "") + payload
    } catch {
      return "\(action)"
    }
  }
}

/// The associated values of an action; nil if it is not of the case that `makeAction` makes.
func associatedValues<each Value, A: Action>(
  of action: any Action, _ makeAction: (repeat each Value) -> A
) -> (repeat each Value)? {
  guard let payload = Mirror(reflecting: action).children.first else { return nil }
  var found = payload.value as? (repeat each Value)
  // A single value with a label is reflected as a tuple of one element.
  let tuple = Mirror(reflecting: payload.value)
  if found == nil, tuple.displayStyle == .tuple, tuple.children.count == 1 {
    found = tuple.children.first?.value as? (repeat each Value)
  }
  guard let values = found, type(of: action) == A.self,
    Mirror(reflecting: makeAction(repeat each values)).children.first?.label == payload.label
  else { return nil }
  return values
}
