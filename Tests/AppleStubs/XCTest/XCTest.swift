// The part of XCTest that FluxXCTest and its tests use. Nothing of it is isolated to the main actor: by Apple's
// documentation, that is XCTContext.runActivity, XCTestCase.waitForExpectations and what is for user interfaces.
@_exported import Foundation

open class XCTest: NSObject {
  open var name: String { "" }
  open var testRun: XCTestRun? { nil }
}
open class XCTestRun: NSObject {
  public init(test: XCTest) {}
  open var failureCount: Int { 0 }
  open var totalFailureCount: Int { 0 }
}
/// Apple's header calls `add` thread-safe.
public protocol XCTActivity: AnyObject {
  var name: String { get }
  func add(_ attachment: XCTAttachment)
}
open class XCTContext: NSObject {
  @MainActor public class func runActivity<Result>(
    named name: String, block: (any XCTActivity) throws -> Result
  ) rethrows -> Result { fatalError() }
}
open class XCTestCase: XCTest, XCTActivity {
  open func record(_ issue: XCTIssue) {}
  open func add(_ attachment: XCTAttachment) {}
}
open class XCTAttachment: NSObject {
  public enum Lifetime: Int, Sendable { case keepAlways, deleteOnSuccess }
  public convenience init(contentsOfFile url: URL) { self.init() }
  public convenience init(data: Data) { self.init() }
  public convenience init(string: String) { self.init() }
  override init() {}
  open var name: String? = nil
  open var lifetime: Lifetime = .deleteOnSuccess
}
public struct XCTIssue {
  public enum IssueType: Int, Sendable {
    case assertionFailure, performanceRegression, system, thrownError, uncaughtException, unmatchedExpectedFailure
  }
  public init(
    type: IssueType, compactDescription: String, detailedDescription: String? = nil,
    sourceCodeContext: XCTSourceCodeContext = .init(), associatedError: (any Error)? = nil,
    attachments: [XCTAttachment] = []
  ) { fatalError() }
  public var type: IssueType
  public var compactDescription: String
  public var detailedDescription: String?
  public var sourceCodeContext: XCTSourceCodeContext
  public var associatedError: (any Error)?
  public var attachments: [XCTAttachment]
}
open class XCTSourceCodeContext: NSObject {
  public convenience override init() { self.init(location: nil) }
  public init(location: XCTSourceCodeLocation?) {}
  open var location: XCTSourceCodeLocation? { nil }
}
open class XCTSourceCodeLocation: NSObject {
  public init(fileURL: URL, lineNumber: Int) {}
  open var lineNumber: Int { 0 }
}

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {}
public func XCTAssert(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssertEqual<T: Equatable>(
  _ left: @autoclosure () throws -> T, _ right: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssertThrowsError<T>(
  _ expression: @autoclosure () throws -> T, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line, _ errorHandler: (any Error) -> Void = { _ in }
) {}
public func XCTUnwrap<T>(
  _ expression: @autoclosure () throws -> T?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) throws -> T { fatalError() }
