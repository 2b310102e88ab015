import FluxCore
import Foundation

/// Swift expressions that make the values of actions, found by reflection.
///
/// Structs are made with their memberwise initializers, and enums with their cases. A value of another kind, or of a
/// type that describes itself, has no expression.
enum SwiftExpression {
  /// Values nest no deeper in an expression that a person reads.
  private static let deepest = 8

  /// Returns the expression for an action, which begins with the name of its type.
  static func expression(for action: any Action) -> String? {
    guard let name = typeName(of: action), !(action is Batch),
      let text = text(of: action, depth: 0)
    else { return nil }
    return text.hasPrefix(".") ? name + text : text
  }

  /// The text of a value; that of an enum begins with the dot of its case.
  private static func text(of value: Any, depth: Int) -> String? {
    guard depth < deepest else { return nil }
    if let text = literal(of: value) { return text }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      guard let wrapped = mirror.children.first?.value else { return "nil" }
      return text(of: wrapped, depth: depth + 1).map(wrapped(_:))
    case .collection: return list(mirror.children.map { text(of: $0.value, depth: depth + 1) })
    case .set: return list(mirror.children.map { text(of: $0.value, depth: depth + 1) }.sorted())
    case .dictionary:
      let members = mirror.children.map { member -> String? in
        let pair = Mirror(reflecting: member.value).children.map {
          text(of: $0.value, depth: depth + 1)
        }
        guard pair.count == 2, let key = pair[0], let value = pair[1] else { return nil }
        return "\(key): \(value)"
      }
      return members.isEmpty ? "[:]" : list(members.sorted())
    case .enum: return enumCase(value, mirror, depth)
    case .struct:
      // The system's types have no memberwise initializers that others can call.
      guard let name = typeName(of: value), !isSystem(moduleName(of: value)),
        mirror.children.allSatisfy({ isLabel($0.label) }),
        let arguments = arguments(mirror.children, depth)
      else { return nil }
      return "\(name)(\(arguments))"
    default: return nil
    }
  }

  private static func enumCase(_ value: Any, _ mirror: Mirror, _ depth: Int) -> String? {
    guard let payload = mirror.children.first else {
      // Without a payload, the name of the case is how the value describes itself, unless its type has another idea.
      guard !(value is any CustomStringConvertible), !(value is any CustomDebugStringConvertible),
        !(value is any TextOutputStreamable)
      else { return nil }
      let name = "\(value)"
      return isLabel(name) ? member(name) : nil
    }
    guard let name = payload.label, isLabel(name) else { return nil }
    let tuple = Mirror(reflecting: payload.value)
    let values =
      tuple.displayStyle == .tuple ? Array(tuple.children) : [(label: nil, value: payload.value)]
    guard let name = member(name) else { return nil }
    return arguments(values, depth).map { "\(name)(\($0))" }
  }

  /// A case after a dot, where some names need backticks; nil for those that mean something else even with them.
  private static func member(_ name: String) -> String? {
    switch name {
    case "Protocol", "Type": nil
    case "init", "self": ".`\(name)`"
    default: ".\(name)"
    }
  }

  /// The text of a value in an optional, which would take these for its own cases.
  private static func wrapped(_ text: String) -> String {
    let isCase = ["nil", ".none", ".some"].contains(text) || text.hasPrefix(".some(")
    return isCase ? ".some(\(text))" : text
  }

  private static func arguments(
    _ values: some Collection<Mirror.Child>, _ depth: Int
  ) -> String? {
    var texts: [String] = []
    for child in values {
      guard let value = text(of: child.value, depth: depth + 1) else { return nil }
      // The labels of unlabelled values are `.0`, `.1`.
      let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
      texts.append(label.map { "\($0 == "inout" ? "`inout`" : $0): \(value)" } ?? value)
    }
    return texts.joined(separator: ", ")
  }

  private static func list(_ elements: [String?]) -> String? {
    let texts = elements.compactMap(\.self)
    return texts.count == elements.count ? "[\(texts.joined(separator: ", "))]" : nil
  }

  // MARK: Stores

  /// Returns the call of an initializer without arguments; nil if the value may need some.
  ///
  /// A store with other properties than its identifier and its initial state has been given something.
  static func initializer(of store: any Store) -> String? {
    let properties = Mirror(reflecting: store).children
    guard properties.allSatisfy({ ["id", "initialState"].contains($0.label) }) else { return nil }
    return typeName(of: store).map { "\($0)()" }
  }

  /// Returns the call for each store; nil if the app has to tell it.
  ///
  /// Two stores of a type differ in what one of them was given.
  static func initializers(of stores: [any Store]) -> [String]? {
    let texts = stores.compactMap(initializer(of:))
    return Set(texts).count == stores.count ? texts : nil
  }

  // MARK: Modules

  /// The modules that declare the types of values, each once and in order.
  static func modules(of values: [Any]) -> [String] {
    var modules: [String] = []
    for value in values { add(moduleName(of: value), to: &modules) }
    return modules
  }

  /// Adds the modules of the types of a value and of all that it contains, which its expression may name.
  static func addModules(in value: Any, to modules: inout [String], depth: Int = 0) {
    // The values of a case are in a tuple.
    guard depth < 2 * deepest else { return }
    add(moduleName(of: value), to: &modules)
    guard literal(of: value) == nil else { return }
    for child in Mirror(reflecting: value).children {
      addModules(in: child.value, to: &modules, depth: depth + 1)
    }
  }

  private static func add(_ module: String, to modules: inout [String]) {
    guard isLabel(module), !isSystem(module), module != "FluxCore", !modules.contains(module)
    else { return }
    modules.append(module)
  }

  private static func moduleName(of value: Any) -> String {
    String(String(reflecting: type(of: value)).prefix { $0 != "." && $0 != "<" })
  }

  private static func isSystem(_ module: String) -> Bool {
    ["Swift", "CoreFoundation", "CoreGraphics"].contains(module) || module.hasPrefix("Foundation")
  }

  // MARK: Names and literals

  private static func literal(of value: Any) -> String? {
    switch value {
    case let text as String: text.debugDescription
    case let character as Character: character.debugDescription
    case let flag as Bool: "\(flag)"
    case let number as any BinaryInteger: "\(number)"
    case let number as Double: literal(of: number)
    case let number as Float: literal(of: number)
    case let id as UUID: "UUID(uuidString: \"\(id.uuidString)\")!"
    case let date as Date:
      literal(of: date.timeIntervalSinceReferenceDate)
        .map { "Date(timeIntervalSinceReferenceDate: \($0))" }
    case let url as URL: "URL(string: \(url.absoluteString.debugDescription))!"
    case let data as Data: "Data(base64Encoded: \"\(data.base64EncodedString())\")!"
    case let number as Decimal where !number.isNaN: "Decimal(string: \"\(number)\")!"
    default: nil
    }
  }

  /// The compiler warns about the literals of subnormal numbers.
  private static func literal(of number: some BinaryFloatingPoint) -> String? {
    number.isNormal || number.isZero ? "\(number)" : nil
  }

  /// The name of a value's type without its module; nil if source cannot write it.
  private static func typeName(of value: Any) -> String? {
    let name = String(reflecting: type(of: value))
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }),
      let dot = name.firstIndex(of: ".")
    else { return nil }
    return String(name[name.index(after: dot)...])
  }

  private static func isLabel(_ label: String?) -> Bool {
    guard let label, let first = label.first, first.isLetter else { return false }
    return label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

extension [String?] {
  fileprivate func sorted() -> Self { sorted { $0 ?? "" < $1 ?? "" } }
}
