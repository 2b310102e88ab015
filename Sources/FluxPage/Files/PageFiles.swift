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
    return unsafe File(
      name: String(cString: file.name),
      bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
  }

  static func named(_ name: String) -> File? { all.first { $0.name == name } }

  /// The modules, each after those that it imports.
  static var modules: [File] { all.filter { $0.name.hasSuffix(".js") } }
}
