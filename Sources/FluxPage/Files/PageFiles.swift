import CPageFiles

/// The files of the page, which are in the program.
///
/// They are embedded as they are in `Page`. The table is made once: without comments and indentation, and with the modules
/// joined into two scripts, so that the page is three requests, and a report from disk, which cannot import, has one.
enum PageFiles {
  /// A file of the page.
  struct File: Sendable {
    let name: String
    let text: String

    var bytes: [UInt8] { Array(text.utf8) }
  }

  /// The files that `serve` sends: index.html, style.css, and main.js with each module that the one of this name imports.
  static let all: [File] = [
    File(name: "index.html", text: embedded("index.html")),
    File(name: "style.css", text: trimmed(embedded("style.css"))),
    File(name: "main.js", text: joined(modules.filter { needed.contains($0.name) })),
  ]

  /// The modules that only reports have, behind those of main.js in the same scope.
  static let reportScript = joined(modules.filter { !needed.contains($0.name) })

  static func named(_ name: String) -> File? { all.first { $0.name == name } }

  // MARK: Modules

  /// A module of the page, as it is embedded.
  struct Module: Sendable {
    let name: String
    let text: String

    /// The names of the modules that it imports.
    var imports: [String] {
      text.split(separator: "\n").compactMap { line in
        line.wholeMatch(of: /import .* from '\.\/(.*)';/).map { String($0.1) }
      }
    }

    /// Its statements, without the words that make it a module.
    var statements: String {
      PageFiles.trimmed(text).split(separator: "\n").filter { !$0.hasPrefix("import ") }
        .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
        .joined(separator: "\n")
    }
  }

  /// The modules, each after those that it imports.
  static let modules: [Module] = embeddedNames.filter { $0.hasSuffix(".js") }
    .map { Module(name: $0, text: embedded($0)) }

  /// The names of main.js and of all that it imports.
  private static let needed: Set<String> = {
    let byName = Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0) })
    var names: Set<String> = []
    var open = ["main.js"]
    while let name = open.popLast() {
      if names.insert(name).inserted { open += byName[name]?.imports ?? [] }
    }
    return names
  }()

  private static func joined(_ modules: [Module]) -> String {
    modules.map(\.statements).joined(separator: "\n") + "\n"
  }

  /// Leaves out comments that have lines to themselves, indentation, and empty lines.
  ///
  /// No text in the files has several lines, so that all indentation is only for readers.
  static func trimmed(_ text: String) -> String {
    var lines: [Substring] = []
    var isInComment = false
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      if isInComment || line.hasPrefix("/*") {
        isInComment = !line.hasSuffix("*/")
      } else if !line.isEmpty, !line.hasPrefix("//") {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: The table in the program

  static let embeddedNames: [String] = (0..<page_file_count).map { index in
    // The table and what it points to are constants of the program.
    unsafe String(cString: page_file_at(index).name)
  }

  static func embedded(_ name: String) -> String {
    embeddedNames.firstIndex(of: name).map { unsafe String(cString: page_file_at($0).bytes) } ?? ""
  }
}
