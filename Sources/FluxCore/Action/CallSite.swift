/// A place in the source that dispatched an action.
public struct CallSite: Sendable, Equatable, CustomStringConvertible {
  // Kept as the compiler's literal: most call sites are never read, and a string would need an allocation.
  private let file: StaticString
  /// The line, counted from 1.
  public let line: Int

  /// Creates a call site.
  ///
  /// - Parameters:
  ///   - file: The module and the file name, from `#fileID`.
  ///   - line: The line, from `#line`.
  package init(file: StaticString, line: UInt) {
    self.file = file
    self.line = Int(line)
  }

  /// The module and the file name, in the form of `#fileID`.
  public var fileID: String { file.description }

  /// The module, the file name and the line, for example `Shop/Cart.swift:42`.
  public var description: String { "\(fileID):\(line)" }

  /// Compares two call sites by their text.
  public static func == (left: CallSite, right: CallSite) -> Bool {
    left.line == right.line && left.fileID == right.fileID
  }
}
