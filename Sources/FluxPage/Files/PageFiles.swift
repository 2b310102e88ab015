import CPageFiles

/// The files of the page, which are in the program.
///
/// They are embedded as they are in `Page`. What is sent is made once: without comments and indentation, and with the modules
/// joined into two scripts, so that the page is three requests, and a report from disk, which cannot import, has one.
enum PageFiles {
  /// A file that `serve` sends, compressed once for all clients.
  struct File: Sendable {
    let name: String
    let type: String
    let bytes: [UInt8]
    let compressed: [UInt8]

    fileprivate init(_ name: String, _ type: String, _ text: String) {
      (self.name, self.type) = (name, "text/\(type); charset=utf-8")
      bytes = Array(text.utf8)
      compressed = GzipFile(bytes).bytes
    }
  }

  static let all = [
    File("index.html", "html", document), File("style.css", "css", style),
    File("main.js", "javascript", script),
  ]

  // The table and what it points to are constants of the program.
  static let document = unsafe String(cString: page_files().document)
  static let style = trimmed(unsafe String(cString: page_files().style))
  static let script = statements(unsafe String(cString: page_files().script))

  /// The modules that only reports have, behind those of main.js in the same scope.
  static let reportScript = statements(unsafe String(cString: page_files().report_script))

  /// Leaves out the words that make modules out of statements.
  static func statements(_ modules: String) -> String {
    trimmed(modules).split(separator: "\n").filter { !$0.hasPrefix("import ") }
      .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
      .joined(separator: "\n") + "\n"
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
}
