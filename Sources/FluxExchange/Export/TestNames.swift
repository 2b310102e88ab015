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
  /// The modules that declare the app's stores.
  let modules: [String]
  let maker: Maker

  /// The name of the suite.
  func suite(ofStep step: UInt64) -> String {
    "\(SwiftText.identifier(app ?? "") ?? "Recording")Step\(step)Tests"
  }

  /// The lines that import the modules.
  var imports: String {
    modules.map { "@testable import \(SwiftText.reserved.contains($0) ? "`\($0)`" : $0)" }
      .joined(separator: "\n")
  }
}
