/// Derives a short, stable name from a type's name: `TodoStore` without `Store` is `todo`.
///
/// A type whose whole name is the suffix takes the name of the enclosing type: `Search.Action` is `search`. If that is
/// a store, it is called as the store is: `SearchStore.Action` is `search`.
/// The names of private and local types contain an address that changes from run to run, so only the plain
/// components count. Generic arguments are left out.
package func typeName(of type: Any.Type, droppingSuffix suffix: String) -> String {
  name(of: plainComponents(of: String(reflecting: type))[...], droppingSuffix: suffix)
}

private func name(of components: ArraySlice<String>, droppingSuffix suffix: String) -> String {
  guard let last = components.last else { return "" }
  if last == suffix, components.count > 1 {
    return name(of: components.dropLast(), droppingSuffix: "Store")
  }
  guard last.hasSuffix(suffix), last != suffix else { return lowercasingFirstWord(last) }
  return lowercasingFirstWord(String(last.dropLast(suffix.count)))
}

/// Splits a reflected type name into components, without private contexts and generic arguments.
private func plainComponents(of name: String) -> [String] {
  var components = [""]
  var depth = 0
  for character in name {
    switch character {
    case "<", "(": depth += 1
    case ">", ")": depth -= 1
    case "." where depth == 0: components.append("")
    default: if depth == 0 { components[components.count - 1].append(character) }
    }
  }
  return components.filter { !$0.isEmpty }
}

/// Turns `TodoList` into `todoList` and `URLSession` into `urlSession`.
private func lowercasingFirstWord(_ name: String) -> String {
  let characters = Array(name)
  let capitals = characters.prefix { $0.isUppercase }.count
  let lowered = capitals > 1 && capitals < characters.count ? capitals - 1 : capitals
  return String(characters[..<lowered]).lowercased() + String(characters[lowered...])
}

/// Names an action for people: its kind, followed by the case if it is an enum, for example `todo/add`.
///
/// If an associated value is an action too, its case follows. The name uses reflection, so it is meant for
/// messages and not for every step.
func describe(_ action: any Action) -> String {
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
