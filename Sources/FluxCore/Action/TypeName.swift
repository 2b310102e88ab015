/// Derives a short, stable name from a type's own: `TodoStore` without `Store` is `todo`.
///
/// A type that is called just like the suffix takes the name of the type around it: `Search.Action` is
/// `search`. Names of private and local types contain an address that changes from run to run, so
/// only the plain components are used; generic arguments are left out.
package func typeName(of type: Any.Type, droppingSuffix suffix: String) -> String {
  let components = plainComponents(of: String(reflecting: type))
  guard let last = components.last else { return "" }
  if last == suffix, components.count > 1 {
    return lowercasingFirstWord(components[components.count - 2])
  }
  guard last.hasSuffix(suffix), last != suffix else { return lowercasingFirstWord(last) }
  return lowercasingFirstWord(String(last.dropLast(suffix.count)))
}

/// The components of a reflected type name, without its module's private contexts and generic arguments.
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

/// `TodoList` becomes `todoList`, `URLSession` becomes `urlSession`.
private func lowercasingFirstWord(_ name: String) -> String {
  let characters = Array(name)
  let capitals = characters.prefix { $0.isUppercase }.count
  let lowered = capitals > 1 && capitals < characters.count ? capitals - 1 : capitals
  return String(characters[..<lowered]).lowercased() + String(characters[lowered...])
}
