import FluxJSON
import Foundation

// The objects of the system that Swift has values for, as in what `JSONSerialization` returns.

extension ReflectionWalk {
  /// Writes the value that Swift has for an object, such as a number for an `NSNumber`; other objects are opaque.
  func systemObject(_ object: Any, _ type: KnownType, _ depth: Int) throws {
    isPure = false
    if type.facts.name == "NSNull" { return text.null() }
    guard let value = Self.value(of: object, isBool: type.facts.name == "__NSCFBoolean") else {
      return try note("$opaque", type.facts.name)
    }
    try writeOrNull(value, depth)
  }

  /// Returns the value that an object is bridged to; nil if there is none.
  ///
  /// Casts ask for it, because the classes of such objects are not public. A number can be cast to a `Bool` as well, so
  /// `isBool` says whether it is one.
  private static func value(of object: Any, isBool: Bool) -> Any? {
    switch object {
    case let flag as Bool where isBool: flag
    case let text as String: text
    case let number as Int: number
    case let number as UInt64: number
    case let number as Double: number
    case let number as Decimal: number
    case let date as Date: date
    case let data as Data: data
    case let url as URL: url
    case let id as UUID: id
    case let elements as [Any]: elements
    case let entries as [AnyHashable: Any]: entries
    case let elements as Set<AnyHashable>: elements
    default: nil
    }
  }
}
