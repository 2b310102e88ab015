package import FluxJSON
import FluxSystem

/// The Swift source that makes an app's stores in a test.
public struct StoreSource: Sendable, Equatable {
  /// The modules that declare the stores, or the state of a reducer, in order.
  public var modules: [String]
  /// A closure that makes fresh stores, such as `{ [TodoStore()] }`.
  ///
  /// It is nil for an app with a reducer, and if an initializer of a store is not known to compile.
  public var stores: String?

  /// Creates the source.
  public init(modules: [String], stores: String? = nil) {
    (self.modules, self.stores) = (modules, stores)
  }

  /// Reads the source from the answer to `actions/source`; nil if the app does not tell it.
  ///
  /// The text of another program becomes source, so names that are no identifiers are left out.
  package init?(answer: JSON?) {
    guard let modules = answer?["modules"]?.elements.compactMap(\.string) else { return nil }
    self.init(
      modules: modules.filter(Self.isIdentifier),
      stores: answer?["stores"]?.string.flatMap { text in
        text.unicodeScalars.allSatisfy(\.isPrintable) ? text : nil
      })
  }

  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic
    else {
      return false
    }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
  }
}

/// The answer to `actions/source`: `{"sources":[…],"modules"?:[…],"stores"?:text}`.
struct SourceAnswer: Encodable {
  let sources: [String?]
  let modules: [String]?
  let stores: String?
}
