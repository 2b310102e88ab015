import Foundation

/// A block of Swift in the documentation, as a file that the compiler takes.
///
/// The code keeps its file and its lines, so the compiler's messages name the place in the documentation. It sees what its
/// context declares: the suite that runs the code of its page, the context of its file, or that of its library. See `Contexts`.
struct SwiftBlock {
  /// The page or the source file.
  let path: String
  let block: Document.Block

  /// Returns the source file.
  ///
  /// - Parameters:
  ///   - number: The number that makes its names unique.
  ///   - contexts: The names of all contexts.
  /// - Returns: The file's text, in which the block is a type or the body of a function.
  func file(_ number: Int, contexts: Set<String>) -> String {
    let imports = block.lines.filter { $0.hasPrefix("import ") }
    let code = block.lines.map { $0.hasPrefix("import ") ? "" : $0 }
    let needsAwait = code.contains { $0.contains("await ") }
    let context = contextNames.first { contexts.contains($0) }
    let opening =
      isTypes
      ? "struct Block\(number) {" : "func block\(number)()\(needsAwait ? " async" : "") throws {"
    return """
      \((imports.isEmpty ? defaultImports.map { "import \($0)" } : imports).joined(separator: "\n"))
      \(context.map { "extension \($0) {" } ?? "")
      \(opening)
      #sourceLocation(file: "\(path)", line: \(block.number))
      \(code.joined(separator: "\n"))
      #sourceLocation()
      }
      \(context == nil ? "" : "}")

      """
  }

  /// `true` if the block declares types or tests, and does nothing else.
  ///
  /// Any other code is a function's body.
  private var isTypes: Bool {
    let starts = block.lines.filter { line in
      line.first.map { !$0.isWhitespace && !"})]".contains($0) } ?? false
    }
    .compactMap { $0.split(separator: " ").first }
    .filter { !["import", "//", "func"].contains($0) }
    return !starts.isEmpty
      && starts.allSatisfy {
        ["struct", "enum", "final", "class", "@MainActor", "@Test", "@Test(.recorded)"].contains($0)
      }
  }

  /// The first of these that exists is the context.
  private var contextNames: [String] {
    let file = URL(filePath: path).deletingPathExtension().lastPathComponent
      .filter(\.isLetter)
    return ["\(file)Tests", "\(file)PageTests", "\(file)Context", "\(library ?? "Docs")Context"]
  }

  private var library: String? {
    let names = path.split(separator: "/")
    guard names.first == "Sources", let name = names.dropFirst().first else { return nil }
    // Users have it through FluxTesting.
    return name == "FluxRecordings" ? "FluxTesting" : String(name)
  }

  /// The imports of a block that shows none.
  private var defaultImports: [String] {
    switch library {
    case "FluxCore": ["FluxCore", "Foundation", "Observation", "Testing"]
    case "FluxHost": ["FluxHost", "FluxLog", "FluxReplay"]
    case "FluxCommands": ["FluxCommands", "FluxInspector", "FluxJSON", "FluxLog"]
    case "FluxInspector": ["FluxInspector", "FluxJSON", "FluxLog"]
    case "FluxJSON": ["FluxJSON"]
    case "FluxLog": ["FluxJSON", "FluxLog"]
    case "FluxReplay": ["FluxJSON", "FluxLog", "FluxReplay"]
    case "FluxRules": ["FluxLog", "FluxRules"]
    case "FluxTesting": ["FluxCore", "FluxLog", "FluxRecorder", "FluxTesting", "Testing"]
    case "FluxXCTest": ["FluxCore", "FluxRecorder", "FluxXCTest", "XCTest"]
    default:
      [
        "FluxCore", "FluxJSON", "FluxLog", "FluxRecorder", "FluxReplay", "FluxTesting",
        "Foundation", "Testing",
      ]
    }
  }
}
