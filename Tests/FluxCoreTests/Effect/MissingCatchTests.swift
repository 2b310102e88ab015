import Foundation
import TestFixtures
import Testing

/// Compiles reducers against the built module: the mistakes do not compile, and the message says what to do.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: BuiltProduct.path("Modules"))))
struct MissingCatchTests {
  /// Returns what the compiler says about a reducer's effect, without its notes.
  private func errors(_ effect: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let source = try folder.write(
      """
      import FluxCore

      enum LoadAction: Action { case load, loaded(Int), failed, ended(Bool) }

      struct LoadStore: Store {
        let service: @Sendable () async throws -> Int
        let answer: @Sendable () async -> Int
        let initialState = 0

        func reduce(_ count: inout Int, _ action: LoadAction, _ step: inout Step) {
          \(effect)
        }
      }

      """, to: "LoadStore.swift")
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I",
      BuiltProduct.path("Modules"), source,
    ]
    process.standardError = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let errors = text.matches(of: /(?m)error: (.*)$/).map { String($0.output.1) }
    #expect((process.terminationStatus == 0) == errors.isEmpty, "\(text)")
    return errors
  }

  @Test(
    "an operation that can fail needs an action for its error, and the compiler says so",
    arguments: [
      (
        #"step.effect("load", then: LoadAction.loaded) { [service] in try await service() }"#,
        "'effect(_:_:then:file:line:_:)' is unavailable: this operation can fail: "
          + "add `catch:`, which makes the action for its error"
      ),
      (
        #"step.effect("load") { [service] send in send(LoadAction.loaded(try await service())) }"#,
        "'effect(_:_:file:line:_:)' is unavailable: this operation can fail: "
          + "catch its errors in it, and send an action for them"
      ),
    ])
  func missing(effect: String, message: String) throws {
    #expect(try errors(effect) == [message])
  }

  @Test(
    "an operation with an action for its error compiles, and so does one that cannot fail",
    arguments: [
      """
      step.effect("load", then: LoadAction.loaded, catch: { _ in .failed }) { [service] in
        try await service()
      }
      """,
      """
      step.effect("load", ending: { LoadAction.ended((try? $0.get()) != nil) }) { [service] in
        try await service()
      }
      """,
      #"step.effect("load", then: LoadAction.loaded) { [answer] in await answer() }"#,
      #"step.effect("load") { [answer] send in send(LoadAction.loaded(await answer())) }"#,
    ])
  func handled(effect: String) throws {
    #expect(try errors(effect) == [])
  }
}
