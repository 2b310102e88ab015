import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Testing

/// The code of the page about replaying, as it stands there.
@Suite struct ReplayingPageTests {

  private func verify(_ makeStores: @escaping @Sendable () -> [any Store]) async throws {
    let replayer = Replayer(stores: makeStores)
    let report = try await replayer.verify(try LogFile.open("shop.jsonl"))
    print(report.text)
  }

  private func evolve(_ makeStores: @escaping @Sendable () -> [any Store]) -> Replayer {
    var evolution = Evolution()
    evolution.storeAliases = ["basket": "cart"]
    evolution.actionAliases = ["basket": "cart"]
    evolution.stateUpcasters["basket"] = { state in
      state.kind == .array ? ["items": state] : state
    }
    evolution.drop(store: "wishes")
    evolution.drop(action: "wish")
    evolution.renameMember("/notes/*/text", to: "body")
    evolution.default("/notes/*/isPinned", false)
    let replayer = Replayer(evolution: evolution, stores: makeStores)
    return replayer
  }

  private struct Flags { let sync: Bool }

  private func declare(
    _ flags: Flags, _ options: inout Recorder.Options,
    _ makeStores: @escaping @Sendable () -> [any Store]
  ) {
    let circumstances: [String: any Encodable & Sendable] = [
      "locale": Locale.current.identifier, "sync": flags.sync,
    ]
    options.circumstances = circumstances
    ReplayHost.runIfRequested(circumstances: circumstances, stores: makeStores)
  }

  private func fork(_ log: LogFile, _ replayer: Replayer) throws {
    let timeline = Timeline(log)
    let fork = try replayer.redispatch(0..<log.count, of: timeline, skipping: [7])
    print(try fork.compare().final)
    try fork.save(to: "without-7.jsonl", log: UUID().uuidString)
  }

  @Test("every line of the code on the page stands in this file")
  func page() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let page = try String(
      contentsOf: root.appending(path: "Sources/FluxRecorder/FluxRecorder.docc/Replaying.md"),
      encoding: .utf8)
    let file = try String(contentsOfFile: #filePath, encoding: .utf8)
      .split(separator: "\n").map { $0.drop { $0 == " " } }
    var lines = 0
    for block in page.components(separatedBy: "```swift\n").dropFirst() {
      let code = block.components(separatedBy: "```")[0]
      for line in code.split(separator: "\n") {
        lines += 1
        #expect(file.contains(line.drop { $0 == " " }), "\(line)")
      }
    }
    #expect(lines == 23)
  }
}
