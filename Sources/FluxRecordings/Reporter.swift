/// A place in a test.
package struct TestPlace: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  package init(
    _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
  ) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }
}

/// Reports a problem to the framework that runs the test.
package typealias Reporter = @Sendable (_ problem: String, _ place: TestPlace) -> Void
