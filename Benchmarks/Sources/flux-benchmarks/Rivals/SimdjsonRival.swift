import CSimdjson
import Harness

/// simdjson as a rival, if Debian's `libsimdjson-dev` was there when this package was built.
enum SimdjsonRival {
  /// A rival that parses a document into a DOM.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - readsStrings: `true` to visit every value and take every text, as somebody who uses the document does.
  /// - Returns: The rival.
  static func rival(_ text: [UInt8], readsStrings: Bool) -> Rival {
    let title = readsStrings ? "simdjson DOM, all values read" : "simdjson DOM"
    guard let parser = Parser() else {
      // The package manager keeps the answers of the manifest, and asks again only if the manifest is newer.
      return Rival(
        title,
        absent: """
          apt-get install libsimdjson-dev; swift package purge-cache; touch Benchmarks/Package.swift; make bench
          """)
    }
    return Rival(
      "\(title) \(parser.version)",
      .repeated(amount: text.count) { try parser.parse(text, readsStrings: readsStrings) })
  }

  /// Owns simdjson's parser, and passes it a text and its count.
  @safe private final class Parser {
    let version: String
    private let parser: OpaquePointer

    init?() {
      guard let version = unsafe csimdjson_version(), let parser = unsafe csimdjson_create() else {
        return nil
      }
      self.version = unsafe String(cString: version)
      unsafe self.parser = parser
    }

    deinit { unsafe csimdjson_destroy(parser) }

    func parse(_ text: [UInt8], readsStrings: Bool) throws {
      let count = unsafe text.withUnsafeBufferPointer { text in
        unsafe text.baseAddress.map {
          unsafe csimdjson_parse(parser, $0, text.count, readsStrings ? 1 : 0)
        } ?? -1
      }
      guard count > 0 else {
        throw ExternalProgram.Failure(description: "simdjson does not parse the document")
      }
    }
  }
}
