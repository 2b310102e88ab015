package import FluxJSON
import FluxSystem

/// An app that tells the Swift source of its actions and stores, for tests that people keep.
package protocol SourceTellingApp: ReplayApp {
  /// Returns the source of actions, which are as in a log, and of the stores.
  func source(of actions: [JSON]) throws(ReplayFailure) -> AppSource
}

/// The Swift source of actions, and that which makes an app's stores in a test.
///
/// As the answer to `actions/source`, it is `{"sources":[…],"modules"?:[…],"stores"?:text}`.
package struct AppSource: Sendable, Equatable, Encodable {
  /// An expression for each action, such as `TodoAction.add(title: "milk")`; nil for one that has none.
  package var sources: [String?]
  /// The modules that declare the stores, or the state of a reducer, and then those of the types in the expressions.
  ///
  /// Nil if the app does not tell them.
  package let modules: [String]?
  /// A closure that makes fresh stores, such as `{ [TodoStore()] }`.
  ///
  /// It is nil for an app with a reducer, and if an initializer of a store is not known to compile.
  package let stores: String?

  package init(_ sources: [String?] = [], modules: [String]? = nil, stores: String? = nil) {
    (self.sources, self.modules, self.stores) = (sources, modules, stores)
  }

  /// Reads the answer of an app, or of one that does not answer.
  ///
  /// The text of another program becomes source, so names that are no identifiers are left out.
  package init(_ answer: JSON?, of actions: [JSON]) {
    let told = answer?["sources"]?.elements.map(\.string) ?? []
    sources = told.count == actions.count ? told : actions.map { _ in nil }
    modules = answer?["modules"]?.elements.compactMap(\.string).filter(Self.isIdentifier)
    stores = modules.flatMap { _ in answer?["stores"]?.string }.flatMap { text in
      text.unicodeScalars.allSatisfy(\.isPrintable) ? text : nil
    }
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

extension ReplayApp {
  package func toldSource(of actions: [JSON] = []) throws(ReplayFailure) -> AppSource {
    try (self as? any SourceTellingApp)?.source(of: actions) ?? AppSource(nil, of: actions)
  }
}
