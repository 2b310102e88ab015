public import FluxCore
public import FluxRecorder
import FluxRecordings
public import FluxReplay
import Foundation
import XCTest

/// Asserts that all recordings of a folder replay: today's stores lead to the states that they have.
///
/// ```swift
/// func testRecordings() async throws {
///   try await assertReplay(of: "Recordings", stores: makeStores)
/// }
/// ```
/// Each recording that does not replay is a failure of its own, with the report for its text. So is a
/// recording that is missing, one that the test does not list, one that has no step to compare, and a
/// folder without any.
///
/// With the environment variable `FLUX_UPDATE` set, a recording that replays otherwise is written anew, with
/// the states that its actions lead to now; one that new states alone do not make pass stays as it is, and is
/// recorded anew by hand. With `CI` set nothing is ever written.
///
/// The folder is read beside the test's source, not from a bundle. Exclude it from the test target, so that SwiftPM does
/// not warn about files that it cannot handle:
/// ```swift
/// .testTarget(name: "ShopTests", dependencies: ["Shop"], exclude: ["Recordings"])
/// ```
///
/// - Parameters:
///   - folder: The folder, from the folder of the test's source; folders inside count too.
///   - listing: The paths in the folder of the recordings that have to be there, and of no others; nil
///     for whatever is there.
///   - evolution: How the app has changed since the recordings were made.
///   - options: How to verify.
///   - update: Whether recordings are written anew without `FLUX_UPDATE`, too.
///   - file: The test's source.
///   - line: The line where failures are recorded.
///   - stores: Makes fresh stores, those that the app's own dispatcher has.
/// - Throws: `CancellationError` where the test is cancelled, and what goes wrong in writing.
public func assertReplay(
  of folder: String, listing: [String]? = nil, evolution: Evolution = Evolution(),
  options: Verification.Options = Verification.Options(), update: Bool = false,
  file: StaticString = #filePath, line: UInt = #line,
  stores: @escaping @Sendable () -> [any Store]
) async throws {
  let expectation = ReplayExpectation(
    Replayer(evolution: evolution, stores: stores), options: options)
  let problems = try await expectation.problems(
    in: URL(folder, besideSource: "\(file)"), listing: listing, updates: update)
  for problem in problems { XCTFail(problem, file: file, line: line) }
}
