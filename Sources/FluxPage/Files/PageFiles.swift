import CPageFiles

/// The files of the page, which are in the program.
enum PageFiles {
  /// A file of the page.
  struct File: Sendable {
    let name: String
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The files: index.html, style.css, and the modules in their order.
  static let all: [File] = (0..<page_file_count).map { index in
    // The table and what it points to are constants of the program.
    let file = unsafe page_file_at(index)
    let name = unsafe String(cString: file.name)
    let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
    return File(name: name, bytes: stripped(bytes, isScript: name.hasSuffix(".js")))
  }

  /// Returns a file without blanks at the start of lines, without empty lines and, in a script, without lines that are
  /// comments alone.
  ///
  /// No text of the page goes over several lines, so nothing but its weight changes.
  private static func stripped(_ bytes: [UInt8], isScript: Bool) -> [UInt8] {
    var result: [UInt8] = []
    for line in bytes.split(separator: 0x0A) {
      let text = line.drop { $0 == 0x20 || $0 == 0x09 }
      if text.isEmpty || isScript && text.starts(with: "//".utf8) { continue }
      result += text + [0x0A]
    }
    return result
  }

  static func named(_ name: String) -> File? { all.first { $0.name == name } }

  /// The modules, each after those that it imports.
  static var modules: [File] { all.filter { $0.name.hasSuffix(".js") } }
}
