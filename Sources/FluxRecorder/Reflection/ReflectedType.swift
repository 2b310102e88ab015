import Foundation

/// A type as reflection sees it: what the type tells, and what the labels in the mirror of any value show.
struct ReflectedType: Sendable {
  /// The ways to write values, except that ``other`` ones may encode themselves.
  enum Kind: Sendable {
    /// Only its type is written: looking into it is unsafe, or shows nothing.
    case opaque
    case optional
    case wrapper
    case elements
    case entries
    case hashable
    /// A text of the system that does not encode itself as one.
    case text
    /// An object of the system; it is opaque unless Swift has a value for it.
    case systemObject
    /// An `NSError`, which has no members that reflection shows.
    case systemError
    case keyPath
    case instance
    case other
  }

  let kind: Kind
  /// The name, without addresses, which would differ between processes.
  let name: String
  /// `true` if the values make their own mirrors.
  let hasMirror: Bool
  /// `true` if a case without a payload does not have its name as its description.
  let describesItself: Bool
  let hasRawValue: Bool
  let isText: Bool
  /// `true` if an object has a registrar of observations; nil before one was seen.
  var isObserved: Bool?
  /// `true` if an object is a distributed actor; nil before one was seen.
  var isActor: Bool?
  /// The names of a struct's members, each nil if the member is left out; nil before a value was seen.
  var names: [String?]?

  private static let known = LockedCache<ObjectIdentifier, ReflectedType>(limit: 4096)

  static func of(_ type: Any.Type) -> ReflectedType {
    if let known = known[ObjectIdentifier(type)] { return known }
    let found = ReflectedType(type)
    found.keep(for: type)
    return found
  }

  /// Keeps the facts for the next value of the type, whose walk would find the same.
  func keep(for type: Any.Type) { Self.known.insert(self, for: ObjectIdentifier(type)) }

  private init(_ type: Any.Type) {
    kind = Self.kind(of: type)
    name = String(describing: type)
    hasMirror = type is any CustomReflectable.Type
    describesItself =
      hasMirror || type is any CustomStringConvertible.Type
      || type is any CustomDebugStringConvertible.Type || type is any TextOutputStreamable.Type
    hasRawValue = type is any RawRepresentable.Type
    isText = type is any LosslessStringConvertible.Type
  }

  private static func kind(of type: Any.Type) -> Kind {
    if type is NSError.Type { return .systemError }
    if type is AnyKeyPath.Type { return .keyPath }
    let name = String(reflecting: type)
    if type is any Actor.Type || opaquePrefixes.contains(where: name.hasPrefix) { return .opaque }
    if type is AnyClass, isSystem(name) { return .systemObject }
    if type is any ReflectedOptional.Type { return .optional }
    if type is any RecordedWrapper.Type { return .wrapper }
    if type is AnyClass { return .instance }
    if type is any ReflectedElements.Type { return .elements }
    if type is any ReflectedEntries.Type { return .entries }
    if type == AnyHashable.self { return .hashable }
    return type == AttributedString.self || type == StaticString.self ? .text : .other
  }

  // MARK: Opaque types

  // Actors, tasks, pointers, and most objects of the system: another thread may be changing an actor or the memory behind a
  // pointer, or the memory is gone. The members of the system's objects differ between platforms. Closures and types have
  // mirrors without a style.

  private static let opaquePrefixes = [
    "Swift.Unmanaged<", "Swift.Unsafe", "Swift.OpaquePointer", "Swift.AutoreleasingUnsafe",
    "Swift.ManagedBufferPointer<", "Swift.Task<", "Swift.UnsafeCurrentTask", "Swift.CVaListPointer",
  ]

  static func isSystem(_ type: Any.Type) -> Bool { isSystem(String(reflecting: type)) }

  private static func isSystem(_ name: String) -> Bool {
    // Classes of Objective-C have no module.
    guard let dot = name.firstIndex(of: ".") else { return true }
    return systemModules.contains(String(name[..<dot]))
  }

  private static let systemModules: Set = [
    "Swift", "_Concurrency", "Synchronization", "Observation", "Dispatch", "Foundation",
    "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
    "FoundationXML",
    "Combine", "CoreData", "SwiftUI", "SwiftUICore", "SwiftData", "ObjectiveC", "__C", "os",
  ]
}
