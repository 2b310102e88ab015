/// Names an action for people: its kind, followed by the case if it is an enum, for example `todo/add`.
///
/// If an associated value is an action too, its case follows. The name uses reflection, so it is meant for
/// messages and not for every step.
package func describe(_ action: any Action) -> String {
  var name = type(of: action).kind
  var value: Any = action
  for _ in 0..<NestedCase.limit {
    guard let label = caseName(of: value) else { return name }
    name += "/\(label)"
    guard let nested = NestedCase(of: value) else { return name }
    value = nested.value
  }
  return name
}

/// The name of the enum case that a value holds; nil if the value is not an enum.
func caseName(of value: Any) -> String? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return nil }
  return mirror.children.first?.label ?? String(describing: value)
}

/// The enum among the associated values of a case: the name of an action continues in its cases.
///
/// `AppAction.home(.row(.toggle))` is `app/home/row/toggle`. An enum with raw values is a value like any other,
/// and so is an optional. If several associated values are enums, the name ends with the outer case.
package struct NestedCase {
  /// The maximum number of cases in a name.
  package static let limit = 16

  /// The name of the associated value in the encoding that Swift synthesizes: its label, or `_0` for the
  /// first one.
  package let member: String
  package let value: Any

  /// Finds the enum in a value; nil if there is none.
  ///
  /// The cases of an ``Action`` continue in other actions only, those of any other enum in all enums.
  package init?(of value: Any) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, let payload = mirror.children.first?.value else {
      return nil
    }
    let tuple = Mirror(reflecting: payload)
    let values: [Mirror.Child] =
      tuple.displayStyle == .tuple ? Array(tuple.children) : [(label: ".0", value: payload)]
    let needsAction = value is any Action
    let enums = values.indices.filter {
      Self.isEnum(values[$0].value) && (!needsAction || values[$0].value is any Action)
    }
    guard enums.count == 1, let place = enums.first else { return nil }
    let label = values[place].label ?? ""
    member = label.isEmpty || label.hasPrefix(".") ? "_\(place)" : label
    self.value = values[place].value
  }

  private static func isEnum(_ value: Any) -> Bool {
    !(value is any RawRepresentable) && Mirror(reflecting: value).displayStyle == .enum
  }
}
