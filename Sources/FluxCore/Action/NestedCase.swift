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
  /// The enum.
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
