import Foundation
import TestFixtures

@testable import FluxLog

extension Corpora {
  /// Parses a file of the corpora.
  static func json(_ path: String) throws -> JSON {
    try JSON.parse([UInt8](Data(contentsOf: folder.appending(path: path))))
  }
}
