/// The names of an app that a test uses.
struct TestNames {
  /// The way in which a test gets fresh stores.
  enum Maker {
    /// A factory of stores: a name or an expression.
    case stores(String)
    /// The definition of an app with a reducer: a name or an expression.
    case definition(String)

    /// The argument of `TestSession`.
    var argument: String {
      switch self {
      case .stores(let text): "stores: \(text)"
      case .definition(let text): "app: \(text)"
      }
    }

    private var text: String {
      switch self {
      case .stores(let text), .definition(let text): text
      }
    }

    /// The attribute of the function that uses a name of the app.
    ///
    /// Top-level code, and every module with that default, isolates its variables to the main actor.
    var isolation: String { SwiftText.identifier(text) == text ? "@MainActor " : "" }

    /// The app itself.
    var app: String {
      switch self {
      case .stores(let text): "AppDefinition(stores: \(text))"
      case .definition(let text): text
      }
    }
  }

  /// The name of the app; nil if nobody tells it.
  let app: String?
  /// The modules that declare the app's stores, and then those of the types in its actions.
  private(set) var modules: [String]
  /// The modules of the stores that the app tells, which the person may have named otherwise.
  let toldModules: [String]
  let maker: Maker
  /// The file of the test; nil if it is unknown.
  let file: String?

  /// The name of the suite: that of its file, because two tests may be about the same step.
  func suite(ofStep step: UInt64) -> String {
    let name = file.map { String($0.split(separator: "/").last?.prefix { $0 != "." } ?? "") }
    if let name, let identifier = SwiftText.identifier(name) {
      let word = identifier.prefix(1).uppercased() + identifier.dropFirst()
      return word.hasSuffix("Tests") ? word : "\(word)Tests"
    }
    return "\(SwiftText.identifier(app ?? "") ?? "Recording")Step\(step)Tests"
  }

  /// Returns the same names with the modules that an app tells for actions.
  func importing(_ told: [String]) -> TestNames {
    var names = self
    names.modules += told.filter { !toldModules.contains($0) && !modules.contains($0) }
    return names
  }

  /// The lines that import the modules.
  var imports: String {
    modules.map { "@testable import \(SwiftText.reserved.contains($0) ? "`\($0)`" : $0)" }
      .joined(separator: "\n")
  }
}
