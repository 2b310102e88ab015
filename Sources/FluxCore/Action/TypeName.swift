/// Derives a short, stable name from a type's name: `TodoStore` without `Store` is `todo`.
///
/// A type whose whole name is the suffix takes the name of the enclosing type: `Search.Action` is `search`. If that is
/// a store, it is called as the store is: `SearchStore.Action` is `search`.
/// The names of private and local types contain an address that changes from run to run, so only the plain
/// components count. Generic arguments are left out. A tuple or a function has no name but its whole type:
/// `(Int, String)`.
package func typeName(of type: Any.Type, droppingSuffix suffix: String) -> String {
  let path = String(reflecting: type)
  guard !path.hasPrefix("(") else { return String(describing: type) }
  return name(of: plainComponents(of: path)[...], droppingSuffix: suffix)
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
