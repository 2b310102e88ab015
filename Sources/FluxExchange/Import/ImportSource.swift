import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

/// A JSON text to import: a file, or the content of a string in one.
final class ImportSource {
  private enum Content {
    case file(Descriptor)
    case text([UInt8])
  }

  /// The path of the file, as the user named it.
  let path: String
  /// The place of the text in the file, for messages; empty if it is the whole file.
  let place: String
  let byteCount: Int
  private let content: Content

  /// Opens a file.
  ///
  /// - Throws: `CommandError` that names the file.
  init(_ file: LogPlace) throws(CommandError) {
    path = file.path
    do {
      // Opening a pipe must not wait for its writer.
      let file = try Descriptor(opening: file.storedPath, O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      guard status.isRegular else {
        throw CommandError(
          .unreadable, "\(path): this is a folder, a pipe or a device; an import needs a file")
      }
      content = .file(file)
      byteCount = Int(status.size)
    } catch let error as CommandError {
      throw error
    } catch {
      throw Self.unreadable(path, error)
    }
    place = ""
  }

  private init(_ text: [UInt8], in source: ImportSource, at place: String) {
    content = .text(text)
    byteCount = text.count
    path = source.path
    self.place = source.place + place + ": "
  }

  /// Reads up to `count` bytes; fewer only at the end.
  private func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
    // The scanner reads names whole.
    try checkSize(offset..<offset + count, at: "a name")
    switch content {
    case .text(let text):
      return Array(text[min(offset, text.count)..<min(offset + count, text.count)])
    case .file(let file):
      var failure: SystemError?
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        do throws(SystemError) {
          // The descriptor writes only within the buffer.
          filled = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        } catch {
          failure = error
        }
      }
      if let failure { throw Self.unreadable(path, failure) }
      return bytes
    }
  }

  private static func unreadable(_ path: String, _ error: any Error) -> CommandError {
    let reason = (error as? SystemError).map { "cannot \($0.operation): \(systemMessage($0.code))" }
    return CommandError(.unreadable, "\(path): \(reason ?? "\(error)")")
  }

  /// `true` if the text contains these bytes.
  func contains(_ text: String) throws -> Bool {
    let wanted = Array(text.utf8)
    var offset = 0
    while offset < byteCount {
      let bytes = try read(offset, min(1 << 20, byteCount - offset))
      if bytes.contains(wanted) { return true }
      // A match may begin in one piece and end in the next.
      let step = bytes.count < byteCount - offset ? bytes.count - wanted.count + 1 : bytes.count
      guard step > 0 else { return false }
      offset += step
    }
    return false
  }

  /// A scanner at the beginning of the text.
  func scanner() throws -> JSONScanner {
    var scanner = scanner(0..<byteCount)
    try scanner.skipByteOrderMark()
    return scanner
  }

  func scanner(_ range: Range<Int>) -> JSONScanner { JSONScanner(range, read: read) }

  /// Parses a value.
  ///
  /// - Throws: `CommandError` that names the place of a fault.
  func parse(_ range: Range<Int>, at place: String) throws -> JSON {
    try checkSize(range, at: place)
    do {
      return try scanner(range).parse(range)
    } catch let error as JSONError {
      throw fault(error, at: place)
    }
  }

  private func checkSize(_ range: Range<Int>, at place: String) throws(CommandError) {
    let limit = MemoryLimit.standard.lineByteCount
    guard range.count > limit else { return }
    throw problem(
      place,
      "byte \(range.lowerBound): the value has \(range.count) bytes, and at most \(limit) are read",
      hint: MemoryLimit.advice)
  }

  /// The error of a text that is no JSON, or that ends too early.
  func fault(_ error: JSONError, at place: String? = nil) -> CommandError {
    let part = place.map { "\($0): " } ?? ""
    return CommandError(.unreadable, "\(path): \(self.place)\(part)\(error.message)")
  }

  /// The error of a value that is not as the importer needs it.
  func problem(_ place: String, _ problem: String, hint: String? = nil) -> CommandError {
    CommandError(.unreadable, "\(path): \(self.place)\(place): \(problem)", hint: hint)
  }

  /// Returns the JSON text in a string.
  ///
  /// The text becomes UTF-8, so U+FFFD takes the place of half a surrogate pair. An escape inside a string of the text
  /// stays an escape.
  func text(inString range: Range<Int>, at place: String) throws -> ImportSource {
    guard let text = try parse(range, at: place).string else {
      throw problem(place, "expected a string")
    }
    return ImportSource(Array(text.utf8), in: self, at: place)
  }
}
